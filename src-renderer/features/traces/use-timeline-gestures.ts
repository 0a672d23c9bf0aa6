// What the pointer and the keys do on the timeline. Every gesture of the pointer has a key, and buttons for zooming.

import type { KeyboardEvent, MouseEvent, PointerEvent, RefObject } from 'react';
import { useEffect, useEffectEvent, useRef } from 'react';

import type { TimelineHit } from './timeline-hit.ts';
import { besideBlock } from './timeline-hit.ts';
import type { TimelineBlock, TimelineLayout } from './timeline-layout.ts';
import { nsOf } from './timeline-paint.ts';
import { choose } from './trace-store.ts';
import type { TimelineWindow } from './use-timeline-window.ts';

const KEY_ZOOM = 1.5;
const WHEEL_ZOOM = 0.0015;
/** Share of the window that a key moves. */
const KEY_MOVE = 0.2;
/** Pixels after which a press is a drag and no click. */
const DRAG_PX = 4;

interface GestureOptions {
  readonly scroller: RefObject<HTMLElement | null>;
  readonly layout: TimelineLayout;
  readonly time: TimelineWindow;
  readonly width: number;
  readonly chosen: TimelineBlock | undefined;
  readonly hit: (event: { readonly clientX: number; readonly clientY: number }) => TimelineHit | undefined;
  readonly onHover: (hit: TimelineHit | undefined) => void;
}

const ARROWS = ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown'] as const;
type Arrow = (typeof ARROWS)[number];
const isArrow = (key: string): key is Arrow => ARROWS.some((arrow) => arrow === key);

/** Handlers of the element that scrolls the lanes. */
export function useTimelineGestures(options: GestureOptions) {
  const { scroller, layout, time, width, chosen, hit, onHover } = options;
  const drag = useRef<{ x: number; y: number; isMoved: boolean }>(undefined);
  const nsPerPx = (time.window.toNs - time.window.fromNs) / Math.max(1, width);
  useWheel(scroller, (event) => {
    const left = scroller.current?.getBoundingClientRect().left ?? 0;
    if (Math.abs(event.deltaX) > Math.abs(event.deltaY) || event.shiftKey) {
      time.move((event.deltaX === 0 ? event.deltaY : event.deltaX) * nsPerPx);
    } else {
      time.zoom(Math.exp(event.deltaY * WHEEL_ZOOM), nsOf(event.clientX - left, time.window, width));
    }
  });
  const select = (found: TimelineHit | undefined): void => {
    if (found === undefined) choose(undefined);
    else if (found.kind === 'block') choose({ kind: 'execution', id: found.block.id });
    else choose({ kind: 'request', id: found.wait.row.id });
  };
  return {
    onPointerDown: (event: PointerEvent) => {
      if (event.button !== 0) return;
      drag.current = { x: event.clientX, y: event.clientY, isMoved: false };
    },
    onPointerMove: (event: PointerEvent) => {
      const from = drag.current;
      if (from === undefined) {
        onHover(hit(event));
        return;
      }
      if (!from.isMoved && Math.hypot(event.clientX - from.x, event.clientY - from.y) < DRAG_PX) return;
      if (!from.isMoved) event.currentTarget.setPointerCapture(event.pointerId);
      time.move((from.x - event.clientX) * nsPerPx);
      scroller.current?.scrollBy(0, from.y - event.clientY);
      drag.current = { x: event.clientX, y: event.clientY, isMoved: true };
    },
    onPointerUp: (event: PointerEvent) => {
      const from = drag.current;
      drag.current = undefined;
      if (from !== undefined && !from.isMoved) select(hit(event));
    },
    onPointerCancel: () => (drag.current = undefined),
    onPointerLeave: () => onHover(undefined),
    onDoubleClick: (event: MouseEvent) => {
      event.preventDefault();
      time.fit();
    },
    onKeyDown: (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (onKey(event, { layout, time, chosen })) event.preventDefault();
    },
  };
}

/** Whether the key means something here. */
function onKey(
  { key, shiftKey }: KeyboardEvent,
  { layout, time, chosen }: Pick<GestureOptions, 'layout' | 'time' | 'chosen'>,
): boolean {
  const width = time.window.toNs - time.window.fromNs;
  // What is chosen stays in sight.
  const middle = chosen === undefined ? undefined : (chosen.startNs + chosen.endNs) / 2;
  if (isArrow(key) && shiftKey) {
    if (key === 'ArrowLeft' || key === 'ArrowRight')
      time.move((key === 'ArrowRight' ? KEY_MOVE : -KEY_MOVE) * width);
  } else if (isArrow(key)) {
    const next = besideBlock(layout, chosen, key);
    if (next !== undefined) {
      choose({ kind: 'execution', id: next.id });
      time.show(next);
    }
  } else if (key === '+' || key === '=') time.zoom(1 / KEY_ZOOM, middle);
  else if (key === '-') time.zoom(KEY_ZOOM, middle);
  else if (key === '0') time.fit();
  else if (key === 'Escape') choose(undefined);
  else if (key === 'Enter' && chosen?.rows[0] !== undefined)
    choose({ kind: 'request', id: chosen.rows[0].id });
  else return false;
  return true;
}

/** React listens to the wheel in a way that cannot keep the page from scrolling. */
function useWheel(element: RefObject<HTMLElement | null>, listener: (event: WheelEvent) => void): void {
  const onWheel = useEffectEvent((event: WheelEvent) => {
    event.preventDefault();
    listener(event);
  });
  useEffect(() => {
    const target = element.current;
    const handle = (event: WheelEvent): void => onWheel(event);
    target?.addEventListener('wheel', handle, { passive: false });
    return () => target?.removeEventListener('wheel', handle);
  }, [element]);
}
