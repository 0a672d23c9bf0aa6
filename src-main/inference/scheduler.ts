// The three-verb scheduler every loaded model version has exactly one of (docs/reference/requests.md#which-scheduler).

import type { EnsembleRunRecord, ExecutionRecord } from './execution.ts';
import type { InferenceRequest } from './inference-request.ts';

/** Decides when requests of one model version run, and with which others. */
export interface Scheduler {
  /**
   * Takes a normalised request. Throws ServerError synchronously when it is refused (no response is sent, nothing is
   * counted); otherwise the request will be answered through its response callback and released.
   */
  enqueue(request: InferenceRequest): void;
  /** What draining waits for: queued requests plus open payloads; live sequences; unfinished ensemble requests. */
  readonly inflightCount: number;
  /** Requests waiting, not yet handed to an instance. */
  readonly queuedCount: number;
  /** Latest executions, oldest first (bounded history, for the UI). */
  recentExecutions(): readonly ExecutionRecord[];
  /** Ensembles only: latest requests with the times of their steps, oldest first (bounded history, for the UI). */
  recentRuns?(): readonly EnsembleRunRecord[];
  /** Refuse new work; what is in flight continues (docs/reference/requests.md#stopping). */
  stop(): void;
  /** Releases timers and instances' queues; call after draining. Answers what is left with UNAVAILABLE. */
  close(): Promise<void>;
}
