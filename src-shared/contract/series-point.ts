// One point of a model's history, as every chart of it uses it.

/** What is counted in a stretch of time. What has no unit in its name is a number of requests or executions. */
export interface SeriesCounts {
  readonly atMs: number;
  readonly bucketMs: number;
  readonly inferences: number;
  readonly executions: number;
  readonly successes: number;
  readonly failures: number;
  /** Refused by a full queue, or timed out in it. */
  readonly rejected: number;
  readonly timedOut: number;
  readonly cacheHits: number;
  readonly cacheMisses: number;
  /** Most requests at one time that waited, and that were under way. */
  readonly waiting: number;
  readonly inFlight: number;
}

/** One bucket of one model's history. Latencies come from merged histograms; undefined = no request in it. */
export interface SeriesPoint extends SeriesCounts {
  readonly p50Us: number | undefined;
  readonly p90Us: number | undefined;
  readonly p99Us: number | undefined;
  readonly maxUs: number | undefined;
  /** Means per request of this bucket. */
  readonly queueUs: number;
  readonly inputUs: number;
  readonly inferUs: number;
  readonly outputUs: number;
  /** Lookups and inserts of the response cache. */
  readonly cacheUs: number;
  /** What none of the parts above accounts for. */
  readonly overheadUs: number;
  /** Mean time of a lookup that hit; undefined without one. */
  readonly cacheLookupUs: number | undefined;
}
