// The `python` backend: `model.py` in the version folder, one process per instance. Also makes backends that are written
// in Python themselves: their `model.py` lies in the backend directory and runs for all their models.
// (docs/python-models.md)

import path from 'node:path';
import { modelConfigToJson } from '../../../src-shared/config/config-json.ts';
import { invalidArg } from '../../../src-shared/errors.ts';
import type {
  Backend,
  BackendModel,
  BackendTools,
  InstanceSpec,
  ModelLoadContext,
} from '../../inference/backend.ts';
import type { ModelFiles } from '../../inference/model-files.ts';
import { artefactPath } from '../../inference/model-files.ts';
import type { ModelConfig } from '../../../src-shared/config/model-config.ts';
import { HostedInstance } from '../hosted/hosted-instance.ts';
import { pythonFolder } from '../python-host/host-files.ts';
import type { HostSetup } from '../python-host/host-messages.ts';
import { PythonFinder } from '../python-host/python-choice.ts';
import { PythonCode } from '../python-host/python-code.ts';
import { MODEL_FILE, pythonDescription } from './description.ts';

/** finalize() has this long; what was accepted before has no limit, as in Triton. */
const FINALIZE_GRACE_MS = 30_000;

const finder = new PythonFinder();

export function pythonBackend(_tools: BackendTools): Backend {
  return createBackend('python', undefined);
}

/** The backend `name` out of the backend directory: `modelFile` runs for all its models. */
export function pythonBasedBackend(name: string, modelFile: string): Backend {
  return createBackend(name, modelFile);
}

function createBackend(name: string, ownModelFile: string | undefined): Backend {
  return {
    description: pythonDescription(name),
    async load(context): Promise<BackendModel> {
      const { config, clock, reporter, invoker, modelDir, backendConfig } = context;
      const modelFile = ownModelFile ?? (await modelFileOf(config, context));
      const python = await finder.choose({ modelDir, setting: backendConfig.get('python-executable') ?? '' });
      return {
        notices: [],
        async createInstance(spec, { signal }) {
          const setup = hostSetup(context, spec, modelFile, ownModelFile);
          const instance = new HostedInstance({
            spec,
            modelName: context.modelName,
            config,
            clock,
            reporter,
            room: 'python',
            executeTimeoutMs: 0,
            unloadTimeoutMs: FINALIZE_GRACE_MS,
            restartsAtOnce: true,
            statistics: { failsByResponse: false, reportsResponses: false },
            startCode: (listener, abort) =>
              PythonCode.start({ python, setup, clock, invoker, listener, signal: abort }),
          });
          await instance.start(signal);
          return instance;
        },
        close: () => Promise.resolve(),
      };
    },
  };
}

async function modelFileOf(config: ModelConfig, files: ModelFiles): Promise<string> {
  const file = await artefactPath(config, files, [MODEL_FILE]);
  if (!file.endsWith('.py')) {
    throw invalidArg(`Model name must end with '.py'. Model name is "${path.basename(file)}".`);
  }
  return file;
}

function hostSetup(
  context: ModelLoadContext,
  spec: InstanceSpec,
  modelFile: string,
  ownModelFile: string | undefined,
): HostSetup {
  const { config, modelName, version, modelDir, versionDir } = context;
  return {
    command: 'serve',
    modelFile,
    modelDir,
    versionDir,
    backendDir: pythonFolder(),
    ownBackendDir: ownModelFile === undefined ? '' : path.dirname(ownModelFile),
    isDecoupled: config.modelTransactionPolicy?.decoupled === true,
    args: {
      model_config: modelConfigToJson(config),
      model_instance_kind: spec.kind.replace(/^KIND_/, ''),
      model_instance_name: spec.name,
      model_instance_device_id: String(Math.max(0, spec.deviceId)),
      model_repository: modelDir,
      model_version: version,
      model_name: modelName,
    },
  };
}
