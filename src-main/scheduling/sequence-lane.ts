// What the sequence batcher and the strategy of one instance know of each other. A lane takes requests from the fronts
// of its instance's slots and gets them executed; who owns a slot is decided by the batcher alone.

import type { InferenceRequest } from '../inference/inference-request.ts';
import type { InstanceSlot } from '../scheduling/instance-slot.ts';
import { END_MARKER, type SequenceSlot } from './sequence-slots.ts';

/** A slot as lanes see it: its queue holds requests. */
export type RequestSlot = SequenceSlot<InferenceRequest>;

/** What the batcher asks of the strategy of one instance. */
export interface SequenceLane {
  readonly instance: InstanceSlot;
  readonly slots: readonly RequestSlot[];
  /** Requests may have come to the front of a slot, or the instance may have become free. */
  wake(): void;
  /** Resolves when nothing of the lane is under way. */
  close(): Promise<void>;
}

/** The batcher as its lanes see it. */
export interface SlotOwner {
  /** True while a test holds everything back. */
  readonly isHolding: boolean;
  /** Requests waiting anywhere in the batcher. */
  readonly queuedCount: number;
  /** The END request was taken, or the end marker reached the front: the slot goes to the next sequence. */
  releaseSlot(slot: RequestSlot): void;
  /** Answers the whole queued rest of the slot's sequence with CANCELLED and releases the slot. */
  cancelSlot(slot: RequestSlot): void;
}

/**
 * The request at the front of the slot. End markers release the slot, a cancelled front cancels its sequence; either
 * may bring a waiting sequence to the front.
 */
export function frontRequest(slot: RequestSlot, owner: SlotOwner): InferenceRequest | undefined {
  for (;;) {
    const [front] = slot.queue;
    if (front === undefined) return undefined;
    if (front === END_MARKER) {
      slot.queue.shift();
      owner.releaseSlot(slot);
    } else if (front.isCancelled) owner.cancelSlot(slot);
    else return front;
  }
}
