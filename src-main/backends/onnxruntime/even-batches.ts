// Batches of clients that wait for their answers. An instance that takes what waits as soon as it is free, before those
// that it answers can send again, swaps two groups of clients for ever, however unevenly the first requests have
// divided them: batches of 1 and 31 in turns, where two of 16 take less time. So when far fewer wait than were just executed, some
// are answered first, as many as even the two out, and have the time to come back.

/** Shorter runs are not worth the pause. */
const MIN_RUN_NS = 300_000;
/** Sending more than this takes long, while the instance waits. */
const MAX_BYTE_SIZE = 1024 * 1024;

/**
 * How many requests of a finished execution are answered before the next one starts: `executed` requests were in it,
 * `waiting` are in the next, it took `runNs`, and its outputs are so many bytes. 0 where the two differ by less than half,
 * or nobody waits.
 */
export function answersBeforeNext(
  executed: number,
  waiting: number,
  { runNs, byteSize }: { readonly runNs: number; readonly byteSize: number },
): number {
  if (waiting === 0 || runNs < MIN_RUN_NS || byteSize > MAX_BYTE_SIZE || 2 * waiting >= executed) return 0;
  return Math.floor((executed - waiting) / 2);
}

/** Calls `then` when sockets were read once more. */
export function oneTurnLater(then: () => void): void {
  // The first comes behind what was readable before, the second behind what is readable by now.
  setImmediate(() => setImmediate(then));
}
