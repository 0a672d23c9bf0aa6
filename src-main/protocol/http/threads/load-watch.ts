// Tells once when the event loop has more to do than it likes, and requests are the reason.

import type { Clock, Timer } from '../../../base/clock.ts';

const LOOK_MS = 1000;
/** Looks, one behind the other. */
const NEEDED_LOOKS = 2;
/** Share of the time that the loop is at work; beyond it requests wait for each other. */
const BUSY_SHARE = 0.8;
/** Fewer do not keep a loop busy with sockets; something else does. */
const MIN_REQUESTS = 5000;

/** What tells that the loop is busy, and who hears of it, once. */
export interface LoadWatchOptions {
  readonly clock: Clock;
  /** Requests since the start. */
  readonly requestCount: () => number;
  /** Called once at most; nothing is watched afterwards. */
  readonly onBusy: () => void;
  /** Time that the loop was at work, in ms, since any moment; default: what Node measures. */
  readonly activeMs?: () => number;
}

/** Looks until it has told, or is cancelled. */
export function watchLoad(options: LoadWatchOptions): Timer {
  const { clock, requestCount, onBusy } = options;
  const activeMs = options.activeMs ?? (() => performance.eventLoopUtilization().active);
  let last = { count: requestCount(), activeMs: activeMs(), nowNs: clock.nowNs() };
  let busyLooks = 0;
  const timer = clock.every(LOOK_MS, () => {
    const now = { count: requestCount(), activeMs: activeMs(), nowNs: clock.nowNs() };
    const passedMs = (now.nowNs - last.nowNs) / 1e6;
    const share = (now.activeMs - last.activeMs) / passedMs;
    const perSecond = ((now.count - last.count) * 1000) / passedMs;
    last = now;
    busyLooks = share >= BUSY_SHARE && perSecond >= MIN_REQUESTS ? busyLooks + 1 : 0;
    if (busyLooks < NEEDED_LOOKS) return;
    timer.cancel();
    onBusy();
  });
  return timer;
}
