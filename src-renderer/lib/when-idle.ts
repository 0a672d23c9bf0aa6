// Work that nobody waits for, done when the window has nothing else to do.

/** Idle callbacks are rare in a busy window; the work is done after this time in any case. */
const LATEST_MS = 10_000;
/** Where there are no idle callbacks. */
const DELAY_MS = 1500;

/** By then the first screen is there and was used. */
const START_DELAY_MS = 1500;

/** For what the first screen does not need: neither its drawing nor the first press waits for it. */
export function afterStart(work: () => void): void {
  setTimeout(() => whenIdle(work), START_DELAY_MS);
}

/** Called once, ten seconds from now at the latest. */
export function whenIdle(work: () => void): void {
  if (typeof requestIdleCallback === 'function') requestIdleCallback(work, { timeout: LATEST_MS });
  else setTimeout(work, DELAY_MS);
}
