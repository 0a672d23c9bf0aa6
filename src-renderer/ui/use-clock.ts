// The time, for what says how long something has lasted.

import { useEffect, useState } from 'react';

const TICK_MS = 1000;

/** Milliseconds since the epoch, anew each second. */
export function useClock(): number {
  const [nowMs, setNowMs] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  return nowMs;
}
