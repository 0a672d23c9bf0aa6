// Whether the content of a scrolling element is wider than it. Columns that stay in view cost a layer per cell, so they
// are only made to stay when something can scroll sideways.

import type { RefObject } from 'react';
import { useEffect, useState } from 'react';

/** False until it was measured, and where sizes cannot be observed. */
export function useOverflowAcross(scroller: RefObject<HTMLElement | null>): boolean {
  const [isWide, setIsWide] = useState(false);
  useEffect(() => {
    const element = scroller.current;
    if (element === null || typeof ResizeObserver === 'undefined') return undefined;
    const observer = new ResizeObserver(() => setIsWide(element.scrollWidth > element.clientWidth));
    observer.observe(element);
    if (element.firstElementChild !== null) observer.observe(element.firstElementChild);
    return () => observer.disconnect();
  }, [scroller]);
  return isWide;
}
