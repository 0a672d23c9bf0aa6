// A strip at the bottom of the window: messages come up above it, since it has buttons of its own.

import { useEffect, useRef } from 'react';
import type { RefObject } from 'react';

/** Of the document's root: the height that such a strip takes; not set while there is none. */
export const BOTTOM_STRIP = '--bottom-strip';

/** For the one element that is such a strip while it is shown. */
export function useBottomStrip(): RefObject<HTMLElement | null> {
  const ref = useRef<HTMLElement>(null);
  useEffect(() => {
    const element = ref.current;
    if (element === null) return undefined;
    const { style } = document.documentElement;
    const tell = (): void => style.setProperty(BOTTOM_STRIP, `${element.offsetHeight}px`);
    tell();
    const observer = typeof ResizeObserver === 'undefined' ? undefined : new ResizeObserver(tell);
    observer?.observe(element);
    return () => {
      observer?.disconnect();
      style.removeProperty(BOTTOM_STRIP);
    };
  }, []);
  return ref;
}
