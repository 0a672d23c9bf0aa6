// Which part of the time the timeline shows: all of it until somebody zooms or moves, and again when all is asked for.

import { useMemo, useState } from 'react';

import type { TimelineBlock, TimelineLayout, TimeWindow } from './timeline-layout.ts';
import { moved, showing, wholeWindow, zoomed } from './timeline-layout.ts';

/** The window, and what changes it. */
export interface TimelineWindow {
  readonly window: TimeWindow;
  /** All of it is shown, and stays so while rows come. */
  readonly isWhole: boolean;
  /** `factor` below 1 shows less; without a moment around the middle. */
  readonly zoom: (factor: number, atNs?: number) => void;
  /** `byNs`: later when positive; it ends at the ends of the timeline. */
  readonly move: (byNs: number) => void;
  /** Moves as far as it takes to see the block; does nothing while all is shown. */
  readonly show: (block: TimelineBlock) => void;
  /** Shows all of it again. */
  readonly fit: () => void;
}

/** Another set of rows (`originNs` changed) is shown whole. */
export function useTimelineWindow(layout: TimelineLayout): TimelineWindow {
  const whole = useMemo(() => wholeWindow(layout), [layout]);
  const [chosen, setChosen] = useState<{ readonly window: TimeWindow; readonly originNs: number }>();
  const window = chosen?.originNs === layout.originNs ? chosen.window : whole;
  const set = (next: (now: TimeWindow) => TimeWindow): void =>
    setChosen((before) => ({
      window: next(before?.originNs === layout.originNs ? before.window : whole),
      originNs: layout.originNs,
    }));
  return {
    window,
    isWhole: chosen?.originNs !== layout.originNs,
    zoom: (factor, atNs) => set((now) => zoomed(now, factor, atNs ?? (now.fromNs + now.toNs) / 2, whole)),
    move: (byNs) => set((now) => moved(now, byNs, whole)),
    show: (block) => {
      if (window !== whole) set((now) => showing(now, block, whole));
    },
    fit: () => setChosen(undefined),
  };
}
