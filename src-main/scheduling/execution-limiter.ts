// What an instance group asks of a rate limiter: resources before an instance runs, and giving them back.

import type { InstanceSlot } from './instance-slot.ts';

/** Who may execute now, where instances share resources (`--rate-limit`). */
export interface ExecutionLimiter {
  /** Throws INVALID_ARG when the instance could never get its resources. */
  register(slot: InstanceSlot): void;
  /** Its needs no longer count for default amounts. The slot must hold no resources. */
  unregister(slot: InstanceSlot): void;
  /** Smaller runs first. */
  scaledPriority(slot: InstanceSlot): number;
  /** `slot.current` waits for resources; `start` is called once they are taken, maybe at once. */
  stage(slot: InstanceSlot, start: () => void): void;
  /** The payload of the slot is finished; `restage` may stage the slot again before resources are handed on. */
  release(slot: InstanceSlot, restage: () => void): void;
}
