// Latencies in microseconds from 1 us to 134 s, each kept to two digits (HdrHistogram: buckets narrower than 1 % of
// their value). A histogram only grows; readers take the differences, so that any number of them can watch one.

import { Float64Histogram } from './metric-library.ts';

const MAX_US = 2 ** 27 - 1;
const SIGNIFICANT_DIGITS = 2;

/** What was recorded: `[value, count, value, count, ...]`, values in us, ascending. Survives a port. */
export type SparseHistogram = readonly number[];

const emptyCounts = (): Float64Histogram => new Float64Histogram(1, MAX_US, SIGNIFICANT_DIGITS);

/** Counts one latency after another in fixed memory. */
export class LatencyHistogram {
  readonly counts = emptyCounts();

  /** Negative durations count as 0, longer ones than 134 s as 134 s. */
  record(durationNs: number): void {
    this.counts.recordValue(durationNs <= 0 ? 0 : Math.min(durationNs / 1000, MAX_US) >>> 0);
  }

  /** Everything since creation. */
  total(): SparseHistogram {
    return sparseOf(this.counts);
  }
}

/** One watcher of a histogram: each `next()` returns what was recorded since the one before. */
export class HistogramReader {
  readonly #source: LatencyHistogram;
  readonly #seen: Float64Array;

  constructor(source: LatencyHistogram) {
    this.#source = source;
    this.#seen = new Float64Array(source.counts.countsArrayLength);
  }

  /** Counts by bucket since the last call, or since the reader was made. */
  next(): SparseHistogram {
    return sparseOf(this.#source.counts, this.#seen);
  }
}

/** All values of several histograms as one. */
export function mergeHistograms(histograms: readonly SparseHistogram[]): SparseHistogram {
  return sparseOf(mergedCounts(histograms));
}

/** What was recorded between two totals of one histogram. */
export function subtractHistogram(after: SparseHistogram, before: SparseHistogram): SparseHistogram {
  const counts = new Map<number, number>();
  for (let at = 0; at + 1 < before.length; at += 2) counts.set(before[at] ?? 0, before[at + 1] ?? 0);
  const sparse: number[] = [];
  for (let at = 0; at + 1 < after.length; at += 2) {
    const bucket = after[at] ?? 0;
    const added = (after[at + 1] ?? 0) - (counts.get(bucket) ?? 0);
    if (added > 0) sparse.push(bucket, added);
  }
  return sparse;
}

/** How many values were recorded. */
export function histogramCount(sparse: SparseHistogram): number {
  let total = 0;
  forEachCount(sparse, (_us, count) => (total += count));
  return total;
}

/**
 * Values in us below or at which the given shares (0..100) of the recorded durations lie; undefined when empty.
 * 100 gives the maximum.
 */
export function histogramPercentiles(
  sparse: SparseHistogram,
  percentiles: readonly number[],
): number[] | undefined {
  if (sparse.length === 0) return undefined;
  const counts = mergedCounts([sparse]);
  return percentiles.map((percentile) => counts.getValueAtPercentile(percentile));
}

/** Only used within one call, so that merging every second allocates nothing. */
const scratch = emptyCounts();

function mergedCounts(histograms: readonly SparseHistogram[]): Float64Histogram {
  scratch.reset();
  for (const sparse of histograms)
    forEachCount(sparse, (us, count) => scratch.recordValueWithCount(us, count));
  return scratch;
}

/** By index, not by the library's iterator: readers look every second, and this is a hundred times faster. */
function sparseOf(counts: Float64Histogram, seen?: Float64Array): SparseHistogram {
  const sparse: number[] = [];
  for (let index = 0; index < counts.countsArrayLength; index += 1) {
    const count = counts.getCountAtIndex(index);
    if (count === 0) continue;
    const added = count - (seen?.[index] ?? 0);
    if (added === 0) continue;
    if (seen !== undefined) seen[index] = count;
    sparse.push(counts.highestEquivalentValue(counts.valueFromIndex(index)), added);
  }
  return sparse;
}

function forEachCount(sparse: SparseHistogram, visit: (us: number, count: number) => void): void {
  for (let at = 0; at + 1 < sparse.length; at += 2) visit(sparse[at] ?? 0, sparse[at + 1] ?? 0);
}
