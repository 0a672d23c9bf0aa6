// Counts of requests behind a scheduler, for draining and display; asked for rarely, so derived from the queues.

import type { Fifo } from '../base/fifo.ts';
import type { BatchPayload } from './batch-payload.ts';
import type { InstanceSlot } from './instance-slot.ts';

/** Requests in payloads that wait in a queue or for resources. */
export function waitingRequestCount(shared: Fifo<BatchPayload>, slots: readonly InstanceSlot[]): number {
  let count = countRequests(shared);
  for (const slot of slots) {
    count += countRequests(slot.queue);
    if (slot.state === 'staged') count += slot.current?.requests.length ?? 0;
  }
  return count;
}

/** Requests that instances run at this moment; those that wait for one are not counted. */
export function executingRequestCount(slots: readonly InstanceSlot[]): number {
  let count = 0;
  for (const slot of slots) if (slot.state !== 'staged') count += slot.current?.requests.length ?? 0;
  return count;
}

function countRequests(queue: Fifo<BatchPayload>): number {
  let count = 0;
  for (const payload of queue) count += payload.requests.length;
  return count;
}
