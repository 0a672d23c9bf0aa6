// The instances of one model version and their payload queues: one shared FIFO plus one per instance. An instance
// runs one payload at a time; when execute() returns it takes the next, the shared queue first. With a rate limiter
// a payload also needs the instance's resources before it runs.
// Instances can be added, removed (after draining) and replaced while requests flow.
// Whoever creates an instance closes it; the group never does.

import type { FailureReason } from '../metrics/model-source.ts';
import type { ModelConfig } from '../../src-shared/config/model-config.ts';
import { ServerError, toServerError } from '../../src-shared/errors.ts';
import type { Clock } from '../base/clock.ts';
import { Fifo } from '../base/fifo.ts';
import type { ModelInstance } from '../inference/backend.ts';
import type { ExecutionRecord } from '../inference/execution.ts';
import { logExecution, logsRequests } from '../inference/request-log.ts';
import type { StatisticsCollector } from '../inference/statistics-collector.ts';
import type { BatchPayload } from './batch-payload.ts';
import { ExecutionHistory } from './execution-history.ts';
import type { ExecutionLimiter } from './execution-limiter.ts';
import type { InstanceGroupListener } from './instance-group-listener.ts';
import type { InstancePreparation } from './instance-preparation.ts';
import { prepareInstance } from './instance-preparation.ts';
import type { InstanceSlot } from './instance-slot.ts';
import { createLateMerge } from './late-merge.ts';
import { executingRequestCount, waitingRequestCount } from './payload-counts.ts';
import { failRequest, stoppingError } from './request-failure.ts';

/** What the instances of one model version share. */
export interface InstanceGroupOptions {
  readonly config: ModelConfig;
  readonly clock: Clock;
  readonly statistics: StatisticsCollector;
  /** undefined = rate limiting off. */
  readonly limiter: ExecutionLimiter | undefined;
}

/**
 * Belongs to one model version. Every payload is answered: what it fails with goes to its requests, those of a
 * closed group too, and `enqueue` throws nothing.
 */
export class InstanceGroup {
  readonly #clock: Clock;
  readonly #statistics: StatisticsCollector;
  readonly #limiter: ExecutionLimiter | undefined;
  readonly #mergeFollowers: (payload: BatchPayload, queue: Fifo<BatchPayload>, nowNs: number) => void;
  readonly #slots: InstanceSlot[] = [];
  readonly #shared = new Fifo<BatchPayload>();
  readonly #listeners: InstanceGroupListener[] = [];
  readonly #history = new ExecutionHistory();
  readonly #removals = new Map<InstanceSlot, () => void>();
  #rotation = 0;
  #whenIdle: (() => void)[] = [];
  #isClosed = false;
  /** Only the last payload of the queue can be one that its scheduler still adds to. */
  readonly #nextCount = (): number =>
    this.#shared.length > 1 ? Infinity : (this.#shared.peek()?.requests.length ?? 0);

  constructor(options: InstanceGroupOptions) {
    this.#clock = options.clock;
    this.#statistics = options.statistics;
    this.#limiter = options.limiter;
    this.#mergeFollowers = createLateMerge(options.config);
  }

  /** Active instances in order of addition. */
  get slots(): readonly InstanceSlot[] {
    return this.#slots;
  }

  /** Payloads waiting in the shared queue. */
  get sharedLength(): number {
    return this.#shared.length;
  }

