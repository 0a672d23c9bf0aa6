// The focus of a table whose focused row went away, because it was deleted or no longer fits: it goes to the row that took
// its place. A table without the focus begins at its first row again.

import { useLayoutEffect, useRef } from 'react';
import type { FocusEvent } from 'react';

interface RowFocusHandlers {
  readonly onFocus: (event: FocusEvent) => void;
  readonly onBlur: () => void;
}

/**
 * Calls `moveTo` with the index of the row that is to have the focus. Handlers are for the scrolling element: React
 * tells of no blur for what it takes away itself, so they know that the focus was in a row.
 */
export function useRowFocus(
  keys: readonly string[],
  focusKey: string | undefined,
  moveTo: (index: number) => void,
): RowFocusHandlers {
  const isInRow = useRef(false);
  const lastIndex = useRef(0);
  useLayoutEffect(() => {
    if (focusKey === undefined) return;
    const index = keys.indexOf(focusKey);
    if (index >= 0) lastIndex.current = index;
    else if (isInRow.current && keys.length > 0) moveTo(Math.min(lastIndex.current, keys.length - 1));
  });
  return {
    onFocus: ({ target }) => (isInRow.current = target.closest('[data-index]') !== null),
    onBlur: () => (isInRow.current = false),
  };
}
