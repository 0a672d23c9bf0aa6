// The points a chart shows: new ones are taken over in the chart's own animation frame, not while it is paused, hidden
// or out of view.

import { useEffect, useRef, useState } from 'react';

import { chartScheduler } from './chart-scheduler.ts';
import type { ChartPoint } from './chart-types.ts';

export function useDrawnPoints(points: readonly ChartPoint[], isHeld: boolean): readonly ChartPoint[] {
  const [drawn, setDrawn] = useState(points);
  const token = useRef({});
  useEffect(() => {
    const chart = token.current;
    if (isHeld) return undefined;
    chartScheduler.request(chart, () => setDrawn(points));
    return () => chartScheduler.cancel(chart);
  }, [points, isHeld]);
  return drawn;
}

/** False while the element is scrolled out of view. */
export function useIsVisible(): readonly [ref: (element: HTMLElement | null) => void, isVisible: boolean] {
  const [element, setElement] = useState<HTMLElement | null>(null);
  const [isVisible, setIsVisible] = useState(true);
  useEffect(() => {
    if (element === null || typeof IntersectionObserver === 'undefined') return undefined;
    // Several changes may come at once; the last is how it is now.
    const observer = new IntersectionObserver(
      (entries) => setIsVisible(entries.at(-1)?.isIntersecting ?? true),
      { rootMargin: '120px' },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, [element]);
  return [setElement, isVisible];
}
