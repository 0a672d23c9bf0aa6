// Moves the focus of a table to one of its rows, which is scrolled to and may not be drawn yet.

import { useEffect, useRef } from 'react';
import type { RefObject } from 'react';

interface RowMoveOptions {
  readonly scroller: RefObject<HTMLElement | null>;
  /** Of all rows, in the order shown. */
  readonly keys: readonly string[];
  /** The row that has the focus, or gets it when one comes to the table; it is always drawn. */
  readonly focusIndex: number;
  readonly onMove: (key: string | undefined) => void;
  readonly scrollTo: (index: number) => void;
}

interface RowMoves {
  readonly moveTo: (index: number) => void;
  /** To the row that had the focus last; nowhere in an empty table. */
  readonly enter: () => void;
}

/** The focus follows once the row is drawn. */
export function useRowMoves({ scroller, keys, focusIndex, onMove, scrollTo }: RowMoveOptions): RowMoves {
  const shouldFocus = useRef(false);
  const focus = (options?: FocusOptions): void =>
    scroller.current?.querySelector<HTMLElement>(`[data-index="${focusIndex}"]`)?.focus(options);
  useEffect(() => {
    if (!shouldFocus.current) return;
    shouldFocus.current = false;
    focus();
  });
  return {
    moveTo: (index) => {
      onMove(keys[index]);
      shouldFocus.current = true;
      scrollTo(index);
    },
    enter: () => {
      if (keys.length === 0) return;
      onMove(keys[focusIndex]);
      scrollTo(focusIndex);
      focus({ preventScroll: true });
    },
  };
}
