// Mouse and keyboard of a table, as handlers for its scrolling element: rows are found by data-index, and controls inside
// rows keep their own clicks and keys.

import type { KeyboardEvent, MouseEvent } from 'react';
import { useRef } from 'react';

import { movedIndex, select } from './table-model.ts';

/** What the table shows, and who hears what is done with it. */
export interface TableGestureOptions<Row> {
  /** In the order shown. */
  readonly rows: readonly Row[];
  readonly keys: readonly string[];
  /** Rows that Page Up and Page Down move by, at least 1. */
  readonly pageSize: () => number;
  readonly selected: ReadonlySet<string>;
  /** Keys of all selected rows; undefined = nothing can be selected. */
  readonly onSelected: ((selected: ReadonlySet<string>) => void) | undefined;
  /** Enter or double click; undefined = rows cannot be opened. */
  readonly onOpen: ((row: Row) => void) | undefined;
  /** Keys that move, select and open do not come here; true = the key was handled. */
  readonly onRowKey: ((event: KeyboardEvent, row: Row) => boolean) | undefined;
  /** `isByKey`: the row must also be scrolled to and focused. */
  readonly onFocus: (index: number, isByKey: boolean) => void;
}

interface TableGestures {
  readonly onClick: (event: MouseEvent) => void;
  readonly onMouseDown: (event: MouseEvent) => void;
  readonly onDoubleClick: (event: MouseEvent) => void;
  readonly onKeyDown: (event: KeyboardEvent) => void;
}

interface Held {
  readonly shiftKey: boolean;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
}

/** A click selects, with Control adds, with Shift takes the range from the last click; Enter and double click open. */
export function useTableGestures<Row>(options: TableGestureOptions<Row>): TableGestures {
  const { rows, keys, selected, onSelected, onOpen, onRowKey, onFocus } = options;
  const anchor = useRef<string>(undefined);
  const pick = (index: number, held: Held): void => {
    const key = keys[index] ?? '';
    const isToggle = held.ctrlKey || held.metaKey;
    onSelected?.(select(keys, selected, anchor.current, { key, isRange: held.shiftKey, isToggle }));
    if (!held.shiftKey || !keys.includes(anchor.current ?? '')) anchor.current = key;
  };
  const hitOf = (target: EventTarget): { readonly index: number; readonly row: Row } | undefined => {
    if (isControl(target)) return undefined;
    const element = (target as HTMLElement).closest<HTMLElement>('[data-index]');
    const index = Number(element?.dataset['index'] ?? -1);
    const row = rows[index];
    return row === undefined ? undefined : { index, row };
  };
  return {
    onClick: (event) => {
      const hit = hitOf(event.target);
      if (hit === undefined) return;
      onFocus(hit.index, false);
      pick(hit.index, event);
    },
    onMouseDown: (event) => {
      // Shift extends the selection of rows, and a double click opens one: neither is about the text in them. A word that is
      // selected while its row goes away grows to the whole page.
      if ((event.shiftKey || event.detail > 1) && hitOf(event.target) !== undefined) event.preventDefault();
    },
    onDoubleClick: (event) => {
      const hit = hitOf(event.target);
      if (hit !== undefined) onOpen?.(hit.row);
    },
    onKeyDown: (event) => {
      const hit = hitOf(event.target);
      if (hit === undefined) return;
      const isMod = event.ctrlKey || event.metaKey;
      const next = movedIndex(event.key, hit.index, rows.length, options.pageSize());
      if (next !== undefined) {
        event.preventDefault();
        onFocus(next, true);
        // The focus may have come by Tab, so that nothing was selected yet: the range begins where it is.
        if (event.shiftKey && !keys.includes(anchor.current ?? '')) anchor.current = keys[hit.index];
        if (!isMod) pick(next, event);
      } else if (event.key === 'Enter' && !isMod) onOpen?.(hit.row);
      else if (event.key === ' ') {
        event.preventDefault();
        pick(hit.index, { shiftKey: event.shiftKey, ctrlKey: true, metaKey: false });
      } else if (event.key === 'a' && isMod) {
        event.preventDefault();
        onSelected?.(new Set(keys));
      } else if (onRowKey?.(event, hit.row) === true) event.preventDefault();
    },
  };
}

function isControl(target: EventTarget): boolean {
  return (target as HTMLElement).closest('button, a, input, [role="menuitem"]') !== null;
}