  /** Instances that have a payload, or wait for resources with one. */
  get runningCount(): number {
    let count = 0;
    for (const slot of this.#slots) if (slot.current !== undefined) count += 1;
    return count;
  }

  /** Requests in payloads that no instance has taken yet. */
  get waitingRequestCount(): number {
    return waitingRequestCount(this.#shared, this.#slots);
  }

  /** Requests in payloads waiting or executing. */
  get unfinishedRequestCount(): number {
    return this.waitingRequestCount + executingRequestCount(this.#slots);
  }

  /** The returned function ends the listening. */
  addListener(listener: InstanceGroupListener): () => void {
    this.#listeners.push(listener);
    return () => {
      const at = this.#listeners.indexOf(listener);
      if (at >= 0) this.#listeners.splice(at, 1);
    };
  }

  /**
   * Registers an instance that takes no work yet; resolves when `prepare` (warm-up) is done. Then `join` or `discard`
   * it. Throws INVALID_ARG when the rate limiter could never schedule it, or
   * what `prepare` throws; the instance is then unknown here.
   */
  prepare(instance: ModelInstance, options: InstancePreparation = {}): Promise<InstanceSlot> {
    return prepareInstance(instance, this.#limiter, options);
  }

  /** Lets a prepared instance take work. */
  join(slot: InstanceSlot): void {
    this.#slots.push(slot);
    for (const listener of this.#listeners) listener.slotAdded?.(slot);
    this.#next(slot);
  }

  /** Forgets a prepared instance that is not going to join. */
  discard(slot: InstanceSlot): void {
    this.#limiter?.unregister(slot);
  }

  /** Takes the instance out: no new work, then resolves when its own queue, payload and sequences are done. */
  remove(slot: InstanceSlot): Promise<void> {
    if (slot.state === 'removed') return Promise.resolve();
    slot.isRemoving = true;
    for (const listener of this.#listeners) listener.slotRemoving?.(slot);
    return new Promise((resolve) => {
      this.#removals.set(slot, resolve);
      slot.onUnheld = () => this.#finishRemoval(slot);
      this.#finishRemoval(slot);
    });
  }

  /** Room for one more formed payload outside the scheduler's queue. */
  canPrefetch(slot?: InstanceSlot): boolean {
    if (slot !== undefined) return slot.queue.length < 2;
    return this.#shared.length < 2 * this.#slots.length;
  }

  /** An instance is idle and no payload waits for it. */
  hasIdle(slot?: InstanceSlot): boolean {
    if (slot !== undefined) return slot.state === 'idle' && slot.queue.length === 0;
    if (this.#shared.length > 0) return false;
    for (const candidate of this.#slots) {
      if (candidate.state === 'idle' && !candidate.isRemoving) return true;
    }
    return false;
  }

  /** Hands a payload over: to `slot` alone, or to whichever instance is free first. It may start at once. */
  enqueue(payload: BatchPayload, slot?: InstanceSlot): void {
    payload.state = 'queued';
    if (this.#isClosed) {
      this.#failPayload(payload, undefined, 'OTHER');
      return;
    }
    const queue = slot === undefined ? this.#shared : slot.queue;
    queue.push(payload);
    if (slot !== undefined) {
      if (slot.state === 'idle') this.#next(slot);
      return;
    }
    const free = this.#pickIdle();
    if (free !== undefined) this.#next(free);
  }

  /** Latest executions, oldest first. */
  recentExecutions(): readonly ExecutionRecord[] {
    return this.#history.toArray();
  }

  /** Fails what is still queued and resolves when nothing runs any more. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#failQueue(this.#shared);
    for (const slot of this.#slots) this.#failQueue(slot.queue);
    while (this.runningCount > 0) {
      await new Promise<void>((resolve) => {
        this.#whenIdle.push(resolve);
      });
    }
    for (const slot of this.#slots) this.#limiter?.unregister(slot);
    this.#slots.length = 0;
  }

  /** With a limiter the idle instance that ran least by its priority, otherwise the next in turn. */
  #pickIdle(): InstanceSlot | undefined {
    let best: InstanceSlot | undefined;
    let bestPriority = Number.POSITIVE_INFINITY;
    const count = this.#slots.length;
    for (let step = 0; step < count; step += 1) {
      const slot = this.#slots[(this.#rotation + step) % count];
      if (slot?.state !== 'idle' || slot.isRemoving) continue;
      const priority = this.#limiter?.scaledPriority(slot) ?? 0;
      if (priority >= bestPriority) continue;
      best = slot;
      bestPriority = priority;
    }
    this.#rotation = count === 0 ? 0 : (this.#rotation + 1) % count;
    return best;
  }

  /** Gives a free slot its next payload, or marks it idle. */
  #next(slot: InstanceSlot): void {
    slot.state = 'idle';
    const payload = this.#take(slot);
    if (payload === undefined) {
      if (slot.isRemoving) this.#finishRemoval(slot);
      return;
    }
    slot.current = payload;
    if (this.#limiter === undefined) {
      this.#start(slot, payload);
    } else {
      slot.state = 'staged';
      this.#limiter.stage(slot, () => this.#start(slot, payload));
    }
    this.#announce(slot);
  }

  #take(slot: InstanceSlot): BatchPayload | undefined {
    const shared = slot.isRemoving ? undefined : this.#shared;
    if (this.#limiter !== undefined) return slot.queue.shift() ?? shared?.shift();
    const queue = shared !== undefined && shared.length > 0 ? shared : slot.queue;
    const payload = queue.shift();
    if (payload !== undefined && queue.length > 0) {
      this.#mergeFollowers(payload, queue, this.#clock.nowNs());
    }
    return payload;
  }

  #start(slot: InstanceSlot, payload: BatchPayload): void {
    slot.state = 'busy';
    slot.startedAtNs = this.#clock.nowNs();
    payload.state = 'executing';
    payload.nextCount = this.#nextCount;
    try {
      payload.prepare?.();
    } catch (thrown) {
      this.#failPayload(payload, toServerError(thrown), 'OTHER');
      queueMicrotask(() => this.#finish(slot, payload, false));
      return;
    }
    if (payload.dropsCancelled && !this.#dropCancelled(payload)) {
      queueMicrotask(() => this.#finish(slot, payload, false));
      return;
    }
    for (const request of payload.requests) {
      this.#statistics.leavePending(request);
      request.cancelObserver = undefined;
      request.state = 'EXECUTING';
      request.trace?.executes?.(payload, slot.instance.spec.name);
    }
    this.#execute(slot, payload);
  }

  /** Answers cancelled requests instead of executing them; false when none is left. */
  #dropCancelled(payload: BatchPayload): boolean {
    for (const request of payload.takeCancelled()) {
      failRequest(this.#statistics, request, new ServerError('CANCELLED', ''), 'CANCELED');
    }
    return payload.requests.length > 0;
  }

  #execute(slot: InstanceSlot, payload: BatchPayload): void {
    let running: Promise<void>;
    try {
      if (logsRequests())
        logExecution(this.#statistics.name, slot.instance.spec.name, payload.requests.length);
      running = slot.instance.execute(payload);
    } catch (thrown) {
      running = Promise.reject(toServerError(thrown));
    }
    running.then(
      () => this.#finish(slot, payload, true),
      (thrown: unknown) => {
        this.#failPayload(payload, toServerError(thrown), 'BACKEND');
        this.#finish(slot, payload, true);
      },
    );
  }

  #finish(slot: InstanceSlot, payload: BatchPayload, wasExecuted: boolean): void {
    const nowNs = this.#clock.nowNs();
    const durationNs = nowNs - slot.startedAtNs;
    slot.finishedBusyNs += durationNs;
    slot.executionCount += 1;
    slot.current = undefined;
    payload.state = 'released';
    if (wasExecuted) this.#history.record(slot, payload, this.#clock.wallMs(), durationNs);
    payload.onDone?.();
    if (this.#whenIdle.length > 0 && this.runningCount === 0) {
      for (const resolve of this.#whenIdle.splice(0)) resolve();
    }
    slot.state = 'idle';
    if (this.#limiter !== undefined) {
      this.#limiter.release(slot, () => {
        if (slot.state === 'idle') this.#next(slot);
      });
    } else {
      this.#next(slot);
    }
    this.#announce(slot);
  }

  #announce(slot: InstanceSlot): void {
    for (const listener of this.#listeners) listener.capacityChanged(slot);
  }

  #finishRemoval(slot: InstanceSlot): void {
    const isDone = slot.state === 'idle' && slot.queue.length === 0 && !slot.isHeld;
    const resolve = this.#removals.get(slot);
    if (!isDone || resolve === undefined) return;
    this.#removals.delete(slot);
    slot.state = 'removed';
    slot.onUnheld = undefined;
    this.#slots.splice(this.#slots.indexOf(slot), 1);
    this.#limiter?.unregister(slot);
    for (const listener of [...this.#listeners]) listener.slotRemoved?.(slot);
    resolve();
  }

  #failQueue(queue: Fifo<BatchPayload>): void {
    for (let payload = queue.shift(); payload !== undefined; payload = queue.shift()) {
      this.#failPayload(payload, undefined, 'OTHER');
      payload.onDone?.();
    }
  }

  /** `error` undefined = the server is stopping. Requests already released are left alone. */
  #failPayload(payload: BatchPayload, error: ServerError | undefined, reason: FailureReason): void {
    payload.state = 'released';
    for (const request of payload.requests) {
      if (request.state === 'RELEASED') continue;
      failRequest(this.#statistics, request, error ?? stoppingError(request.logPrefix), reason);
    }
  }
}
