// What passes between schedulers and model instances, and what instances report for statistics.
// Schedulers and backends meet only here.

import type { FailureReason } from '../metrics/model-source.ts';
import type { InferenceRequest } from './inference-request.ts';

/** Why the batcher stopped filling a batch: recorded with every execution, shown by the batch doctor. */
export type BatchCloseReason =
  | 'full' // max_batch_size reached, or the next request would pass it
  | 'preferred' // a preferred size reached
  | 'delay' // the oldest request waited max_queue_delay
  | 'idle' // an instance was free and nothing justified waiting
  | 'shape' // the next request's inputs differ
  | 'priority' // collection restarted for a more urgent request
  | 'sequence' // a sequence batcher formed it
  | 'direct'; // no batching scheduler

/** Compute stamps of one execution, monotonic ns (docs/reference/statistics.md#stamps-of-an-execution). */
export interface ComputeTimes {
  readonly computeStartNs: number;
  readonly computeInputEndNs: number;
  readonly computeOutputStartNs: number;
  readonly computeEndNs: number;
}

/** One response of a decoupled request, for response_stats (docs/reference/statistics.md#statistics-of-responses). */
export interface ResponseReport {
  readonly index: number;
  readonly kind: 'success' | 'fail' | 'empty' | 'cancel';
  readonly inferNs: number;
  readonly outputNs: number;
}

/** Statistics intake of one model version. Null requests are ignored by the receiver. */
export interface ExecutionReporter {
  /** Once per request that reached the backend. */
  request(request: InferenceRequest, isSuccess: boolean, times: ComputeTimes, reason?: FailureReason): void;
  /** Once per execution, unless every request of it failed. `batchSize` counts null rows. */
  execution(batchSize: number, times: ComputeTimes): void;
  /** Once per response of a decoupled request, empty ones included. */
  response(request: InferenceRequest, report: ResponseReport): void;
}

/** Requests that execute together. */
export interface Payload {
  readonly requests: readonly InferenceRequest[];
  /** Sum of max(1, batchSize). */
  readonly batchSize: number;
  readonly closeReason: BatchCloseReason;
  /** Requests that wait to execute next and that more may join; Infinity when none may, 0 when none waits. */
  readonly nextCount?: (() => number) | undefined;
}

/** One execution as history and the batch doctor see it. */
export interface ExecutionRecord {
  readonly atWallMs: number;
  readonly instanceName: string;
  readonly requestCount: number;
  readonly batchSize: number;
  readonly closeReason: BatchCloseReason;
  /** Shapes of its first request, "image [1,3,224,224]", where the batch closed because the next one differed; else undefined. */
  readonly shapes: string | undefined;
  /** Requests left waiting when this batch was dispatched. */
  readonly queueLength: number;
  /** Age of the oldest request in the batch. */
  readonly oldestQueueNs: number;
  readonly inferNs: number;
}

/** One run of one step of an ensemble request. Times count from the start of the ensemble request. */
export interface EnsembleStepRecord {
  /** Position in `ensemble_scheduling.step`. */
  readonly stepIndex: number;
  readonly modelName: string;
  readonly modelVersion: string;
  /** Ordinal of the response of a decoupled step that led here; 0 without one. */
  readonly iteration: number;
  readonly startNs: number;
  readonly durationNs: number;
  readonly isSuccess: boolean;
}

/** One finished ensemble request, for the ensemble view. */
export interface EnsembleRunRecord {
  readonly atWallMs: number;
  readonly durationNs: number;
  readonly responseCount: number;
  /** Message of the failure, undefined on success. */
  readonly error: string | undefined;
  readonly steps: readonly EnsembleStepRecord[];
}
