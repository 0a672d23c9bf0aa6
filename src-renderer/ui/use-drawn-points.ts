// What a chart shows: new data is taken over in the chart's own animation frame, all parts of it together, and not
// while it is paused, hidden or out of view.

import { useEffect, useRef, useState } from 'react';

import { chartScheduler } from './chart-scheduler.ts';

/** `data` must keep its identity while it is the same; `holds` tells of what is drawn whether it stays. */
export function useDrawn<Data>(data: Data, holds: (drawn: Data) => boolean): Data {
  const [drawn, setDrawn] = useState(data);
  const token = useRef({});
  const isHeld = holds(drawn);
  useEffect(() => {
    const chart = token.current;
    if (isHeld) return undefined;
    chartScheduler.request(chart, () => setDrawn(data));
    return () => chartScheduler.cancel(chart);
  }, [data, isHeld]);
  return drawn;
}

/** True from the chart's own first frame on: a screen full of charts is put together one chart per frame. */
export function useFirstTurn(): boolean {
  const [isTurn, setIsTurn] = useState(false);
  useEffect(() => {
    const chart = {};
    chartScheduler.request(chart, () => setIsTurn(true));
    return () => chartScheduler.cancel(chart);
  }, []);
  return isTurn;
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
