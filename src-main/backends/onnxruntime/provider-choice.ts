// Which execution providers an instance tries, and in what order: requested accelerators first, then the providers of
// its kind, the CPU last. Unknown accelerators are refused; accelerators this build lacks lead to the next choice,
// with the reason kept for the notice.

import type { Accelerator, ModelConfig } from '../../../src-shared/config/model-config.ts';
import type { InstanceSpec } from '../../inference/backend.ts';
import { checkUnsigned, parseBoolean } from './config-values.ts';
import { onnxruntimeErrors } from './onnxruntime-errors.ts';
import type { ProviderChoice } from './session-messages.ts';
import { isPassedToTensorRt, TENSORRT_PARAMETERS } from './tensorrt-environment.ts';

/** What a KIND_GPU instance does where no GPU provider works. */
export type GpuPolicy = 'fallback' | 'strict';

/** Which execution providers are tried for an instance, and what is said about it. */
export interface ProviderPlan {
  /** Lists of providers to try, first to last; each ends with the CPU. */
  readonly attempts: readonly (readonly ProviderChoice[])[];
  readonly notices: readonly string[];
}

const CPU: ProviderChoice = { name: 'cpu' };
/** GPU providers by preference: each maker's own, then the one that runs anywhere. */
export const DEFAULT_GPU_PROVIDERS: readonly string[] = ['cuda', 'dml', 'coreml', 'webgpu'];
const GPU_ACCELERATORS = ['tensorrt', 'cuda', 'webgpu', 'dml', 'coreml'];
/** Those that take the id of a device; the others use the one that the system prefers. */
const WITH_DEVICE_ID = new Set(['cuda', 'tensorrt', 'dml']);
const CUDA_FLAGS = ['do_copy_in_default_stream', 'use_ep_level_unified_stream'];
const PRECISION_MODES = ['FP32', 'FP16', 'BF16', 'INT8'];

/** Backend option of ours: GPU providers in the order in which they are tried, separated by commas or blanks. */
const GPU_PROVIDERS_OPTION = 'gpu-providers';

/** Providers that the backend option names; empty where it does not say. Throws INVALID_ARG for a name that is none. */
export function namedGpuProviders(backendConfig: ReadonlyMap<string, string>): readonly string[] {
  const names = (backendConfig.get(GPU_PROVIDERS_OPTION) ?? '').split(/[\s,]+/).filter((name) => name !== '');
  const unknown = names.find((name) => !GPU_ACCELERATORS.includes(name));
  if (unknown !== undefined) {
    throw onnxruntimeErrors.unknownProvider({
      option: GPU_PROVIDERS_OPTION,
      name: unknown,
      expected: GPU_ACCELERATORS.join(', '),
    });
  }
  return names;
}

/** Execution providers of the machine and of the server, by name: what does not follow from the model. */
export interface ProviderOffer {
  /** Those that this machine can load. */
  readonly available: ReadonlySet<string>;
  readonly policy: GpuPolicy;
  /** Those that a GPU instance tries after what its configuration asks for. */
  readonly order: readonly string[];
  /** Those that are not tried, with the reason; default none. */
  readonly leftOut?: ReadonlyMap<string, string>;
}

/**
 * Throws INVALID_ARG for unknown accelerators and parameters, and for a KIND_GPU instance without any GPU provider under
 * the strict policy.
 */
export function planProviders(
  config: ModelConfig,
  spec: InstanceSpec,
  { available, policy, order, leftOut = new Map() }: ProviderOffer,
): ProviderPlan {
  const lists = config.optimization?.executionAccelerators;
  refuseCpuAccelerators(config);
  if (spec.kind !== 'KIND_GPU') return { attempts: [[CPU]], notices: [] };
  const notices: string[] = [];
  const requested = (lists?.gpuExecutionAccelerator ?? []).map((accelerator) => {
    notices.push(...checkAccelerator(accelerator));
    return accelerator.name;
  });
  const names = [...new Set([...requested, ...order])];
  for (const name of requested.filter((entry) => !available.has(entry))) {
    notices.push(`execution accelerator '${name}' is not available on this machine`);
  }
  const found = names.filter((name) => available.has(name));
  for (const name of found.filter((entry) => leftOut.has(entry))) {
    notices.push(`'${name}' is left out for this model: ${leftOut.get(name) ?? ''}`);
  }
  const usable = found.filter((name) => !leftOut.has(name));
  const choice = (name: string): ProviderChoice =>
    WITH_DEVICE_ID.has(name) ? { name, deviceId: Math.max(0, spec.deviceId) } : { name };
  // What TensorRT cannot run goes to CUDA; other pairs would copy between devices that know nothing of each other.
  const gpuAttempts = usable.map((name) => [
    choice(name),
    ...(name === 'tensorrt' && usable.includes('cuda') ? [choice('cuda')] : []),
    CPU,
  ]);
  if (policy === 'strict') {
    if (gpuAttempts.length === 0) throw noGpu(config, spec, notices);
    return { attempts: gpuAttempts, notices };
  }
  return { attempts: [...gpuAttempts, [CPU]], notices };
}

/** What can be said of accelerators without knowing the machine; throws INVALID_ARG as planProviders does. */
export function checkAccelerators(config: ModelConfig): string[] {
  refuseCpuAccelerators(config);
  if (!config.instanceGroup.some(({ kind }) => kind === 'KIND_GPU')) return [];
  return (config.optimization?.executionAccelerators?.gpuExecutionAccelerator ?? []).flatMap(
    checkAccelerator,
  );
}

function refuseCpuAccelerators({ optimization }: ModelConfig): void {
  const [first] = optimization?.executionAccelerators?.cpuExecutionAccelerator ?? [];
  if (first !== undefined) throw unknownAccelerator(first.name);
}

function noGpu(config: ModelConfig, spec: InstanceSpec, notices: readonly string[]): Error {
  const group = spec.name.replace(/_\d+$/, '');
  return onnxruntimeErrors.noGpu({
    group,
    model: config.name,
    notices: notices.map((notice) => `; ${notice}`).join(''),
  });
}

function unknownAccelerator(name: string): Error {
  return onnxruntimeErrors.unknownAccelerator({ name });
}

/** Checks name and parameters; returns what will not have an effect. */
function checkAccelerator({ name, parameters }: Accelerator): string[] {
  if (!GPU_ACCELERATORS.includes(name)) throw unknownAccelerator(name);
  for (const [key, value] of Object.entries(parameters)) {
    if (name === 'tensorrt') checkTensorRtParameter(key, value);
    if (name === 'cuda' && CUDA_FLAGS.includes(key)) parseBoolean(value);
  }
  const lost = Object.entries(parameters).filter(
    ([key, value]) => name !== 'tensorrt' || !isPassedToTensorRt(key, value),
  );
  return lost.map(
    ([key]) =>
      `parameter '${key}' of execution accelerator '${name}' has no effect: onnxruntime-node passes only the device id`,
  );
}

function checkTensorRtParameter(key: string, value: string): void {
  if (!TENSORRT_PARAMETERS.has(key)) {
    throw onnxruntimeErrors.unknownTensorRtParameter({ key });
  }
  if (key === 'precision_mode' && !PRECISION_MODES.includes(value)) {
    throw onnxruntimeErrors.precisionMode({ given: value });
  }
  if (key === 'max_workspace_size_bytes') checkUnsigned(value);
}
