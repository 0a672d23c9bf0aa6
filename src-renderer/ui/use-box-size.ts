// The size of an element, observed once and reported when it has come to rest.

import { useCallback, useEffect, useState } from 'react';

/** In CSS pixels, without padding; both 0 until the element was measured. */
export interface BoxSize {
  readonly width: number;
  readonly height: number;
}

const DEBOUNCE_MS = 100;

/** Undefined until the element is there. */
export function useBoxSize(): readonly [
  ref: (element: HTMLElement | null) => void,
  size: BoxSize | undefined,
] {
  const [element, setElement] = useState<HTMLElement | null>(null);
  const [size, setSize] = useState<BoxSize>();
  const ref = useCallback((next: HTMLElement | null) => {
    setElement(next);
    if (next !== null) setSize(sizeOf(next));
  }, []);
  useEffect(() => {
    if (element === null || typeof ResizeObserver === 'undefined') return undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const observer = new ResizeObserver(() => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        setSize((before) => {
          const now = sizeOf(element);
          return before?.width === now.width && before.height === now.height ? before : now;
        });
      }, DEBOUNCE_MS);
    });
    observer.observe(element);
    return () => {
      observer.disconnect();
      clearTimeout(timer);
    };
  }, [element]);
  return [ref, size];
}

function sizeOf({ clientWidth, clientHeight }: HTMLElement): BoxSize {
  return { width: clientWidth, height: clientHeight };
}
