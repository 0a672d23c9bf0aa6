// The direct strategy for one instance: a sequence's slot number is its row in every batch. One batch at a time; rows
// whose slot has nothing to say, or whose inputs differ, are filled with null requests.
// (docs/reference/sequences.md#direct)

import type { ModelConfig } from '../../src-shared/config/model-config.ts';
import type { Clock, Timer } from '../base/clock.ts';
import type { InferenceRequest } from '../inference/inference-request.ts';
import { SEQUENCE_END } from '../inference/inference-request.ts';
import { BatchPayload } from './batch-payload.ts';
import { createInputComparison, type InputComparison } from './input-comparison.ts';
import type { InstanceGroup } from './instance-group.ts';
import type { InstanceSlot } from './instance-slot.ts';
import { createNullRequest } from './null-request.ts';
import type { SequenceControls } from './sequence-controls.ts';
import { frontRequest, type RequestSlot, type SequenceLane, type SlotOwner } from './sequence-lane.ts';
import { logEnd } from './sequence-log.ts';
import type { SequenceStates } from './sequence-states.ts';

/** What the direct strategy of one instance works with. The lane closes none of it. */
export interface DirectLaneOptions {
  readonly config: ModelConfig;
  readonly clock: Clock;
  readonly instances: InstanceGroup;
  readonly instance: InstanceSlot;
  readonly slots: readonly RequestSlot[];
  readonly owner: SlotOwner;
  readonly controls: SequenceControls;
  /** One per slot. */
  readonly states: readonly SequenceStates[];
}

/** What the fronts of the slots offer. */
interface Survey {
  /** The first request: equal inputs are judged against it, null requests look like it. */
  readonly representative: InferenceRequest;
  readonly readyCount: number;
  /** Last slot with a request. */
  readonly top: number;
  readonly oldestStartNs: number;
}

/**
 * A batch waits until `minimum_slot_utilization` of the slots have a request, `max_queue_delay_microseconds` at
 * most; without a delay it never waits. It has a row for each slot up to the highest with a request.
 */
export class DirectLane implements SequenceLane {
  readonly instance: InstanceSlot;
  readonly slots: readonly RequestSlot[];
  readonly #options: DirectLaneOptions;
  readonly #comparison: InputComparison;
  readonly #delayNs: number;
  readonly #utilization: number;
  readonly #run = (): void => this.#loop();
  #isWakePending = false;
  #isClosed = false;
  #timer: Timer | undefined;

  constructor(options: DirectLaneOptions) {
    this.#options = options;
    this.instance = options.instance;
    this.slots = options.slots;
    this.#comparison = createInputComparison(options.config);
    const direct = options.config.sequenceBatching?.direct;
    this.#delayNs = Number(direct?.maxQueueDelayMicroseconds ?? 0n) * 1000;
    this.#utilization = direct?.minimumSlotUtilization ?? 0;
  }

  wake(): void {
    if (this.#isWakePending) return;
    this.#isWakePending = true;
    queueMicrotask(this.#run);
  }

  close(): Promise<void> {
    this.#isClosed = true;
    this.#timer?.cancel();
    return Promise.resolve();
  }

  #loop(): void {
    this.#isWakePending = false;
    this.#timer?.cancel();
    this.#timer = undefined;
    if (this.#isClosed) return;
    // Also while the instance is busy: it ends idle and cancelled sequences.
    const survey = this.#survey();
    if (survey === undefined || this.#options.owner.isHolding || !this.#isFree()) return;
    const waitNs = this.#waitNs(survey);
    if (waitNs > 0) {
      this.#timer = this.#options.clock.after(waitNs / 1e6, () => this.wake());
      return;
    }
    this.#submit(survey);
  }

  /** The previous batch is finished. */
  #isFree(): boolean {
    return this.instance.current === undefined && this.instance.queue.length === 0;
  }

  #survey(): Survey | undefined {
    let representative: InferenceRequest | undefined;
    let readyCount = 0;
    let top = -1;
    let oldestStartNs = Number.POSITIVE_INFINITY;
    for (const slot of this.slots) {
      const front = frontRequest(slot, this.#options.owner);
      if (front === undefined) continue;
      representative ??= front;
      readyCount += 1;
      top = slot.index;
      oldestStartNs = Math.min(oldestStartNs, front.times.batcherStartNs);
    }
    if (representative === undefined) return undefined;
    return { representative, readyCount, top, oldestStartNs };
  }

  #waitNs({ readyCount, oldestStartNs }: Survey): number {
    if (this.#delayNs === 0 || this.#utilization === 0) return 0;
    if (readyCount / this.slots.length >= this.#utilization) return 0;
    return Math.max(0, this.#delayNs - (this.#options.clock.nowNs() - oldestStartNs));
  }

  #submit({ representative, top }: Survey): void {
    const { controls, states, owner, instances } = this.#options;
    const rows: (InferenceRequest | undefined)[] = [];
    // An END gives its slot away; an instance that is being removed must still get the payload.
    this.instance.hold();
    for (const slot of this.slots.slice(0, top + 1)) {
      const request = this.#take(slot, representative);
      rows.push(request);
      if (request === undefined) continue;
      request.overrideInputs = controls.forRequest(request.flags, request.correlationId);
      states[slot.index]?.bind(request);
      if ((request.flags & SEQUENCE_END) === 0) continue;
      logEnd(request, this.instance, slot, false);
      owner.releaseSlot(slot);
    }
    const payload = new BatchPayload('sequence');
    payload.isMergeable = false;
    rows.forEach((request, row) => payload.add(request ?? this.#nullRow(representative, row)));
    payload.queueLength = owner.queuedCount;
    instances.enqueue(payload, this.instance);
    this.instance.unhold();
  }

  #take(slot: RequestSlot, representative: InferenceRequest): InferenceRequest | undefined {
    const front = frontRequest(slot, this.#options.owner);
    if (front === undefined) return undefined;
    if (
      this.#comparison.isNeeded &&
      front !== representative &&
      !this.#comparison.same(representative, front)
    ) {
      return undefined;
    }
    slot.queue.shift();
    front.cancelObserver = undefined;
    return front;
  }

  #nullRow(representative: InferenceRequest, row: number): InferenceRequest {
    const request = createNullRequest(representative);
    request.overrideInputs = this.#options.controls.forNull();
    this.#options.states[row]?.bindNull(request, representative);
    return request;
  }
}
