// The GPUs that models can be placed on: adapters of the machine that an execution provider of ONNX Runtime really runs
// on, tried in a process of its own. Asked once, before the first model is loaded; a machine without adapters costs
// nothing. Software adapters count only where the configuration names their provider.

import type { GpuDevice } from '../src-shared/config/validation-context.ts';
import { getLogger } from './base/log.ts';
import type { GpuAdapter } from './gpu/gpu-adapter.ts';
import { adapterText } from './gpu/gpu-adapter.ts';
import { visibleGpus } from './gpu/visible-devices.ts';

const log = getLogger('server');

/** What a trial of a provider showed. */
export interface ProviderTrial {
  readonly isOk: boolean;
  readonly message: string;
  /** Undefined where the system does not tell. */
  readonly usesHardware?: boolean;
}

/** What is known when GPUs are looked for. */
export interface GpuDetection {
  readonly minComputeCapability: number;
  /** Providers that the configuration names, in its order; empty = `preferred`. */
  readonly named: readonly string[];
  /** Providers by preference where none is named. */
  readonly preferred: readonly string[];
  /** Adapters of the machine, software ones included. Asked once. */
  readonly adapters: () => Promise<readonly GpuAdapter[]>;
  /** Value of CUDA_VISIBLE_DEVICES. */
  readonly visibleDevices: string | undefined;
  /** Execution providers the ONNX runtime can load. */
  readonly loadable: () => Promise<ReadonlySet<string>>;
  /** Tries the provider in a process of its own, since it may end that. Resolves also when it fails. */
  readonly attempt: (provider: string) => Promise<ProviderTrial>;
}

/** The GPUs of the machine, and what reaches them. */
export interface GpuInventory {
  /** Everything that was found, usable or not. */
  readonly adapters: readonly GpuAdapter[];
  /** Usable ones, in ascending order of id; behind them those that only models in processes of their own can use. */
  readonly devices: readonly GpuDevice[];
  /** Providers that work here, in the order in which GPU instances try them. */
  readonly providers: readonly string[];
}

/** What is known of a machine where nothing was found, or nothing was looked for. */
export const NO_GPUS: GpuInventory = { adapters: [], devices: [], providers: [] };

/** Never rejects. Says in the log why an adapter is not used. */
export async function detectGpus(detection: GpuDetection): Promise<GpuInventory> {
  const adapters = await detection.adapters();
  const isNamed = detection.named.length > 0;
  const none: GpuInventory = { ...NO_GPUS, adapters };
  if (!isNamed && adapters.every(({ kind }) => kind === 'software')) return none;
  const loadable = await detection.loadable();
  const providers: string[] = [];
  let devices: readonly GpuDevice[] = [];
  for (const provider of isNamed ? detection.named : detection.preferred) {
    // Where nobody chose, the first one that works is enough; others would only lengthen the start.
    if (!isNamed && providers.length > 0) break;
    const candidates = devicesFor(provider, adapters, detection);
    if (candidates.length === 0) continue;
    if (!loadable.has(provider)) {
      noteMissing(provider, candidates);
      continue;
    }
    const trial = await detection.attempt(provider);
    const refusal = refusalOf(trial, isNamed);
    if (refusal !== undefined) {
      log.info(`GPU provider '${provider}' is not used: ${refusal}`);
      continue;
    }
    providers.push(provider);
    if (devices.length === 0) devices = candidates;
  }
  for (const { id, name, provider } of devices) log.info(`GPU ${id}: ${name} through ${provider}`);
  return { adapters, devices: withProcesses(devices, cudaDevices(adapters, detection, 'cuda')), providers };
}

/** Models in processes of their own need NVIDIA's driver alone. */
function withProcesses(devices: readonly GpuDevice[], byCuda: readonly GpuDevice[]): readonly GpuDevice[] {
  const [first] = devices;
  if (byCuda.length === 0 || first?.provider === 'cuda' || first?.provider === 'tensorrt') return devices;
  for (const { id, name } of byCuda)
    log.info(`GPU ${id}: ${name}, for models in processes of their own (Python, PyTorch)`);
  return [...devices, ...byCuda.map((device) => ({ ...device, isForProcessesOnly: true }))];
}

/** undefined = the provider is used. */
function refusalOf({ isOk, message, usesHardware }: ProviderTrial, isNamed: boolean): string | undefined {
  if (!isOk) return message;
  if (isNamed || usesHardware !== false) return undefined;
  return 'it computes on the processor here, so it is used only where it is named';
}

/** Devices that the provider would run on: CUDA numbers them, the others use the one that the system prefers. */
function devicesFor(
  provider: string,
  adapters: readonly GpuAdapter[],
  detection: GpuDetection,
): readonly GpuDevice[] {
  if (provider === 'cuda' || provider === 'tensorrt') return cudaDevices(adapters, detection, provider);
  const { named } = detection;
  const hardware = adapters.filter(({ kind }) => kind !== 'software');
  const usable = provider === 'webgpu' ? hardware.filter(({ hasWebGpu }) => hasWebGpu) : hardware;
  const isNamed = named.includes(provider);
  const [first] = [...usable.sort(byKind), ...(isNamed ? adapters : [])];
  if (first !== undefined) return [{ id: 0, name: adapterText(first), provider }];
  return isNamed ? [{ id: 0, name: 'an adapter that the system does not list', provider }] : [];
}

function cudaDevices(
  adapters: readonly GpuAdapter[],
  { minComputeCapability, visibleDevices }: GpuDetection,
  provider: string,
): readonly GpuDevice[] {
  const numbered = adapters.flatMap(({ cuda, ...rest }) =>
    cuda === undefined ? [] : [{ ...cuda, name: adapterText({ cuda, ...rest }) }],
  );
  return visibleGpus(numbered, visibleDevices).flatMap(({ name, capability }, id) =>
    capability >= minComputeCapability ? [{ id, name, provider }] : [],
  );
}

/** The order in which the systems prefer them when they are asked for speed. */
function byKind(a: GpuAdapter, b: GpuAdapter): number {
  const order = ['discrete', 'unknown', 'integrated', 'software'];
  return order.indexOf(a.kind) - order.indexOf(b.kind);
}

function noteMissing(provider: string, candidates: readonly GpuDevice[]): void {
  if (provider !== 'cuda' && provider !== 'tensorrt') return;
  log.info(
    `${candidates.length} GPU(s) found, but ONNX Runtime's ${provider === 'cuda' ? 'CUDA' : 'TensorRT'} libraries are ` +
      "not installed: fetch them with 'conch gpu install'",
  );
}
