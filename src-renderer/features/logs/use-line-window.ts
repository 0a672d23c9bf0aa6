// Which lines of a long list are drawn, and where. A list that is followed shows its end; else what is read stays in
// its place while lines come, go or turn out to be higher than others. Work follows from the lines in view alone.

import type { RefObject } from 'react';
import { useLayoutEffect, useReducer, useRef, useState } from 'react';
import { useStore } from 'zustand';

import { appearance } from '../../ui/appearance.ts';
import { LineHeights } from './line-heights.ts';
import type { NumberedLine } from './line-heights.ts';

/** Of a usual line, in rem. */
const LINE_REM = 1.25;
/** Lines beyond those in view, each way; drawn anew in steps of half as many. */
const OVERSCAN = 20;
const STEP = OVERSCAN / 2;
/** Until it was laid out. */
const VIEW_PX = 400;

/** The part of the list that is drawn. */
export interface LineWindow {
  /** Indexes of the first line that is drawn, and of the one behind the last. */
  readonly from: number;
  readonly to: number;
  /** Upper edge of the first one, and the height of the whole list, in CSS px. */
  readonly topPx: number;
  readonly totalPx: number;
  /** To be called when the element was scrolled. */
  readonly onScroll: () => void;
}

/** What the window is of. */
export interface LineWindowOptions {
  readonly scroller: RefObject<HTMLElement | null>;
  /** Its children are the lines that are drawn, in their order. */
  readonly rows: RefObject<HTMLElement | null>;
  /** May grow in place at its end. */
  readonly lines: readonly NumberedLine[];
  readonly isFollowing: boolean;
  /** Whether all lines are of one height, some are higher, or each is as high as its text needs. */
  readonly shape: 'single' | 'mixed' | 'wrapped';
}

/** To be drawn with each change of the list. */
export function useLineWindow({ scroller, rows, lines, isFollowing, shape }: LineWindowOptions): LineWindow {
  const linePx = useStore(appearance, ({ remPx }) => remPx * LINE_REM);
  const [heights] = useState(() => new LineHeights(linePx));
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  const [scrolledTo, setScrolledTo] = useState(0);
  const view = useViewSize(scroller);
  // Lines that wrap are as high as the list is wide.
  heights.reshape(linePx, shape === 'wrapped' ? `wrapped at ${view.width}` : shape);
  heights.show(lines);
  const { totalPx } = heights;
  const viewPx = view.height || VIEW_PX;
  const first = heights.indexAt(isFollowing ? totalPx - viewPx : scrolledTo);
  const last = isFollowing ? lines.length : heights.indexAt(scrolledTo + viewPx) + 1;
  const from = Math.max(0, STEP * Math.floor(first / STEP) - OVERSCAN);
  const to = Math.min(lines.length, STEP * Math.ceil(last / STEP) + OVERSCAN);
  /** The line that is read, and where it stood. */
  const read = useRef({ sequence: 0, px: 0 });

  useAfterDrawing(() => {
    if (rows.current === null || shape === 'single') return;
    if (measureRows(heights, rows.current, from)) redraw();
  });
  useLayoutEffect(() => {
    if (isFollowing) scroller.current?.scrollTo({ top: totalPx });
  }, [scroller, isFollowing, totalPx, viewPx]);
  useAfterDrawing(() => {
    const element = scroller.current;
    // By as much as the line moved: the user may have scrolled meanwhile.
    const movedPx = heights.topOf(heights.indexOf(read.current.sequence)) - read.current.px;
    if (isFollowing || element === null || movedPx === 0) return;
    read.current = { ...read.current, px: read.current.px + movedPx };
    element.scrollTo({ top: element.scrollTop + movedPx });
    setScrolledTo(element.scrollTop);
  });

  const onScroll = (): void => {
    const px = scroller.current?.scrollTop ?? 0;
    const index = heights.indexAt(px);
    read.current = { sequence: lines[index]?.sequence ?? 0, px: heights.topOf(index) };
    // One drawing for several lines.
    setScrolledTo((before) => (Math.abs(px - before) < STEP * linePx && px > 0 ? before : px));
  };
  return { from, to, topPx: heights.topOf(from), totalPx, onScroll };
}

/** Each time, before the browser paints; `look` must come to an end with drawings of its own. */
function useAfterDrawing(look: () => void): void {
  useLayoutEffect(() => look());
}

/** Whether a line is another height than was known. */
function measureRows(heights: LineHeights, rows: HTMLElement, from: number): boolean {
  let isOther = false;
  [...rows.children].forEach((row, at) => {
    const { height } = row.getBoundingClientRect();
    if (height > 0 && heights.measured(from + at, height)) isOther = true;
  });
  return isOther;
}

function useViewSize(scroller: RefObject<HTMLElement | null>): {
  readonly width: number;
  readonly height: number;
} {
  const [size, setSize] = useState({ width: 0, height: 0 });
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null) return undefined;
    const look = (): void => {
      const { clientWidth: width, clientHeight: height } = element;
      setSize((before) => (before.width === width && before.height === height ? before : { width, height }));
    };
    look();
    if (typeof ResizeObserver === 'undefined') return undefined;
    const observer = new ResizeObserver(look);
    observer.observe(element);
    return () => observer.disconnect();
  }, [scroller]);
  return size;
}
