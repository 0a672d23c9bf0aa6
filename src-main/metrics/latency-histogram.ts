// Log-linear latency histogram: 128 buckets per power of two of microseconds, so that every bucket is narrower than
// 1 % of its value from 1 us to 134 s. Recording is two integer operations and one increment; readers take
// differences of the cumulative counts, so that any number of them can watch one histogram.

const SUB_BITS = 7;
const SUB_COUNT = 1 << SUB_BITS;
const MAX_US = 2 ** 27 - 1;
const BUCKET_COUNT = bucketOf(MAX_US) + 1;

function bucketOf(us: number): number {
  const shift = us < 2 * SUB_COUNT ? 0 : 31 - Math.clz32(us) - SUB_BITS;
  return shift * SUB_COUNT + (us >>> shift);
}

/** Largest value in us that falls into the bucket. */
function bucketTopUs(bucket: number): number {
  if (bucket < 2 * SUB_COUNT) return bucket;
  const shift = Math.floor(bucket / SUB_COUNT) - 1;
  return (bucket - shift * SUB_COUNT + 1) * 2 ** shift - 1;
}

/** Counts of the non-empty buckets: `[bucket, count, bucket, count, ...]`, buckets ascending. Survives a port. */
export type SparseHistogram = readonly number[];

export class LatencyHistogram {
  readonly #counts = new Float64Array(BUCKET_COUNT);

  /** Negative durations count as 0, longer ones than 134 s as 134 s. */
  record(durationNs: number): void {
    const us = durationNs <= 0 ? 0 : Math.min(durationNs / 1000, MAX_US) >>> 0;
    const bucket = bucketOf(us);
    this.#counts[bucket] = (this.#counts[bucket] ?? 0) + 1;
  }

  /** Everything since creation. */
  total(): SparseHistogram {
    return new HistogramReader(this).next();
  }

  countAt(bucket: number): number {
    return this.#counts[bucket] ?? 0;
  }
}

/** One watcher of a histogram: each `next()` returns what was recorded since the one before. */
export class HistogramReader {
  readonly #source: LatencyHistogram;
  readonly #seen = new Float64Array(BUCKET_COUNT);

  constructor(source: LatencyHistogram) {
    this.#source = source;
  }

  next(): SparseHistogram {
    const sparse: number[] = [];
    for (let bucket = 0; bucket < BUCKET_COUNT; bucket += 1) {
      const count = this.#source.countAt(bucket);
      const added = count - (this.#seen[bucket] ?? 0);
      if (added === 0) continue;
      sparse.push(bucket, added);
      this.#seen[bucket] = count;
    }
    return sparse;
  }
}

export function mergeHistograms(histograms: readonly SparseHistogram[]): SparseHistogram {
  const counts = new Map<number, number>();
  for (const sparse of histograms) {
    for (let at = 0; at + 1 < sparse.length; at += 2) {
      const bucket = sparse[at] ?? 0;
      counts.set(bucket, (counts.get(bucket) ?? 0) + (sparse[at + 1] ?? 0));
    }
  }
  return [...counts].sort((a, b) => a[0] - b[0]).flat();
}

export function histogramCount(sparse: SparseHistogram): number {
  let count = 0;
  for (let at = 1; at < sparse.length; at += 2) count += sparse[at] ?? 0;
  return count;
}

/**
 * Values in us below or at which the given shares (0..100) of the recorded durations lie; undefined when empty.
 * 100 gives the maximum.
 */
export function histogramPercentiles(
  sparse: SparseHistogram,
  percentiles: readonly number[],
): number[] | undefined {
  const count = histogramCount(sparse);
  if (count === 0) return undefined;
  return percentiles.map((percentile) => {
    const rank = Math.max(1, Math.ceil((percentile / 100) * count));
    let passed = 0;
    for (let at = 0; at + 1 < sparse.length; at += 2) {
      passed += sparse[at + 1] ?? 0;
      if (passed >= rank) return bucketTopUs(sparse[at] ?? 0);
    }
    return MAX_US;
  });
}
