// Per-version inference statistics in the layout of the statistics extension (docs/reference/statistics.md).

/** `ns` is the sum over `count` events, in nanoseconds. */
export interface StatisticDuration {
  readonly count: number;
  readonly ns: number;
}

/**
 * InferStatistics of the extension. Counts requests, whatever their batch size; `success` is from the acceptance
 * of a request to its last response.
 */
export interface InferStatisticsSnapshot {
  readonly success: StatisticDuration;
  readonly fail: StatisticDuration;
  readonly queue: StatisticDuration;
  readonly computeInput: StatisticDuration;
  readonly computeInfer: StatisticDuration;
  readonly computeOutput: StatisticDuration;
  readonly cacheHit: StatisticDuration;
  readonly cacheMiss: StatisticDuration;
}

/** InferResponseStatistics of the extension: one for each place in the order of a decoupled request's responses. */
export interface ResponseStatisticsSnapshot {
  readonly computeInfer: StatisticDuration;
  readonly computeOutput: StatisticDuration;
  readonly success: StatisticDuration;
  readonly fail: StatisticDuration;
  readonly emptyResponse: StatisticDuration;
  readonly cancel: StatisticDuration;
}

/** InferBatchStatistics of the extension: counts executions with just this batch size. */
export interface BatchStatisticsSnapshot {
  readonly batchSize: number;
  readonly computeInput: StatisticDuration;
  readonly computeInfer: StatisticDuration;
  readonly computeOutput: StatisticDuration;
}

/** The statistics of one model version, copied; durations are nanoseconds. */
export interface ModelStatisticsSnapshot {
  readonly name: string;
  readonly version: string;
  readonly lastInferenceMs: number;
  readonly inferenceCount: number;
  readonly executionCount: number;
  readonly inference: InferStatisticsSnapshot;
  /** Key = response ordinal as text. */
  readonly responses: Readonly<Record<string, ResponseStatisticsSnapshot>>;
  readonly batches: readonly BatchStatisticsSnapshot[];
  readonly memoryUsage: readonly { readonly type: string; readonly id: number; readonly byteSize: number }[];
}
