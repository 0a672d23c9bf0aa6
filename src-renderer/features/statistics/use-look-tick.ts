// A number that changes once a second with the server's samples, but not while the page is hidden or held.

import { useEffect, useState } from 'react';

import { useEngine } from '../../engine/engine-context.tsx';

/** The time of the newest sample; stays while `isHeld`. */
export function useLookTick(isHeld: boolean): number {
  const { samples } = useEngine().state;
  const [tick, setTick] = useState(0);
  useEffect(() => {
    if (isHeld) return undefined;
    const look = (): void => {
      if (!document.hidden) setTick(samples.getState().perSecond?.atMs ?? 0);
    };
    const off = samples.subscribe((state, before) => {
      if (state.perSecond !== before.perSecond) look();
    });
    document.addEventListener('visibilitychange', look);
    return () => {
      off();
      document.removeEventListener('visibilitychange', look);
    };
  }, [samples, isHeld]);
  return tick;
}
