// Work that holds up the window for longer than a frame and that nobody waits for, done while nobody does anything:
// an idle browser alone is no sign of that, since there is idle time between two turns of the wheel too.

import { whenIdle } from './when-idle.ts';

/** Without any sign of the user. */
const REST_MS = 3000;
const SIGNS = ['pointermove', 'pointerdown', 'wheel', 'keydown', 'scroll', 'dragover'] as const;
const HEARD = { capture: true, passive: true };

/**
 * Called once, when nobody has moved, scrolled or typed for three seconds; never while somebody goes on and on, and not in
 * a page that nobody sees, which should cost nothing.
 */
export function whenAtRest(work: () => void): void {
  let lastMs = performance.now();
  const note = (): void => {
    lastMs = performance.now();
  };
  const look = (): void => {
    if (document.hidden) {
      document.addEventListener('visibilitychange', comeBack, { once: true });
      return;
    }
    const restMs = performance.now() - lastMs;
    if (restMs < REST_MS) setTimeout(look, REST_MS - restMs);
    else whenIdle(finish);
  };
  // Who comes back is about to do something.
  const comeBack = (): void => {
    note();
    look();
  };
  const finish = (): void => {
    // Idle time may have come late, or when the page was hidden.
    if (document.hidden || performance.now() - lastMs < REST_MS) {
      look();
      return;
    }
    for (const sign of SIGNS) removeEventListener(sign, note, HEARD);
    work();
  };
  for (const sign of SIGNS) addEventListener(sign, note, HEARD);
  look();
}
