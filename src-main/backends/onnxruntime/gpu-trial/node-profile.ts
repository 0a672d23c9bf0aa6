// Which provider ran each operator, read from the profile that ONNX Runtime writes (the trace format of Chromium: one
// event per kernel with its operator type, provider and duration in microseconds).

import type { TrialOperators } from '../../../../src-shared/contract/gpu-trial.ts';

interface ProfileEvent {
  readonly cat?: string;
  readonly name?: string;
  /** Start and length, in microseconds. */
  readonly ts?: number;
  readonly dur?: number;
  readonly args?: { readonly op_name?: string; readonly provider?: string };
}

const KERNEL = '_kernel_time';
const WHOLE_RUN = 'model_run';

/**
 * Sums of the last run by provider and operator type, most time first: the first run also makes shaders. Throws for text
 * that is no JSON.
 */
export function operatorsOf(profile: string): TrialOperators[] {
  const events = JSON.parse(profile) as readonly ProfileEvent[];
  const lastRun = events.findLast(({ name }) => name === WHOLE_RUN);
  const sums = new Map<string, { provider: string; opType: string; count: number; ms: number }>();
  for (const { cat, name = '', ts = 0, dur = 0, args } of events) {
    const isKernel = cat === 'Node' && name.endsWith(KERNEL) && args?.provider !== undefined;
    if (!isKernel || ts < (lastRun?.ts ?? 0)) continue;
    const provider = shortName(args.provider);
    const opType = args.op_name ?? '';
    const key = `${provider} ${opType}`;
    const sum = sums.get(key) ?? { provider, opType, count: 0, ms: 0 };
    sum.count += 1;
    sum.ms += dur / 1000;
    sums.set(key, sum);
  }
  return [...sums.values()].sort((a, b) => b.ms - a.ms);
}

/** "CUDAExecutionProvider" -> "cuda". */
function shortName(provider: string): string {
  const known: Readonly<Record<string, string>> = {
    JsExecutionProvider: 'webgpu',
    DmlExecutionProvider: 'dml',
    TensorrtExecutionProvider: 'tensorrt',
  };
  return known[provider] ?? provider.replace(/ExecutionProvider$/, '').toLowerCase();
}
