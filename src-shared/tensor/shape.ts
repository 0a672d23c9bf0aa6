// Shapes as lists of dimensions, -1 for any size: counting, matching, printing, and how a reshape maps.
// Pure; nothing here knows about tensors' contents.

/** Any dimension size. */
const WILDCARD_DIM = -1;

/** Beyond every count that matters; a longer product would take the square of its length. */
const COUNT_CEILING = 2n ** 256n;

/**
 * Number of elements; undefined when a dimension is -1. The empty shape holds one. Exact as bigint up to 2^256, beyond
 * that some larger number.
 */
export function elementCount(dims: readonly number[]): bigint | undefined {
  if (dims.includes(WILDCARD_DIM)) return undefined;
  let count = 1n;
  for (const dim of dims) if (dim === 0 || count < COUNT_CEILING) count *= BigInt(dim);
  return count;
}

/**
 * Number of elements of a concrete shape; the empty one holds one. Beyond 2^53 only near the truth. Read by index: each request
 * comes here, and walking over a frozen list makes an object per element.
 */
export function concreteCount(shape: readonly number[]): number {
  let count = 1;
  for (let axis = 0; axis < shape.length; axis++) count *= shape[axis] as number;
  return count;
}

/** Whether a concrete shape fits a pattern in which -1 accepts any size, 0 included. */
export function matchesShape(shape: readonly number[], pattern: readonly number[]): boolean {
  return (
    shape.length === pattern.length &&
    pattern.every((dim, index) => dim === WILDCARD_DIM || dim === shape[index])
  );
}

/** Whether two patterns can describe the same tensor: equal ranks, and equal dims where neither is -1. */
export function areCompatible(left: readonly number[], right: readonly number[]): boolean {
  return (
    left.length === right.length &&
    left.every((dim, index) => dim === right[index] || dim === WILDCARD_DIM || right[index] === WILDCARD_DIM)
  );
}

/** `[-1,16]`, without blanks, as messages print shapes. */
export function formatShape(dims: readonly number[]): string {
  return `[${dims.join(',')}]`;
}

/** Complete shape of a tensor: dims, with -1 in front for a model that batches. */
export function withBatchDim(dims: readonly number[], maxBatchSize: number): readonly number[] {
  return maxBatchSize > 0 ? [WILDCARD_DIM, ...dims] : dims;
}

/** Why a shape cannot take the place of another: sizes differ, or the counts of wildcards do. */
export type ReshapeProblem = 'size' | 'variable-count';

/**
 * Why `reshape` cannot stand in for `dims`; undefined when it can. With wildcards both sides need equally many, and
 * the products of the fixed runs before, between and after them must agree pairwise.
 */
export function reshapeProblem(
  dims: readonly number[],
  reshape: readonly number[],
): ReshapeProblem | undefined {
  const dimsCount = elementCount(dims);
  const reshapeCount = elementCount(reshape);
  if (dimsCount !== reshapeCount) return 'size';
  if (dimsCount !== undefined) return undefined;
  const dimsRuns = fixedRuns(dims);
  const reshapeRuns = fixedRuns(reshape);
  if (dimsRuns.length !== reshapeRuns.length) return 'variable-count';
  return dimsRuns.every((run, index) => run === reshapeRuns[index]) ? undefined : 'size';
}

/** Products of the runs of fixed dims that wildcards separate; one more than there are wildcards. */
function fixedRuns(dims: readonly number[]): bigint[] {
  const runs = [1n];
  for (const dim of dims) {
    if (dim === WILDCARD_DIM) runs.push(1n);
    else runs[runs.length - 1] = (runs.at(-1) ?? 1n) * BigInt(dim);
  }
  return runs;
}

/**
 * The concrete shape on the other side of a reshape: wildcards of `to` take, in order, the sizes that `shape` has at
 * the wildcards of `from`. `shape` must match `from`.
 */
export function mapReshape(
  shape: readonly number[],
  from: readonly number[],
  to: readonly number[],
): readonly number[] {
  const sizes = shape.filter((_, index) => from[index] === WILDCARD_DIM);
  let next = 0;
  return to.map((dim) => (dim === WILDCARD_DIM ? (sizes[next++] ?? WILDCARD_DIM) : dim));
}
