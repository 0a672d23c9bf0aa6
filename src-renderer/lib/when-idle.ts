// Work that nobody waits for, done when the window has nothing else to do.

/** Idle callbacks are rare in a busy window; the work is done after this time in any case. */
const LATEST_MS = 10_000;
/** Where there are no idle callbacks. */
const DELAY_MS = 1500;

/** Called once, ten seconds from now at the latest. */
export function whenIdle(work: () => void): void {
  if (typeof requestIdleCallback === 'function') requestIdleCallback(work, { timeout: LATEST_MS });
  else setTimeout(work, DELAY_MS);
}
