// Mouse and keyboard of a table, as handlers for its scrolling element: rows are found by data-index, and controls inside
// rows keep their own clicks and keys; the menu of a row is theirs too.

import type { KeyboardEvent, MouseEvent } from 'react';
import { useRef } from 'react';

import { movedIndex, select } from './table-model.ts';

/** Where the menu of a row is asked for. */
export interface RowPlace<Row> {
  readonly row: Row;
  /** What has the focus when the menu has gone. */
  readonly element: HTMLElement;
  /** In the window: of the pointer, or of the row when a key asked. */
  readonly x: number;
  readonly y: number;
}

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
  /** A right click on a row, or the key for menus on it; undefined = rows have no menu. */
  readonly onRowMenu: ((place: RowPlace<Row>) => void) | undefined;
  /** `isByKey`: the row must also be scrolled to and focused. */
  readonly onFocus: (index: number, isByKey: boolean) => void;
}

interface TableGestures {
  readonly onClick: (event: MouseEvent) => void;
  readonly onMouseDown: (event: MouseEvent) => void;
  readonly onDoubleClick: (event: MouseEvent) => void;
  readonly onKeyDown: (event: KeyboardEvent) => void;
  readonly onContextMenu: (event: MouseEvent) => void;
}

interface Hit<Row> {
  readonly index: number;
  readonly row: Row;
  readonly element: HTMLElement;
}

interface Held {
  readonly shiftKey: boolean;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
}

const NOTHING_HELD: Held = { shiftKey: false, ctrlKey: false, metaKey: false };

/** A click selects, with Control adds, with Shift takes the range from the last click; Enter and double click open. */
export function useTableGestures<Row>(options: TableGestureOptions<Row>): TableGestures {
  const { rows, keys, selected, onSelected, onOpen, onRowKey, onRowMenu, onFocus } = options;
  const anchor = useRef<string>(undefined);
  const pick = (index: number, held: Held): void => {
    const key = keys[index] ?? '';
    const isToggle = held.ctrlKey || held.metaKey;
    onSelected?.(select(keys, selected, anchor.current, { key, isRange: held.shiftKey, isToggle }));
    if (!held.shiftKey || !keys.includes(anchor.current ?? '')) anchor.current = key;
  };
  const rowOf = (target: EventTarget): Hit<Row> | undefined => {
    const element = (target as HTMLElement).closest<HTMLElement>('[data-index]');
    const index = Number(element?.dataset['index'] ?? -1);
    const row = rows[index];
    return element === null || row === undefined ? undefined : { index, row, element };
  };
  const hitOf = (target: EventTarget): Hit<Row> | undefined =>
    isControl(target) ? undefined : rowOf(target);
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
    onContextMenu: (event) => {
      const hit = rowOf(event.target);
      if (hit === undefined || onRowMenu === undefined) return;
      event.preventDefault();
      onFocus(hit.index, false);
      // One of several that are selected speaks for all of them.
      if (!selected.has(keys[hit.index] ?? '')) pick(hit.index, NOTHING_HELD);
      onRowMenu({ row: hit.row, ...placeOfMenu(event, hit.element) });
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

/** A button of the row keeps the focus. Chromium names no button of the pointer where a key asked. */
function placeOfMenu(event: MouseEvent, row: HTMLElement): Omit<RowPlace<never>, 'row'> {
  const { activeElement } = row.ownerDocument;
  const element = activeElement instanceof HTMLElement && row.contains(activeElement) ? activeElement : row;
  if (event.button >= 0) return { element, x: event.clientX, y: event.clientY };
  const { left, bottom } = element.getBoundingClientRect();
  return { element, x: left, y: bottom };
}

function isControl(target: EventTarget): boolean {
  return (target as HTMLElement).closest('button, a, input, [role="menuitem"]') !== null;
}
