// How long nothing has come, looked at once a second while the page is shown.

import { useEffect, useState } from 'react';

import type { SeriesWindow } from '../../../src-shared/contract/observe-views.ts';
import type { SeriesPoint } from '../../../src-shared/contract/series-point.ts';
import { staleMs } from './series-state.ts';

/** Undefined while the history is fresh, or held on purpose. */
export function useStale(
  points: readonly SeriesPoint[],
  window: SeriesWindow,
  isHeld: boolean,
): number | undefined {
  const [nowMs, setNowMs] = useState(0);
  useEffect(() => {
    if (isHeld) return undefined;
    const timer = setInterval(() => {
      if (!document.hidden && staleMs(points, window, Date.now()) !== undefined) setNowMs(Date.now());
    }, 1000);
    return () => clearInterval(timer);
  }, [points, window, isHeld]);
  return isHeld ? undefined : staleMs(points, window, nowMs);
}
