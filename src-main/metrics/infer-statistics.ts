// Per-version inference statistics in the layout of the statistics extension (docs/reference/statistics.md).

export interface StatisticDuration {
  readonly count: number;
  readonly ns: number;
}

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

export interface ResponseStatisticsSnapshot {
  readonly computeInfer: StatisticDuration;
  readonly computeOutput: StatisticDuration;
  readonly success: StatisticDuration;
  readonly fail: StatisticDuration;
  readonly emptyResponse: StatisticDuration;
  readonly cancel: StatisticDuration;
}

export interface BatchStatisticsSnapshot {
  readonly batchSize: number;
  readonly computeInput: StatisticDuration;
  readonly computeInfer: StatisticDuration;
  readonly computeOutput: StatisticDuration;
}

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
