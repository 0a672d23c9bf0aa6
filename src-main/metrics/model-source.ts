// What the metrics need of a loaded model version. Implemented by whoever owns loaded models; the metrics never reach
// for the repository.

import type { ModelStatisticsSnapshot } from './infer-statistics.ts';

/** Label values of `reason`, in the order of the exposition. */
export const FAILURE_REASONS = ['REJECTED', 'CANCELED', 'BACKEND', 'OTHER'] as const;

/** Why a request failed, the label of nv_inference_request_failure. */
export type FailureReason = (typeof FAILURE_REASONS)[number];

/** Failed requests by the reason that Triton's metric has as a label. */
export type FailureCounts = Readonly<Record<FailureReason, number>>;

/** Counts to add to, of a model without a failed request. */
export function noFailures(): Record<FailureReason, number> {
  return { REJECTED: 0, CANCELED: 0, BACKEND: 0, OTHER: 0 };
}

/** A model version as the exposition sees it, asked at each scrape. */
export interface ModelMetricsSource {
  readonly name: string;
  /** Decimal text. */
  readonly version: string;
  /** Repository path, with model namespacing only. */
  readonly namespace?: string | undefined;
  /** `metric_tags` of the configuration. */
  readonly tags: Readonly<Record<string, string>>;
  /** The model's configuration enables the response cache; counted as 0 where the server has none. */
  readonly isCacheEnabled: boolean;
  /** Time the load took; 0 while it goes on, and for ensembles. */
  readonly loadSeconds: () => number;
  /** Bounds of the first-response histogram in ms; undefined = the default ones. */
  readonly histogramBoundsMs?: readonly number[] | undefined;
  /** Counters since this load. */
  readonly statistics: () => ModelStatisticsSnapshot;
  /** Since this load; live until the source is removed. */
  readonly failures: () => FailureCounts;
  /** Requests accepted and not yet executing. */
  readonly pendingCount: () => number;
}

/** Durations of one successful request in ns; undefined where a stage did not happen (cache hit). */
export interface ObservedDurations {
  readonly requestNs: number;
  readonly queueNs: number;
  readonly computeInputNs: number | undefined;
  readonly computeInferNs: number | undefined;
  readonly computeOutputNs: number | undefined;
}

/** Where a model reports each successful request; exists only while summaries are on. */
export interface ModelDurationObserver {
  /** Durations of a request that succeeded. */
  request(durations: ObservedDurations): void;
  /** `durationNs`: of the lookup. */
  cacheHit(durationNs: number): void;
  /** `durationNs`: of the lookup and of the insertion behind it. */
  cacheMiss(durationNs: number): void;
}

/** A published model version. */
export interface ModelMetricsHandle {
  /** Undefined unless summaries are on. */
  readonly durations: ModelDurationObserver | undefined;
  /** Undefined unless the first-response histogram is on. Takes ns from request start to first response. */
  readonly firstResponse: ((ns: number) => void) | undefined;
  /** The version is gone: its series leave the scrape, except those of failures. */
  release(): void;
}
