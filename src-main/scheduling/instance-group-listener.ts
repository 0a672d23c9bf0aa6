// What an instance group tells schedulers: room in the payload queues, instances that come and go.

import type { InstanceSlot } from './instance-slot.ts';

/** Schedulers listen for room in the queues. Calls come synchronously and may enqueue. */
export interface InstanceGroupListener {
  /** The slot became idle, or a payload left a queue. */
  capacityChanged(slot: InstanceSlot): void;
  /** The slot takes work from now on. */
  slotAdded?(slot: InstanceSlot): void;
  /** The slot takes no new sequences; it disappears once its holds are given back. */
  slotRemoving?(slot: InstanceSlot): void;
  /** The slot is gone: nothing of it runs or waits any more. */
  slotRemoved?(slot: InstanceSlot): void;
}
