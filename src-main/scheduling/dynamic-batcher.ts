// The dynamic batcher: a queue with policies, one open batch, and the decision (batch-policy.ts) which requests join
// it. It runs once per burst of events, in a microtask, never per request. A batch that was handed to the payload
// queue keeps growing until an instance takes it or it is saturated.
// The `oldest` strategy of sequences uses one batcher per instance (`slot`).

import type { Clock, Timer } from '../base/clock.ts';
import type { ExecutionRecord } from '../inference/execution.ts';
import type { InferenceRequest } from '../inference/inference-request.ts';
import { traceQueued } from '../inference/queue-trace.ts';
import type { Scheduler } from '../inference/scheduler.ts';
import type { StatisticsCollector } from '../inference/statistics-collector.ts';
import { ServerError } from '../../src-shared/errors.ts';
import type { BatchRules, CollectCursor, CollectDecision } from './batch-policy.ts';
import { collect } from './batch-policy.ts';
import { BatchPayload } from './batch-payload.ts';
import type { InstanceGroup } from './instance-group.ts';
import type { InstanceSlot } from './instance-slot.ts';
import type { ModelCache } from './model-cache.ts';
import { queueErrors } from './queue-errors.ts';
import type { QueuePolicy } from './queue-policy.ts';
import { failRequest, stoppingError } from './request-failure.ts';
import { RequestQueue } from './request-queue.ts';
import { ResponseOrderer } from './response-orderer.ts';

/** What a batcher works with. It closes the queues of the instances, unless `slot` says that they are shared. */
export interface DynamicBatcherOptions {
  readonly clock: Clock;
  readonly statistics: StatisticsCollector;
  readonly instances: InstanceGroup;
  /** Feed this instance alone (inner batcher of the `oldest` strategy). */
  readonly slot?: InstanceSlot | undefined;
  readonly rules: BatchRules;
  readonly preserveOrdering: boolean;
  readonly defaultPolicy: QueuePolicy;
  readonly levelPolicies: ReadonlyMap<bigint, QueuePolicy>;
  /** Formed batches may wait outside the queue (allowsPrefetch). */
  readonly canPrefetch: boolean;
  readonly cache?: ModelCache | undefined;
  /** Do nothing until this many requests are queued, once; 0 = off. */
  readonly delayUntilQueuedCount?: number;
}

/**
 * `enqueue` throws UNAVAILABLE when the queue is full or closing; what fails later is answered on the request.
 * Times are nanoseconds of the clock it is given.
 */
export class DynamicBatcher implements Scheduler {
  readonly #options: DynamicBatcherOptions;
  readonly #clock: Clock;
  readonly #queue: RequestQueue;
  readonly #orderer: ResponseOrderer | undefined;
  #open: BatchPayload | undefined;
  #cursor: CollectCursor | undefined;
  #cursorRestartCount = 0;
  #seenOvertakeCount = 0;
  #cancelled: InferenceRequest[] = [];
  #timer: Timer | undefined;
  #timerDueNs = Number.POSITIVE_INFINITY;
  #isWakePending = false;
  #isHolding: boolean;
  #isStopping = false;
  #isClosed = false;
  readonly #stopListening: () => void;
  readonly #run = (): void => this.#loop();

