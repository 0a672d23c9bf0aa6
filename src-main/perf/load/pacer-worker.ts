// The sleeping thread of PacerThread: waits for an order, sleeps until its due time, posts the order's number back.
// Shared memory: an Int32 order number, then (at byte 8) the due time in monotonic ns.

import { parentPort, workerData } from 'node:worker_threads';

const shared = workerData as SharedArrayBuffer;
const order = new Int32Array(shared, 0, 1);
const due = new Float64Array(shared, 8, 1);

/** False when a newer order came meanwhile. */
function sleepUntilDue(current: number): boolean {
  for (;;) {
    const leftMs = ((due[0] ?? 0) - Number(process.hrtime.bigint())) / 1e6;
    if (leftMs <= 0) return true;
    if (Atomics.wait(order, 0, current, leftMs) !== 'timed-out') return false;
  }
}

let seen = 0;
for (;;) {
  Atomics.wait(order, 0, seen);
  const current = Atomics.load(order, 0);
  if (current === seen) continue;
  seen = current;
  if (sleepUntilDue(current)) parentPort?.postMessage(current);
}
