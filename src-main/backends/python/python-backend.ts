// The `python` backend: `model.py` in the version folder, one process per instance. Also makes backends that are written
// in Python themselves: their `model.py` lies in the backend directory and runs for all their models.
// (docs/python-models.md)

import type { ModelConfig } from '../../../src-shared/config/model-config.ts';
import { modelConfigFromJson } from '../../../src-shared/config/config-json.ts';
import { invalidArg } from '../../../src-shared/errors.ts';
import { systemClock } from '../../base/clock.ts';
import { getLogger } from '../../base/log.ts';
import type {
  AutoCompleteOptions,
  AutoCompletion,
  Backend,
  BackendModel,
  BackendTools,
  ModelInstance,
  ModelLoadContext,
} from '../../inference/backend.ts';
import type { InstanceSpec } from '../../inference/backend.ts';
import type { ModelFiles } from '../../inference/model-files.ts';
import { HostedInstance } from '../hosted/hosted-instance.ts';
import type { PythonChoice } from '../python-host/python-choice.ts';
import { PythonFinder } from '../python-host/python-choice.ts';
import { PythonCode } from '../python-host/python-code.ts';
import { completeInPython } from '../python-host/python-complete.ts';
import { pythonDescription } from './description.ts';
import { checkInputPlacement } from './model-parameters.ts';
import type { ModelCode } from './python-setup.ts';
import { completionSetup, instanceSetup, modelCode } from './python-setup.ts';

const log = getLogger('python');

/** finalize() has this long; what was accepted before has no limit, as in Triton. */
const FINALIZE_GRACE_MS = 30_000;

export function pythonBackend(tools: BackendTools): Backend {
  return new PythonBackend('python', tools, undefined);
}

/** Makes the backend of a name out of the backend directory: its `model.py` runs for all its models. */
export function pythonBasedBackends(tools: BackendTools): (name: string, modelFile: string) => Backend {
  return (name, modelFile) => new PythonBackend(name, tools, modelFile);
}

/** Shared by all backends that run on Python: a program is looked at once. */
const finder = new PythonFinder();

class PythonBackend implements Backend {
  readonly description;
  readonly #tools: BackendTools;
  readonly #ownFile: string | undefined;

  constructor(name: string, tools: BackendTools, ownFile: string | undefined) {
    this.description = pythonDescription(name);
    this.#tools = tools;
    this.#ownFile = ownFile;
  }

  async autoComplete(
    files: ModelFiles,
    config: ModelConfig,
    { backendConfig, signal }: AutoCompleteOptions,
  ): Promise<AutoCompletion> {
    const code = await modelCode(config, files, this.#ownFile, '');
    const python = await choosePython(files, backendConfig);
    const completed = await completeInPython({
      python,
      setup: completionSetup(config, files, code),
      clock: systemClock,
      signal,
    });
    if (completed === undefined) return { config, origins: new Map() };
    const read = modelConfigFromJson(completed);
    const fault = read.issues.find(({ severity }) => severity === 'error');
    if (fault !== undefined) {
      throw invalidArg(`auto_complete_config of model '${files.modelName}': ${fault.message}`);
    }
    return { config: read.config, origins: originsOf(config, read.config) };
  }

  async load(context: ModelLoadContext): Promise<BackendModel> {
    const { config, backendConfig, modelName } = context;
    for (const line of checkInputPlacement(config)) log.info(line, { model: modelName });
    const code = await modelCode(config, context, this.#ownFile, '');
    const python = await choosePython(context, backendConfig);
    return {
      notices: [],
      createInstance: (spec, { signal }) => this.#createInstance(context, code, python, spec, signal),
      close: () => Promise.resolve(),
    };
  }

  async #createInstance(
    context: ModelLoadContext,
    code: ModelCode,
    python: PythonChoice,
    spec: InstanceSpec,
    signal: AbortSignal,
  ): Promise<ModelInstance> {
    const { config, clock, reporter, invoker, modelName } = context;
    const { services } = this.#tools;
    const setup = instanceSetup(config, context, code, spec);
    const instance = new HostedInstance({
      spec,
      modelName,
      config,
      clock,
      reporter,
      room: 'python',
      executeTimeoutMs: 0,
      unloadTimeoutMs: FINALIZE_GRACE_MS,
      restartsAtOnce: true,
      statistics: { failsByResponse: false, reportsResponses: false },
      startCode: (listener, abort) =>
        PythonCode.start({ python, setup, clock, invoker, services, listener, signal: abort }),
    });
    await instance.start(signal);
    return instance;
  }
}

async function choosePython(
  { modelDir }: ModelFiles,
  settings: ReadonlyMap<string, string>,
): Promise<PythonChoice> {
  return await finder.choose({ modelDir, setting: settings.get('python-executable') ?? '' });
}

/** Which fields the model's code set, for people who ask where a value comes from. */
function originsOf(before: ModelConfig, after: ModelConfig): ReadonlyMap<string, string> {
  const reason = "set by the model's auto_complete_config()";
  const origins = new Map<string, string>();
  if (before.maxBatchSize !== after.maxBatchSize) origins.set('max_batch_size', reason);
  if (before.dynamicBatching === undefined && after.dynamicBatching !== undefined) {
    origins.set('dynamic_batching', reason);
  }
  if (before.modelTransactionPolicy?.decoupled !== after.modelTransactionPolicy?.decoupled) {
    origins.set('model_transaction_policy', reason);
  }
  for (const kind of ['input', 'output'] as const) {
    const known = new Set(before[kind].map(({ name }) => name));
    after[kind].forEach(({ name }, index) => {
      if (!known.has(name)) origins.set(`${kind}[${index}]`, reason);
    });
  }
  return origins;
}
