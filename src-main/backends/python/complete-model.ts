// What auto_complete_config of a model makes of its configuration, and what is left of it for the load: the process, where
// instances of the backend share one, and what could not be read, since initialize() of the reference gets that.

import { modelConfigFromJson } from '../../../src-shared/config/config-json.ts';
import type { ModelConfig } from '../../../src-shared/config/model-config.ts';
import { getLogger } from '../../base/log.ts';
import type { AutoCompletion, CompletionHandover } from '../../inference/backend.ts';
import type { HostProcess } from '../python-host/host-process.ts';
import type { CompletionOptions, KeptProcess } from '../python-host/python-complete.ts';
import { completeInPython } from '../python-host/python-complete.ts';
import { pythonErrors } from './python-errors.ts';

const log = getLogger('python');

/** Member of every configuration, which Triton's backend looks for in what it was given. */
const NEEDED = 'default_model_filename';

/** From `completeModel` to the load of the same version. Closing it ends the process that no instance has moved into. */
export class PythonHandover implements CompletionHandover {
  /** The completed configuration, JSON, where the server could not read it. */
  readonly unreadable: string | undefined;
  readonly #kept: KeptProcess | undefined;

  constructor(unreadable: string | undefined, kept: KeptProcess | undefined) {
    this.unreadable = unreadable;
    this.#kept = kept;
  }

  /** Has a place for each instance. */
  get process(): HostProcess | undefined {
    return this.#kept?.process;
  }

  async close(): Promise<void> {
    await this.#kept?.close();
  }
}

/** `isByBackend`: the code that completes is that of the backend, not of the model. Rejects with INTERNAL. */
export async function completeModel({
  config,
  isByBackend,
  ...options
}: CompletionOptions & {
  readonly config: ModelConfig;
  readonly isByBackend: boolean;
}): Promise<AutoCompletion> {
  const { text, kept } = await completeInPython(options);
  const handover = new PythonHandover(undefined, kept);
  if (text === undefined) return { config, origins: new Map(), handover };
  const read = modelConfigFromJson(text);
  const fault = read.issues.find(({ severity }) => severity === 'error');
  if (fault === undefined) {
    return { config: read.config, origins: originsOf(config, read.config, isByBackend), handover };
  }
  if (!hasMember(text, NEEDED)) {
    await handover.close();
    throw pythonErrors.completedWithout({ member: NEEDED });
  }
  const { name } = config;
  log.warn(
    `what auto_complete_config of model '${name}' returned cannot be read and is left out: ${fault.message}`,
    { model: name },
  );
  return { config: undefined, origins: new Map(), handover: new PythonHandover(text, kept) };
}

function hasMember(json: string, name: string): boolean {
  const value: unknown = JSON.parse(json);
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name);
}

/** Which fields the model's code set, for people who ask where a value comes from. */
function originsOf(
  before: ModelConfig,
  after: ModelConfig,
  isByBackend: boolean,
): ReadonlyMap<string, string> {
  const reason = isByBackend
    ? "read from the model's file by its backend"
    : "set by the model's auto_complete_config()";
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
