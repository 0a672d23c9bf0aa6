// The `javascript` backend: `model.js`, `model.mjs`, `model.cjs` or `model.ts` in the version folder, one thread per
// instance. Parameters of the model: execute_timeout_ms (0 = none), unload_timeout_ms (30000), max_heap_mb (2048).

import { stat } from 'node:fs/promises';
import { artefactNames, describeBackend } from '../../../src-shared/config/backend-description.ts';
import type { ModelConfig } from '../../../src-shared/config/model-config.ts';
import { requireRegularFile } from '../../base/regular-file.ts';
import type { Backend, BackendModel, InstanceSpec, ModelLoadContext } from '../../inference/backend.ts';
import { artefactPath } from '../../inference/model-files.ts';
import { HostedInstance } from '../hosted/hosted-instance.ts';
import { javascriptErrors } from './javascript-errors.ts';
import { ModelThread } from './model-thread.ts';
import type { WorkerSetup } from './worker-messages.ts';

const description = describeBackend({
  name: 'javascript',
  title: 'JavaScript',
  summary: 'Models written in JavaScript or TypeScript, each instance in a thread of its own.',
  aliases: ['js', 'node', 'typescript', 'ts'],
  format: 'source',
  artefacts: [
    { name: 'model.js', form: 'file' },
    { name: 'model.mjs', form: 'file' },
    { name: 'model.cjs', form: 'file' },
    { name: 'model.ts', form: 'file' },
  ],
  parameters: [
    {
      name: 'execute_timeout_ms',
      summary: 'Longest execution in milliseconds; 0, the default, is no limit.',
    },
    { name: 'unload_timeout_ms', summary: 'Milliseconds that finalize() has; default 30000.' },
    { name: 'max_heap_mb', summary: 'Largest heap of an instance in MiB; default 2048.' },
  ],
  runsCode: true,
});

const DEFAULT_UNLOAD_TIMEOUT_MS = 30_000;
const DEFAULT_MAX_HEAP_MB = 2048;

/** Loading starts no code of the model; each instance does, in its own thread. */
export const javascriptBackend: Backend = {
  description,
  async load(context): Promise<BackendModel> {
    const modelFile = await findModelFile(context);
    const executeTimeoutMs = positiveParameter(context.config, 'execute_timeout_ms', 0);
    const unloadTimeoutMs = positiveParameter(context.config, 'unload_timeout_ms', DEFAULT_UNLOAD_TIMEOUT_MS);
    const maxHeapMb = positiveParameter(context.config, 'max_heap_mb', DEFAULT_MAX_HEAP_MB);
    const { clock, reporter, invoker } = context;
    const isDecoupled = context.config.modelTransactionPolicy?.decoupled === true;
    const instances = new Set<HostedInstance>();
    return {
      notices: [],
      async createInstance(spec, { signal }) {
        const setup = workerSetup(context, modelFile, spec);
        const instance = new HostedInstance({
          spec,
          modelName: context.modelName,
          config: context.config,
          clock,
          reporter,
          room: 'javascript',
          executeTimeoutMs,
          unloadTimeoutMs,
          isProcess: false,
          restartsAtOnce: false,
          mayOverlap: false,
          statistics: { failsByResponse: true, reportsResponses: true, countsBatches: 'answered' },
          needsInputs: false,
          startCode: (listener, signal) =>
            ModelThread.start({ setup, clock, invoker, listener, maxHeapMb, isDecoupled, signal }),
        });
        await instance.start(signal);
        instances.add(instance);
        return instance;
      },
      unloading: () => {
        for (const instance of instances) instance.unloading();
      },
      close: () => Promise.resolve(),
    };
  },
};

async function findModelFile(context: ModelLoadContext): Promise<string> {
  const { config, modelName, versionDir } = context;
  const own = artefactNames(description);
  const names = config.defaultModelFilename === '' ? own : [config.defaultModelFilename];
  for (const name of names) {
    const file = await artefactPath({ ...config, defaultModelFilename: name }, context, own);
    if (!(await isFound(file))) continue;
    await requireRegularFile(file);
    return file;
  }
  throw javascriptErrors.withoutFile({ model: modelName, names: names.join(', '), folder: versionDir });
}

async function isFound(file: string): Promise<boolean> {
  return await stat(file).then(
    () => true,
    () => false,
  );
}

function positiveParameter(config: ModelConfig, key: string, fallback: number): number {
  const text = config.parameters[key]?.stringValue;
  if (text === undefined) return fallback;
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value) || value < 0) {
    throw javascriptErrors.parameterNoNumber({ model: config.name, key, given: text });
  }
  return value;
}

function workerSetup(context: ModelLoadContext, modelFile: string, spec: InstanceSpec): WorkerSetup {
  const { modelName, version, modelDir, versionDir, config } = context;
  return {
    modelFile,
    modelName,
    modelVersion: version,
    modelDir,
    versionDir,
    instanceName: spec.name,
    config,
  };
}