  constructor(options: DynamicBatcherOptions) {
    this.#options = options;
    this.#clock = options.clock;
    this.#isHolding = (options.delayUntilQueuedCount ?? 0) > 0;
    this.#orderer = options.preserveOrdering ? new ResponseOrderer() : undefined;
    this.#queue = new RequestQueue({
      defaultPolicy: options.defaultPolicy,
      levelPolicies: options.levelPolicies,
      onCancelled: (request) => {
        this.#cancelled.push(request);
        this.#wake();
      },
    });
    this.#stopListening = options.instances.addListener({
      capacityChanged: (slot) => {
        if (this.#queue.length > 0 && (options.slot === undefined || options.slot === slot)) this.#wake();
      },
    });
  }

  enqueue(request: InferenceRequest): void {
    if (this.#isStopping) throw stoppingError(request.logPrefix);
    const nowNs = this.#clock.nowNs();
    const { times } = request;
    if (times.queueStartNs === 0) {
      times.queueStartNs = nowNs;
      traceQueued(request, nowNs);
    }
    times.batcherStartNs = nowNs;
    const { cache, statistics } = this.#options;
    if (cache?.answer(request, (hit) => this.#orderer?.track(hit)) === true) return;
    try {
      this.#queue.enqueue(request, nowNs);
    } catch (full) {
      statistics.queueFullCount += 1;
      throw full;
    }
    statistics.enterPending(request);
    if (request.isCancelled) request.cancelObserver?.requestCancelled(request);
    this.#wake();
  }

  get inflightCount(): number {
    const { instances, slot } = this.#options;
    if (slot !== undefined) return this.queuedCount + (slot.current?.requests.length ?? 0);
    return this.#queue.length + instances.unfinishedRequestCount;
  }

  get queuedCount(): number {
    const { instances, slot } = this.#options;
    if (slot === undefined) return this.#queue.length + instances.waitingRequestCount;
    return this.#queue.length + (this.#open?.canGrow === true ? this.#open.requests.length : 0);
  }

  recentExecutions(): readonly ExecutionRecord[] {
    return this.#options.instances.recentExecutions();
  }

  stop(): void {
    this.#isStopping = true;
  }

  /** Answers what is still queued with UNAVAILABLE, and closes the instances' queues unless they are shared. */
  async close(): Promise<void> {
    this.#isStopping = true;
    this.#isClosed = true;
    this.#stopListening();
    this.#disarm();
    this.#answerCancelled();
    for (const request of this.#queue.drain()) this.#fail(request, stoppingError(request.logPrefix), 'OTHER');
    if (this.#options.slot === undefined) await this.#options.instances.close();
  }

  #wake(): void {
    if (this.#isWakePending) return;
    this.#isWakePending = true;
    queueMicrotask(this.#run);
  }

  #loop(): void {
    this.#isWakePending = false;
    if (this.#isClosed) return;
    if (this.#cancelled.length > 0) this.#answerCancelled();
    if (this.#isHolding) {
      if (this.#queue.length < (this.#options.delayUntilQueuedCount ?? 0)) return;
      this.#isHolding = false;
    }
    while (this.#queue.length > 0) {
      const nowNs = this.#clock.nowNs();
      if (nowNs >= this.#queue.nearestDeadlineNs) this.#expire(nowNs);
      if (this.#queue.length === 0 || !this.#hasPayloadSlot()) break;
      if (this.#open?.canGrow === false) this.#open = undefined;
      const decision = this.#collect(nowNs);
      if (decision.waitNs > 0) {
        this.#armAt(nowNs + decision.waitNs, nowNs);
        break;
      }
      if (!this.#dispatch(decision)) break;
    }
    const { nearestDeadlineNs } = this.#queue;
    if (nearestDeadlineNs !== Number.POSITIVE_INFINITY) this.#armAt(nearestDeadlineNs, this.#clock.nowNs());
  }

  #hasPayloadSlot(): boolean {
    const { instances, slot, canPrefetch } = this.#options;
    return canPrefetch ? instances.canPrefetch(slot) : instances.hasIdle(slot);
  }

  #collect(nowNs: number): CollectDecision {
    const open = this.#open;
    const openBatch = { batchSize: open?.batchSize ?? 0, reference: open?.requests[0] };
    const isSameWalk = this.#cursorRestartCount === this.#queue.restartCount;
    const cursor = isSameWalk ? this.#cursor : undefined;
    const decision = collect(this.#queue, this.#options.rules, openBatch, nowNs, cursor);
    const wasOvertaken = this.#cursor !== undefined && this.#seenOvertakeCount !== this.#queue.overtakeCount;
    this.#cursor = decision.cursor;
    this.#seenOvertakeCount = this.#queue.overtakeCount;
    this.#cursorRestartCount = this.#queue.restartCount;
    // The batch that was forming lost its turn to a more urgent request.
    if (wasOvertaken && decision.count > 0 && decision.count < this.#queue.length) {
      return { ...decision, closeReason: 'priority' };
    }
    return decision;
  }

  /** Moves the chosen requests into the open batch; false when nothing changed. */
  #dispatch(decision: CollectDecision): boolean {
    const payload = this.#open ?? new BatchPayload(decision.closeReason);
    for (let count = 0; count < decision.count; count += 1) {
      const entry = this.#queue.first();
      if (entry === undefined) break;
      this.#queue.take(entry);
      payload.add(entry.request);
      this.#orderer?.track(entry.request);
    }
    if (decision.count > 0 || decision.isSaturated) payload.closeReason = decision.closeReason;
    payload.isMergeable = payload.isMergeable && decision.isMergeable;
    payload.queueLength = this.#queue.length;
    const wasOpen = this.#open !== undefined;
    this.#open = decision.isSaturated ? undefined : payload;
    if (decision.count === 0) {
      if (!wasOpen) this.#open = undefined;
      return wasOpen && decision.isSaturated;
    }
    if (!wasOpen) {
      payload.dropsCancelled = true;
      this.#options.instances.enqueue(payload, this.#options.slot);
    }
    return true;
  }

  #expire(nowNs: number): void {
    for (const request of this.#queue.expire(nowNs)) {
      this.#options.statistics.timedOutCount += 1;
      this.#fail(request, queueErrors.timedOut(), 'REJECTED');
    }
  }

  #answerCancelled(): void {
    const cancelled = this.#cancelled;
    this.#cancelled = [];
    for (const request of cancelled) this.#fail(request, new ServerError('CANCELLED', ''), 'CANCELED');
  }

  #fail(request: InferenceRequest, error: ServerError, reason: 'REJECTED' | 'CANCELED' | 'OTHER'): void {
    failRequest(this.#options.statistics, request, error, reason);
  }

  #armAt(dueNs: number, nowNs: number): void {
    if (this.#timer !== undefined && this.#timerDueNs <= dueNs) return;
    this.#timer?.cancel();
    this.#timerDueNs = dueNs;
    this.#timer = this.#clock.after((dueNs - nowNs) / 1e6, () => {
      this.#timer = undefined;
      this.#wake();
    });
  }

  #disarm(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
  }
}
