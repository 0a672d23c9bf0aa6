// Whether two providers gave the same outputs for the same inputs. Floats are compared with the largest value of the
// output: sums in another order differ most where values nearly cancel out, which is no fault.

import type { TrialOutput } from '../../../../src-shared/contract/gpu-trial.ts';
import type { NativeTensor } from '../native-ort.ts';
import { decodeElements } from '../../../tensor/value-codec.ts';

/** Share of the largest value; GPUs multiply FP32 with as few as ten bits of fraction (TF32). */
const ALLOWED_FLOAT = 0.01;
const ALLOWED_HALF = 0.03;
/** Share of whole numbers that may differ: where two scores are equal, their order is open. */
const ALLOWED_WHOLE = 0.01;

type Outputs = Readonly<Record<string, NativeTensor>>;

/** `cpu` says what is right. An output of other type, shape or length differs by Infinity. */
export function compareOutputs(cpu: Outputs, gpu: Outputs): TrialOutput[] {
  return Object.entries(cpu).map(([name, expected]) => {
    const { type } = expected;
    const isFloat = type === 'float32' || type === 'float64';
    const isHalf = type === 'float16';
    const actual = gpu[name];
    const allowed = isFloat ? ALLOWED_FLOAT : isHalf ? ALLOWED_HALF : ALLOWED_WHOLE;
    if (actual === undefined || !isAlike(expected, actual)) return { name, difference: Infinity, allowed };
    const [right, seen] = [elements(expected), elements(actual)];
    const difference =
      isFloat || isHalf ? largestGap(right as number[], seen as number[]) : share(right, seen);
    return { name, difference, allowed };
  });
}

/** One entry per output: the worst of several runs. */
export function worstOf(outputs: readonly TrialOutput[]): TrialOutput[] {
  const byName = new Map<string, TrialOutput>();
  for (const output of outputs) {
    const known = byName.get(output.name);
    if (known === undefined || known.difference < output.difference) byName.set(output.name, output);
  }
  return [...byName.values()];
}

function isAlike(a: NativeTensor, b: NativeTensor): boolean {
  return (
    a.type === b.type && a.dims.length === b.dims.length && a.dims.every((dim, at) => dim === b.dims[at])
  );
}

function elements({ type, data }: NativeTensor): ArrayLike<number | bigint | string> {
  if (type !== 'float16') return data as ArrayLike<number | bigint | string>;
  const { buffer, byteOffset, byteLength } = data as Uint16Array;
  return decodeElements(new Uint8Array(buffer, byteOffset, byteLength), 'FP16', Infinity) as number[];
}

/** Largest distance as a share of the largest magnitude of `right`; what is no number must be so on both sides. */
function largestGap(right: ArrayLike<number>, seen: ArrayLike<number>): number {
  let gap = 0;
  let magnitude = 0;
  for (let at = 0; at < right.length; at += 1) {
    const [a = 0, b = 0] = [right[at], seen[at]];
    if (Object.is(a, b)) continue;
    if (!Number.isFinite(a) || !Number.isFinite(b)) return Infinity;
    gap = Math.max(gap, Math.abs(a - b));
  }
  for (let at = 0; at < right.length; at += 1) {
    const size = Math.abs(right[at] ?? 0);
    if (Number.isFinite(size)) magnitude = Math.max(magnitude, size);
  }
  return gap === 0 ? 0 : gap / Math.max(magnitude, 1e-6);
}

function share(right: ArrayLike<unknown>, seen: ArrayLike<unknown>): number {
  let count = 0;
  for (let at = 0; at < right.length; at += 1) if (right[at] !== seen[at]) count += 1;
  return right.length === 0 ? 0 : count / right.length;
}
