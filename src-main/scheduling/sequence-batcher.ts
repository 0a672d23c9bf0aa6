// The sequence batcher: requests of one correlation id go in order to one slot of one instance. It owns admission, the
// slots with their backlog, idle and backlog timeouts, and cancellation; how the requests of an instance's slots are
// executed is the lane's business (direct or oldest). (docs/reference/sequences.md)
// Invariant: an accepted request is answered and released exactly once, requests of a sequence in arrival order.

import type { FailureReason } from '../metrics/model-source.ts';
import type { ModelConfig } from '../../src-shared/config/model-config.ts';
import { ServerError, toServerError } from '../../src-shared/errors.ts';
import type { Clock, Timer } from '../base/clock.ts';
import type { ExecutionRecord } from '../inference/execution.ts';
import type { CancelObserver, InferenceRequest } from '../inference/inference-request.ts';
import { SEQUENCE_END, SEQUENCE_START } from '../inference/inference-request.ts';
import type { Scheduler } from '../inference/scheduler.ts';
import type { StatisticsCollector } from '../inference/statistics-collector.ts';
import type { InstanceGroup } from './instance-group.ts';
import type { InstanceSlot } from './instance-slot.ts';
import { failRequest, stoppingError } from './request-failure.ts';
import type { SchedulerTestHooks } from './scheduler-deps.ts';
import { sequenceErrors } from './sequence-errors.ts';
import {
  logBatcherRemoval,
  logConflict,
  logFreed,
  logIdle,
  logQueued,
  logRefill,
  logSlotRemoval,
  logWaiting,
} from './sequence-log.ts';
import type { RequestSlot, SequenceLane, SlotOwner } from './sequence-lane.ts';
import { SequenceSlots } from './sequence-slots.ts';

interface SequenceBatcherOptions {
  readonly config: ModelConfig;
  readonly clock: Clock;
  readonly statistics: StatisticsCollector;
  readonly instances: InstanceGroup;
  readonly hooks: SchedulerTestHooks;
  readonly slotsPerInstance: number;
  readonly idleNs: number;
  readonly createLane: (
    instance: InstanceSlot,
    slots: readonly RequestSlot[],
    owner: SlotOwner,
  ) => SequenceLane;
}

/**
 * `enqueue` throws INVALID_ARG for a client-side batch, for a request without correlation id, and for one that
 * goes on with a sequence that was never started. A sequence without a free slot waits in the backlog.
 */
export class SequenceBatcher implements Scheduler, SlotOwner, CancelObserver {
  readonly #options: SequenceBatcherOptions;
  readonly #clock: Clock;
  readonly #slots: SequenceSlots<InferenceRequest>;
  /** By the instance number of the slots; a lane goes with its instance. */
  readonly #lanes = new Map<number, SequenceLane>();
  readonly #laneOf = new Map<InstanceSlot, SequenceLane>();
  readonly #isIterative: boolean;
  #nextPrivateId = 1n;
  #isHolding: boolean;
  #isStopping = false;
  #isSweepPending = false;
  #reaper: Timer | undefined;
  #reaperDueNs = 0;

  constructor(options: SequenceBatcherOptions) {
    this.#options = options;
    this.#clock = options.clock;
    this.#isIterative = options.config.sequenceBatching?.iterativeSequence === true;
    this.#isHolding = options.hooks.delayUntilQueuedCount > 0;
    this.#slots = new SequenceSlots({ slotsPerInstance: options.slotsPerInstance, idleNs: options.idleNs });
    options.instances.addListener({
      capacityChanged: (instance) => this.#laneOf.get(instance)?.wake(),
      slotAdded: (instance) => this.#addInstance(instance),
      slotRemoving: (instance) => this.#retireInstance(instance),
      slotRemoved: (instance) => this.#dropInstance(instance),
    });
    for (const instance of options.instances.slots) this.#addInstance(instance);
  }

