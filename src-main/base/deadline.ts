// Waiting for something no longer than until a point in time.

import type { Clock } from './clock.ts';

/**
 * What `work` resolves with, or `undefined` when it is not settled at `deadlineNs` (monotonic); late work goes on, and
 * nobody is told how it ends. Rejects as `work` does. Keeps the process alive meanwhile.
 */
export async function settledBefore<T>(
  clock: Clock,
  deadlineNs: number,
  work: Promise<T>,
): Promise<T | undefined> {
  const done = new AbortController();
  const leftMs = Math.max(0, (deadlineNs - clock.nowNs()) / 1e6);
  const late = clock.wait(leftMs, { signal: done.signal }).then(
    () => undefined,
    () => undefined,
  );
  try {
    return await Promise.race([work, late]);
  } finally {
    done.abort();
    work.catch(() => undefined);
  }
}
