// Decides which waiting requests form or join a batch now. Pure: the queue is only read, time is an argument.
// The order of the checks is Triton's, because it decides which of several possible batches is made.

import type { BatchCloseReason } from '../inference/execution.ts';
import type { InferenceRequest } from '../inference/inference-request.ts';
import type { InputComparison } from './input-comparison.ts';
import type { QueueEntry } from './request-queue.ts';

/** The `dynamic_batching` of a configuration, as the policy reads it. Sizes are rows, not requests. */
export interface BatchRules {
  readonly preferred: ReadonlySet<number>;
  /** Largest preferred size, 0 without any. */
  readonly maxPreferred: number;
  /** At least 1. */
  readonly maxBatchSize: number;
  /** 0 = never hold requests back. */
  readonly delayNs: number;
  readonly comparison: InputComparison;
}

/** The batch being filled; size 0 = a new one. */
export interface OpenBatch {
  readonly batchSize: number;
  /** Its first request, the reference for input comparison. */
  readonly reference: InferenceRequest | undefined;
}

/** Requests in service order. */
export interface WaitingRequests {
  /** The one that is served next; undefined = nobody waits. */
  first(): QueueEntry | undefined;
  /** The one behind `entry`, which must still wait; undefined behind the last one. */
  next(entry: QueueEntry): QueueEntry | undefined;
}

/** How far collecting came while it had to wait; lets the next call go on from there. */
export interface CollectCursor {
  readonly last: QueueEntry;
  readonly count: number;
  readonly batchSize: number;
  readonly oldestStartNs: number;
  readonly nearestDeadlineNs: number;
  readonly reference: InferenceRequest;
}

/** What to do with the queue now. */
export interface CollectDecision {
  /** Requests to dispatch from the head of the service order; 0 = none now. */
  readonly count: number;
  /** Look again after this long; 0 = only when something changes. */
  readonly waitNs: number;
  /** No request may be added to the batch any more. */
  readonly isSaturated: boolean;
  /** False: the batch must not be joined with the one behind it. */
  readonly isMergeable: boolean;
  readonly closeReason: BatchCloseReason;
  /** Set while waiting. */
  readonly cursor: CollectCursor | undefined;
}

/** The rules of one model, worked out once; the delay is in nanoseconds. */
export function batchRules(options: {
  readonly preferredBatchSize: readonly number[];
  readonly maxBatchSize: number;
  readonly delayNs: number;
  readonly comparison: InputComparison;
}): BatchRules {
  return {
    preferred: new Set(options.preferredBatchSize),
    maxPreferred: Math.max(0, ...options.preferredBatchSize),
    maxBatchSize: Math.max(1, options.maxBatchSize),
    delayNs: options.delayNs,
    comparison: options.comparison,
  };
}

/** Walks the waiting requests until something ends the batch. */
class Collection {
  readonly rules: BatchRules;
  readonly open: OpenBatch;
  count = 0;
  batchSize = 0;
  oldestStartNs = Number.POSITIVE_INFINITY;
  nearestDeadlineNs = Number.POSITIVE_INFINITY;
  reference: InferenceRequest | undefined;
  last: QueueEntry | undefined;
  bestCount = 0;
  bestSize = 0;
  isSaturated = false;
  /** What ended the batch before the queue did. */
  stop: 'full' | 'shape' | undefined;

  constructor(rules: BatchRules, open: OpenBatch, cursor: CollectCursor | undefined) {
    this.rules = rules;
    this.open = open;
    this.reference = open.reference;
    if (cursor === undefined) return;
    this.count = cursor.count;
    this.batchSize = cursor.batchSize;
    this.oldestStartNs = cursor.oldestStartNs;
    this.nearestDeadlineNs = cursor.nearestDeadlineNs;
    this.last = cursor.last;
    this.reference = open.reference ?? cursor.reference;
  }

