// From a model's configuration to the options of its sessions. What the library cannot honour becomes a notice; it is
// never dropped in silence.

import type { ModelConfig } from '../../../src-shared/config/model-config.ts';
import { isTooManyThreads, tooManyThreads } from '../../../src-shared/config/rules/limit-rules.ts';
import { parseBoolean, parseIntegral } from './config-values.ts';
import { onnxruntimeErrors } from './onnxruntime-errors.ts';
import type { SessionSettings } from './session-messages.ts';

/** The `parameters` and `optimization` of a configuration, as sessions take them. */
export interface SessionOptionsResult {
  readonly settings: SessionSettings;
  /** Niceness of the instance threads. */
  readonly niceLevel: number;
  readonly notices: readonly string[];
}

/** Session configuration entries a model may set; the first is in Triton's list, spinning is ours to open. */
const SESSION_ENTRIES = [
  'session.use_device_allocator_for_initializers',
  'session.intra_op.allow_spinning',
  'session.inter_op.allow_spinning',
];

/** Parameters that Triton's backend reads and that have no effect through this library, with the reason. */
const INEFFECTIVE: Readonly<Record<string, string>> = {
  'memory.enable_memory_arena_shrinkage': 'run options of that kind are not offered by onnxruntime-node',
  cudnn_conv_algo_search: 'onnxruntime-node passes only the device id to the CUDA provider',
  gpu_mem_limit: 'onnxruntime-node passes only the device id to the CUDA provider',
  arena_extend_strategy: 'onnxruntime-node passes only the device id to the CUDA provider',
  do_copy_in_default_stream: 'onnxruntime-node passes only the device id to the CUDA provider',
};

/** Backend option: the pool sizes of the backend count for every model, as if all shared one pool. */
const GLOBAL_POOL = 'enable-global-threadpool';

const NICE_LEVELS = { PRIORITY_MAX: 0, PRIORITY_DEFAULT: 5, PRIORITY_MIN: 19 } as const;

/** Throws INVALID_ARG for values that cannot be read, UNSUPPORTED for custom operator libraries. */
export function sessionOptions(
  config: ModelConfig,
  backendConfig: ReadonlyMap<string, string>,
): SessionOptionsResult {
  const libraries = config.modelOperations?.opLibraryFilename ?? [];
  if (libraries.length > 0) {
    throw onnxruntimeErrors.operatorLibraries({ model: config.name, files: libraries.join(', ') });
  }
  const value = (name: string): string | undefined => config.parameters[name]?.stringValue;
  const isPoolGlobal = parseBoolean(backendConfig.get(GLOBAL_POOL) ?? 'false');
  const threads = (name: string): number | undefined => {
    const fallback = backendConfig.get(name);
    const text = isPoolGlobal ? fallback : (value(name) ?? fallback);
    const count = text === undefined ? 0 : parseIntegral(text);
    if (isTooManyThreads(count))
      throw onnxruntimeErrors.tooManyThreads({
        reason: tooManyThreads(`'${name}' of model ${config.name}`, count),
      });
    return count > 0 ? count : undefined;
  };
  const flag = (name: string): boolean | undefined => {
    const text = value(name);
    return text === undefined ? undefined : parseBoolean(text);
  };
  const settings: SessionSettings = {
    graphOptimizationLevel: optimizationLevel(config),
    executionMode: executionMode(value('execution_mode')),
    ...defined('intraOpNumThreads', threads('intra_op_thread_count')),
    ...defined('interOpNumThreads', threads('inter_op_thread_count')),
    ...defined('enableCpuMemArena', flag('enable_mem_arena')),
    ...defined('enableMemPattern', flag('enable_mem_pattern')),
    extra: { session: sessionEntries(config) },
  };
  return {
    settings,
    niceLevel: NICE_LEVELS[config.optimization?.priority ?? 'PRIORITY_DEFAULT'],
    notices: notices(config, backendConfig),
  };
}

function defined<K extends string, T>(key: K, value: T | undefined): Partial<Record<K, T>> {
  return value === undefined ? {} : ({ [key]: value } as Record<K, T>);
}

function optimizationLevel(config: ModelConfig): SessionSettings['graphOptimizationLevel'] {
  switch (config.optimization?.graph?.level) {
    case -1:
      return 'basic';
    case 1:
      return 'extended';
    case 2:
      return 'disabled';
    default:
      return 'all';
  }
}

function executionMode(text: string | undefined): SessionSettings['executionMode'] {
  const mode = text === undefined ? 0 : parseIntegral(text);
  if (mode === 0) return 'sequential';
  if (mode === 1) return 'parallel';
  throw onnxruntimeErrors.executionMode({ got: mode });
}

/**
 * Entries by their name without "session.", nested where the name has dots. Spinning is off unless the model asks for
 * it: spinning threads of several sessions take the cores from each other and from the engine thread.
 */
function sessionEntries(config: ModelConfig): Record<string, unknown> {
  const entries: Record<string, string> = {
    'session.intra_op.allow_spinning': '0',
    'session.inter_op.allow_spinning': '0',
  };
  for (const name of SESSION_ENTRIES) {
    const parameter = config.parameters[name];
    if (parameter !== undefined) entries[name] = parameter.stringValue;
  }
  return Object.fromEntries(
    Object.entries(entries).map(([name, text]) => [name.slice('session.'.length), text]),
  );
}

function notices(config: ModelConfig, backendConfig: ReadonlyMap<string, string>): string[] {
  const found = Object.entries(INEFFECTIVE)
    .filter(([name]) => config.parameters[name] !== undefined)
    .map(([name, reason]) => `parameter '${name}' has no effect: ${reason}`);
  if (backendConfig.has(GLOBAL_POOL)) {
    found.push(
      `backend option '${GLOBAL_POOL}': each instance has a pool of that size of its own, since onnxruntime-node has no process-wide thread pool`,
    );
  }
  if (Object.keys(config.ccModelFilenames).length > 0) {
    found.push(
      `'cc_model_filenames' has no effect: the compute capability of a device is not known to onnxruntime-node`,
    );
  }
  return found;
}
