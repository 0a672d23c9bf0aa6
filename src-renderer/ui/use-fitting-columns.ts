// The columns of a table that its box has room for.

import type { RefCallback, RefObject } from 'react';
import { useCallback, useMemo, useRef } from 'react';
import { useStore } from 'zustand';

import { appearance, BASE_REM_PX } from './appearance.ts';
import type { Column } from './table-model.ts';
import { fittingColumns } from './table-model.ts';
import { useBoxSize } from './use-box-size.ts';

/** The columns that have room, and the box that is measured. */
export interface FittingColumns<Row> {
  readonly columns: readonly Column<Row>[];
  /** The box once it is there. */
  readonly scroller: RefObject<HTMLDivElement | null>;
  /** Goes on the box. */
  readonly setScroller: RefCallback<HTMLDivElement>;
}

/** Of `all`, those that the box has room for: all of them until it was measured. */
export function useFittingColumns<Row>(all: readonly Column<Row>[]): FittingColumns<Row> {
  const scroller = useRef<HTMLDivElement>(null);
  const remPx = useStore(appearance, (state) => state.remPx);
  const [box, size] = useBoxSize();
  const setScroller = useCallback(
    (element: HTMLDivElement | null) => {
      scroller.current = element;
      box(element);
    },
    [box],
  );
  const columns = useMemo(
    () => fittingColumns(all, size?.width, remPx / BASE_REM_PX),
    [all, size?.width, remPx],
  );
  return { columns, scroller, setScroller };
}
