// The oldest strategy for one instance: at most one request per sequence is under way, handed to a dynamic batcher of
// the instance. Row positions mean nothing and there are no null requests. (docs/reference/sequences.md#oldest)

import { toServerError } from '../../src-shared/errors.ts';
import type { InferenceRequest } from '../inference/inference-request.ts';
import { SEQUENCE_END } from '../inference/inference-request.ts';
import type { StatisticsCollector } from '../inference/statistics-collector.ts';
import type { DynamicBatcher } from './dynamic-batcher.ts';
import type { InstanceSlot } from './instance-slot.ts';
import { failRequest } from './request-failure.ts';
import type { SequenceControls } from './sequence-controls.ts';
import { frontRequest, type RequestSlot, type SequenceLane, type SlotOwner } from './sequence-lane.ts';
import { logEnd, logIssue } from './sequence-log.ts';
import type { SequenceStates } from './sequence-states.ts';

/** What the `oldest` strategy of one instance works with. It closes the batcher and nothing else. */
export interface OldestLaneOptions {
  readonly instance: InstanceSlot;
  readonly slots: readonly RequestSlot[];
  readonly owner: SlotOwner;
  readonly statistics: StatisticsCollector;
  readonly controls: SequenceControls;
  /** One per slot. */
  readonly states: readonly SequenceStates[];
  readonly batcher: DynamicBatcher;
}

/**
 * A sequence's next request goes to the batcher when the one before was released, so a slow client delays nobody
 * but itself. `max_candidate_sequences` bounds the slots.
 */
export class OldestLane implements SequenceLane {
  readonly instance: InstanceSlot;
  readonly slots: readonly RequestSlot[];
  readonly #options: OldestLaneOptions;
  /** Slots whose request has not been released; a new owner of the slot waits too. */
  readonly #inFlight = new Set<RequestSlot>();
  /** Slots whose request was released since the last look, in that order: theirs is the next turn. */
  #released: RequestSlot[] = [];
  readonly #run = (): void => this.#loop();
  #isWakePending = false;
  #isClosed = false;

  constructor(options: OldestLaneOptions) {
    this.#options = options;
    this.instance = options.instance;
    this.slots = options.slots;
  }

  wake(): void {
    if (this.#isWakePending) return;
    this.#isWakePending = true;
    queueMicrotask(this.#run);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#options.batcher.close();
  }

  #loop(): void {
    this.#isWakePending = false;
    if (this.#isClosed) return;
    const released = this.#released;
    this.#released = [];
    for (const slot of released) this.#look(slot);
    for (const slot of this.slots) this.#look(slot);
  }

  #look(slot: RequestSlot): void {
    if (slot.queue.length === 0) return;
    // Looked at even while a request is under way: it ends idle and cancelled sequences.
    const front = frontRequest(slot, this.#options.owner);
    if (front === undefined || this.#inFlight.has(slot) || this.#options.owner.isHolding) return;
    this.#issue(slot, front);
  }

  #issue(slot: RequestSlot, request: InferenceRequest): void {
    const { controls, states, owner, batcher, statistics } = this.#options;
    slot.queue.shift();
    request.cancelObserver = undefined;
    request.overrideInputs = controls.forRequest(request.flags, request.correlationId);
    states[slot.index]?.bind(request);
    this.#inFlight.add(slot);
    // An END gives its slot away; an instance that is being removed must still run it.
    this.instance.hold();
    request.onRelease(() => {
      this.#inFlight.delete(slot);
      this.#released.push(slot);
      this.instance.unhold();
      this.wake();
    });
    const isEnd = (request.flags & SEQUENCE_END) !== 0;
    if (isEnd) logEnd(request, this.instance, slot, true);
    logIssue(request, this.instance, slot);
    if (isEnd) owner.releaseSlot(slot);
    try {
      batcher.enqueue(request);
    } catch (thrown) {
      failRequest(statistics, request, toServerError(thrown), 'OTHER');
    }
  }
}
