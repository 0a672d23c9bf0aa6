// The payload schedulers build: requests that will execute together. It can grow until an instance takes it.
// States: open (being filled) -> queued (in a payload queue, may still grow) -> executing -> released.
// A payload merged into another one goes straight to released, without its requests.

import type { BatchCloseReason, Payload } from '../inference/execution.ts';
import type { InferenceRequest } from '../inference/inference-request.ts';

/**
 * open: requests may still join; queued: it waits for its instance; executing: the instance has it; released: all are
 * answered.
 */
export type PayloadState = 'open' | 'queued' | 'executing' | 'released';

const NONE: readonly InferenceRequest[] = [];
const isCancelled = (request: InferenceRequest): boolean => request.isCancelled;

/**
 * Holds at least one request once it is queued. `batchSize` is the sum of the rows of `requests`, cancelled ones
 * included until they are dropped.
 */
export class BatchPayload implements Payload {
  requests: InferenceRequest[] = [];
  batchSize = 0;
  closeReason: BatchCloseReason;
  state: PayloadState = 'open';
  /** False: must not be joined with the payload behind it (inputs differ, a hook refused, direct sequences). */
  isMergeable = true;
  /** Earliest batcher start of its requests, the age that late merging looks at. */
  oldestBatcherStartNs = Number.POSITIVE_INFINITY;
  /** Cancelled requests are answered instead of executed; rows that must keep their place are never dropped. */
  dropsCancelled = false;
  /** Requests left waiting in the scheduler when the payload last grew. */
  queueLength = 0;
  /** As in Payload; set when it starts. */
  nextCount: (() => number) | undefined;
  /** Runs right before execute (implicit state). A throw answers the whole payload with that error. */
  prepare: (() => void) | undefined;
  /** Runs when execute has returned and the instance is about to take the next payload. */
  onDone: (() => void) | undefined;

  constructor(closeReason: BatchCloseReason) {
    this.closeReason = closeReason;
  }

  /** True while requests may be added. */
  get canGrow(): boolean {
    return this.state === 'open' || this.state === 'queued';
  }

  /** Only while it can grow. Nobody checks here whether the request fits. */
  add(request: InferenceRequest): void {
    this.requests.push(request);
    this.batchSize += Math.max(1, request.batchSize);
    const startNs = request.times.batcherStartNs;
    if (startNs < this.oldestBatcherStartNs) this.oldestBatcherStartNs = startNs;
  }

  /** Takes the cancelled requests out. */
  takeCancelled(): readonly InferenceRequest[] {
    if (!this.requests.some(isCancelled)) return NONE;
    const cancelled = this.requests.filter(isCancelled);
    this.requests = this.requests.filter((request) => !request.isCancelled);
    this.batchSize = this.requests.reduce((sum, request) => sum + Math.max(1, request.batchSize), 0);
    return cancelled;
  }

  /** Takes over all requests of a queued payload. */
  absorb(follower: BatchPayload): void {
    for (const request of follower.requests) this.add(request);
    this.closeReason = follower.closeReason;
    this.isMergeable = follower.isMergeable;
    this.queueLength = follower.queueLength;
    follower.state = 'released';
  }
}
