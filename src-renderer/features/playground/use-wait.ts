// How long an answer has been waited for, once that is long enough to say.

import { useEffect, useState } from 'react';

const TICK_MS = 1000;

/** Whole seconds in milliseconds; undefined in the first second, in which the answer before may stay, and when nothing waits. */
export function useWait(isWaiting: boolean): number | undefined {
  const [ticks, setTicks] = useState(0);
  useEffect(() => {
    if (!isWaiting) return undefined;
    const timer = setInterval(() => setTicks((before) => before + 1), TICK_MS);
    return () => {
      clearInterval(timer);
      setTicks(0);
    };
  }, [isWaiting]);
  return isWaiting && ticks > 0 ? ticks * TICK_MS : undefined;
}