  walk(queue: WaitingRequests): void {
    const { rules, open } = this;
    const { preferred, maxPreferred, maxBatchSize, comparison } = rules;
    let entry = this.last === undefined ? queue.first() : queue.next(this.last);
    for (; entry !== undefined; entry = queue.next(entry)) {
      const { request } = entry;
      const rows = Math.max(1, request.batchSize);
      if (open.batchSize > 0 || this.count > 0) {
        const total = open.batchSize + this.batchSize + rows;
        if (total > maxPreferred && this.bestCount === 0) {
          this.#markBest();
          this.isSaturated = true;
        }
        if (total > maxBatchSize) this.stop = 'full';
        else if (comparison.isNeeded && !this.#fits(request)) this.stop = 'shape';
      }
      if (this.stop !== undefined) return;
      this.#pass(entry, rows);
      if (preferred.has(open.batchSize + this.batchSize)) this.#markBest();
    }
  }

  #fits(request: InferenceRequest): boolean {
    return this.reference === undefined || this.rules.comparison.same(this.reference, request);
  }

  #pass(entry: QueueEntry, rows: number): void {
    this.reference ??= entry.request;
    this.count += 1;
    this.batchSize += rows;
    this.last = entry;
    const startNs = entry.request.times.batcherStartNs;
    if (startNs < this.oldestStartNs) this.oldestStartNs = startNs;
    if (entry.deadlineNs < this.nearestDeadlineNs) this.nearestDeadlineNs = entry.deadlineNs;
  }

  #markBest(): void {
    this.bestCount = this.count;
    this.bestSize = this.batchSize;
  }
}

/**
 * What to do with the waiting requests now. `cursor` may come from an earlier decision as long as the queue's
 * `restartCount` and the open batch are the same; `include` is the custom strategy's word on each further request.
 */
export function collect(
  queue: WaitingRequests,
  rules: BatchRules,
  open: OpenBatch,
  nowNs: number,
  cursor?: CollectCursor,
): CollectDecision {
  const found = new Collection(rules, open, cursor);
  found.walk(queue);
  const { delayNs, maxPreferred } = rules;
  const isExceeded = delayNs !== 0 && nowNs - found.oldestStartNs >= delayNs;
  if (found.bestCount !== 0 && !isExceeded) {
    const total = open.batchSize + found.bestSize;
    const isSaturated = found.isSaturated || delayNs === 0;
    return dispatch(found, found.bestCount, isSaturated, reasonOf(rules, total, undefined, 'preferred'));
  }
  const total = open.batchSize + found.batchSize;
  if (found.count === 0) {
    // Nothing can join: an open batch that the next request was refused from is closed for good.
    return dispatch(found, 0, found.isSaturated || found.stop !== undefined, found.stop ?? 'idle');
  }
  if (found.stop !== undefined || total >= maxPreferred) {
    return dispatch(found, found.count, true, reasonOf(rules, total, found.stop, 'preferred'));
  }
  if (isExceeded) return dispatch(found, found.count, found.isSaturated, 'delay');
  if (delayNs === 0) return dispatch(found, found.count, found.isSaturated, 'idle');
  if (open.batchSize !== 0 && !found.isSaturated && !rules.preferred.has(open.batchSize)) {
    return dispatch(found, found.count, found.isSaturated, 'idle');
  }
  return wait(found, nowNs);
}

function reasonOf(
  rules: BatchRules,
  total: number,
  stop: BatchCloseReason | undefined,
  otherwise: BatchCloseReason,
): BatchCloseReason {
  if (total >= rules.maxBatchSize) return 'full';
  return stop ?? otherwise;
}

function dispatch(
  found: Collection,
  count: number,
  isSaturated: boolean,
  closeReason: BatchCloseReason,
): CollectDecision {
  const isMergeable = found.stop !== 'shape';
  return { count, waitNs: 0, isSaturated, isMergeable, closeReason, cursor: undefined };
}

function wait(found: Collection, nowNs: number): CollectDecision {
  const ageNs = nowNs - found.oldestStartNs;
  const untilNs = Math.min(found.rules.delayNs - ageNs, found.nearestDeadlineNs - nowNs);
  const { last, reference, count, batchSize, oldestStartNs, nearestDeadlineNs } = found;
  const cursor =
    last === undefined || reference === undefined
      ? undefined
      : { last, reference, count, batchSize, oldestStartNs, nearestDeadlineNs };
  return {
    count: 0,
    waitNs: Math.max(1000, untilNs),
    isSaturated: found.isSaturated,
    isMergeable: true,
    closeReason: 'idle',
    cursor,
  };
}