  enqueue(request: InferenceRequest): void {
    const nowNs = this.#clock.nowNs();
    const { times } = request;
    if (times.queueStartNs === 0) {
      times.queueStartNs = nowNs;
      // Without the inputs, which the other schedulers record here.
      request.trace?.activity('QUEUE_START', nowNs);
    }
    times.batcherStartNs = nowNs;
    this.#admit(request);
    if (this.#isIterative && !request.canReschedule && (request.flags & SEQUENCE_END) === 0) {
      request.canReschedule = true;
      request.onRelease((released, { reschedule }) => this.#iterationReleased(released, reschedule));
    }
    this.#place(request, nowNs);
  }

  get inflightCount(): number {
    return this.#slots.heldCount;
  }

  get queuedCount(): number {
    return this.#slots.slotRequestCount + this.#slots.backlogRequestCount;
  }

  get isHolding(): boolean {
    return this.#isHolding;
  }

  recentExecutions(): readonly ExecutionRecord[] {
    return this.#options.instances.recentExecutions();
  }

  stop(): void {
    this.#isStopping = true;
  }

  /** Answers what is queued with UNAVAILABLE and waits for what is executing. */
  async close(): Promise<void> {
    this.#isStopping = true;
    this.#reaper?.cancel();
    this.#reaper = undefined;
    for (const request of this.#slots.drain()) this.#fail(request, stoppingError(''), 'OTHER');
    await Promise.all([...this.#lanes.values()].map((lane) => lane.close()));
    await this.#options.instances.close();
  }

  releaseSlot(slot: RequestSlot): void {
    const { cancelled, isRefilled } = this.#slots.release(slot);
    this.#afterRelease(slot, cancelled, isRefilled);
  }

  cancelSlot(slot: RequestSlot): void {
    const { cancelled, isRefilled } = this.#slots.cancel(slot);
    this.#afterRelease(slot, cancelled, isRefilled);
  }

  /** A queued request was cancelled: its sequence is looked at as soon as the caller is done. */
  requestCancelled(): void {
    if (this.#isSweepPending) return;
    this.#isSweepPending = true;
    queueMicrotask(() => {
      this.#isSweepPending = false;
      this.#failCancelled(this.#slots.dropCancelledBacklogs());
      for (const lane of this.#lanes.values()) lane.wake();
    });
  }

  /** Throws the refusals of docs/reference/sequences.md#arrival; gives a request without id its private sequence. */
  #admit(request: InferenceRequest): void {
    const model = this.#options.config.name;
    if (request.batchSize > 1) {
      throw sequenceErrors.batched({ model });
    }
    if (isNoSequence(request)) {
      if (!this.#isIterative) {
        throw sequenceErrors.withoutId({ model });
      }
      request.correlationId = this.#nextPrivateId++;
      request.flags = SEQUENCE_START;
    }
    const isStart = (request.flags & SEQUENCE_START) !== 0;
    if (this.#isStopping && isStart) throw stoppingError('');
    if (!isStart && !this.#slots.isKnown(request.correlationId)) {
      throw sequenceErrors.notStarted({ sequence: request.correlationId, model });
    }
  }

  #place(request: InferenceRequest, nowNs: number): void {
    const { name: model } = this.#options.config;
    const arrival = this.#slots.arrive(request, nowNs);
    if (arrival.kind === 'unknown') return;
    this.#options.statistics.enterPending(request);
    request.cancelObserver = this;
    if (request.isCancelled) this.requestCancelled();
    if (arrival.isRestart) {
      logConflict(model, request.correlationId);
    }
    if (arrival.kind === 'slot') {
      const lane = this.#lanes.get(arrival.slot.instance);
      if (lane !== undefined) logQueued(model, request.correlationId, lane.instance, arrival.slot);
      if (arrival.isTaken) lane?.instance.hold();
      lane?.wake();
    } else logWaiting(model, request.correlationId, arrival.isNew);
    this.#endHolding();
    // An arrival without timeout only postpones what the reaper waits for.
    if (this.#reaper === undefined || request.timeoutUs > 0) this.#armReaper();
  }

  /** A test may hold everything back until enough requests wait. */
  #endHolding(): void {
    if (!this.#isHolding) return;
    const { delayUntilQueuedCount, delayUntilBacklogCount } = this.#options.hooks;
    if (this.#slots.slotRequestCount < delayUntilQueuedCount) return;
    if (this.#slots.backlogRequestCount < delayUntilBacklogCount) return;
    this.#isHolding = false;
    for (const lane of this.#lanes.values()) lane.wake();
  }

  /** One run of an iterative request is over: it runs again, or its sequence ends. */
  #iterationReleased(request: InferenceRequest, reschedule: boolean): void | 'kept' {
    request.canReschedule = false;
    if (!reschedule) {
      const slot = this.#slots.end(request.correlationId);
      if (slot !== undefined) this.#lanes.get(slot.instance)?.wake();
      return undefined;
    }
    request.flags = 0;
    try {
      this.enqueue(request);
      return 'kept';
    } catch (thrown) {
      // The sequence was ended meanwhile (idle): the client is told, the request goes on to its real release.
      void request.respondError(toServerError(thrown));
      this.#options.statistics.failed(request, 'OTHER');
      return undefined;
    }
  }

  #addInstance(instance: InstanceSlot): void {
    const { instance: number, slots, refilled, cancelled } = this.#slots.addInstance();
    const lane = this.#options.createLane(instance, slots, this);
    this.#lanes.set(number, lane);
    this.#laneOf.set(instance, lane);
    for (let count = 0; count < refilled.length; count += 1) instance.hold();
    this.#failCancelled(cancelled);
    lane.wake();
  }

  #retireInstance(instance: InstanceSlot): void {
    const lane = this.#laneOf.get(instance);
    if (lane === undefined) return;
    for (const slot of this.#slots.retireInstance(lane.slots)) logSlotRemoval(instance, slot);
  }

  /** Nothing of the instance is under way any more. */
  #dropInstance(instance: InstanceSlot): void {
    const lane = this.#laneOf.get(instance);
    const number = lane?.slots[0]?.instance;
    if (lane === undefined || number === undefined) return;
    this.#laneOf.delete(instance);
    this.#lanes.delete(number);
    logBatcherRemoval(instance);
    void lane.close();
  }

  #afterRelease(slot: RequestSlot, cancelled: readonly InferenceRequest[], isRefilled: boolean): void {
    const lane = this.#lanes.get(slot.instance);
    if (isRefilled) {
      if (lane !== undefined) logRefill(this.#options.config.name, lane.instance, slot);
      lane?.wake();
      this.#armReaper();
    } else if (lane !== undefined) {
      if (lane.instance.isRemoving) logSlotRemoval(lane.instance, slot);
      else logFreed(lane.instance, slot);
      lane.instance.unhold();
    }
    this.#failCancelled(cancelled);
  }

  #failCancelled(requests: readonly InferenceRequest[]): void {
    for (const request of requests) this.#fail(request, new ServerError('CANCELLED', ''), 'CANCELED');
  }

  #fail(request: InferenceRequest, error: ServerError, reason: FailureReason): void {
    failRequest(this.#options.statistics, request, error, reason);
  }

  #reap(): void {
    this.#reaper = undefined;
    const { ended, timedOut } = this.#slots.expire(this.#clock.nowNs());
    for (const request of timedOut) {
      this.#options.statistics.timedOutCount += 1;
      this.#fail(request, sequenceErrors.backlogTimedOut(), 'REJECTED');
    }
    for (const slot of ended) {
      const lane = this.#lanes.get(slot.instance);
      if (lane !== undefined) logIdle(lane.instance, slot);
      lane?.wake();
    }
    this.#armReaper();
  }

  #armReaper(): void {
    const dueNs = this.#slots.nextExpiryNs();
    if (dueNs === undefined || (this.#reaper !== undefined && this.#reaperDueNs <= dueNs)) return;
    this.#reaper?.cancel();
    this.#reaperDueNs = dueNs;
    this.#reaper = this.#clock.after((dueNs - this.#clock.nowNs()) / 1e6, () => this.#reap());
  }
}

function isNoSequence({ correlationId }: InferenceRequest): boolean {
  return correlationId === 0n || correlationId === '';
}
