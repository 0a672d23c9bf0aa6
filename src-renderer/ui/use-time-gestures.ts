// Pointer and keys of a chart over time: the crosshair follows the pointer, arrow keys move it along the points and say
// the values, drag picks the part to zoom into, double click shows everything again.

import type { KeyboardEvent, PointerEvent } from 'react';
import { useEffect, useRef, useState } from 'react';
import type { StoreApi } from 'zustand/vanilla';

import type { AxisScale } from './chart-axis.ts';
import type { ChartGroupState } from './chart-group.tsx';
import type { ChartPoint, ChartSeries } from './chart-types.ts';
import type { PlotArea } from './plot-geometry.ts';
import { nearestPoint } from './plot-geometry.ts';

interface TimeGestureOptions {
  readonly group: StoreApi<ChartGroupState>;
  readonly element: HTMLElement | null;
  readonly area: PlotArea;
  readonly points: readonly ChartPoint[];
  readonly series: readonly ChartSeries[];
  readonly left: AxisScale;
  readonly right: AxisScale | undefined;
  readonly range: readonly [number, number];
  readonly xText: (x: number) => string;
  readonly onZoom: (range: readonly [number, number] | undefined) => void;
}

/** What pointer and keys do with a chart over time. */
export interface TimeGestures {
  /** Times between which the pointer is dragged. */
  readonly selection: readonly [number, number] | undefined;
  /** Values at the place that the keyboard moved to. */
  readonly spoken: string;
  readonly handlers: {
    readonly onPointerDown: (event: PointerEvent) => void;
    readonly onPointerMove: (event: PointerEvent) => void;
    readonly onPointerUp: () => void;
    readonly onPointerLeave: () => void;
    readonly onPointerCancel: () => void;
    readonly onDoubleClick: () => void;
    readonly onKeyDown: (event: KeyboardEvent) => void;
    readonly onBlur: () => void;
  };
}

/** A shorter drag is a click. */
const LEAST_DRAG_PX = 4;
const PAGE_POINTS = 10;

interface Drag {
  readonly from: number;
  readonly to: number;
  readonly fromPx: number;
  readonly isWide: boolean;
}

/**
 * `onZoom` gets the range in the unit of x, or undefined for everything. A drag of a few pixels is a click, not
 * a zoom.
 */
export function useTimeGestures(options: TimeGestureOptions): TimeGestures {
  const { group, element, area, range, onZoom } = options;
  const [drag, setDrag] = useState<Drag>();
  const [spoken, setSpoken] = useState('');
  const isOwn = useRef(false);
  const setHover = (hover: number | undefined): void => {
    isOwn.current = hover !== undefined;
    group.setState({ hover });
  };
  // A chart that leaves takes its crosshair along.
  useEffect(
    () => () => {
      if (isOwn.current) group.setState({ hover: undefined });
    },
    [group],
  );
  const fractionAt = ({ clientX }: { readonly clientX: number }): number => {
    const x = clientX - (element?.getBoundingClientRect().left ?? 0);
    return Math.min(1, Math.max(0, (x - area.left) / (area.right - area.left)));
  };
  const timeAt = (fraction: number): number => range[0] + fraction * (range[1] - range[0]);
  const end = (): void => setDrag(undefined);
  return {
    selection:
      drag?.isWide === true ? [Math.min(drag.from, drag.to), Math.max(drag.from, drag.to)] : undefined,
    spoken,
    handlers: {
      onPointerDown: (event) => {
        if (event.button !== 0) return;
        const at = timeAt(fractionAt(event));
        setDrag({ from: at, to: at, fromPx: event.clientX, isWide: false });
      },
      onPointerMove: (event) => {
        const fraction = fractionAt(event);
        setHover(fraction);
        if (drag === undefined) return;
        const isWide = drag.isWide || Math.abs(event.clientX - drag.fromPx) >= LEAST_DRAG_PX;
        // From here on the drag may leave the chart; a click without one stays with what is under the pointer.
        if (isWide && !drag.isWide) element?.setPointerCapture(event.pointerId);
        setDrag({ ...drag, to: timeAt(fraction), isWide });
      },
      onPointerUp: () => {
        if (drag?.isWide === true && drag.from !== drag.to)
          onZoom([Math.min(drag.from, drag.to), Math.max(drag.from, drag.to)]);
        end();
      },
      onPointerLeave: () => {
        setHover(undefined);
        end();
      },
      onPointerCancel: end,
      onDoubleClick: () => onZoom(undefined),
      onKeyDown: (event) => {
        const index = movedPoint(event.key, options, group.getState().hover);
        if (event.key === 'Escape') {
          setHover(undefined);
          end();
        }
        const point = index === undefined ? undefined : options.points[index];
        if (point === undefined) return;
        event.preventDefault();
        setHover((point.x - range[0]) / (range[1] - range[0] || 1));
        setSpoken(textAt(point, options));
      },
      onBlur: () => {
        setHover(undefined);
        setSpoken('');
      },
    },
  };
}

/** Where a key leads along the points that have values; from the newest when there is no crosshair yet. */
function movedPoint(
  key: string,
  { points, series, range }: Pick<TimeGestureOptions, 'points' | 'series' | 'range'>,
  hover: number | undefined,
): number | undefined {
  const steps: Readonly<Record<string, number>> = {
    ArrowLeft: -1,
    ArrowRight: 1,
    PageUp: PAGE_POINTS,
    PageDown: -PAGE_POINTS,
    Home: -Infinity,
    End: Infinity,
  };
  const step = steps[key];
  if (step === undefined) return undefined;
  const [from, to] = range;
  const indices = [...points.keys()].filter((index) => {
    const point = points[index];
    if (point === undefined || point.x < from || point.x > to) return false;
    return series.some((one) => point[one.key] !== undefined);
  });
  const newest = indices.length - 1;
  if (hover === undefined) return indices[step === -Infinity ? 0 : newest];
  const at = nearestPoint(points, series, from + hover * (to - from));
  const here = Math.max(0, at === undefined ? newest : indices.indexOf(at));
  return indices[Math.min(newest, Math.max(0, here + step))];
}

function textAt(
  point: ChartPoint,
  { series, left, right, xText }: Pick<TimeGestureOptions, 'series' | 'left' | 'right' | 'xText'>,
): string {
  const parts = series.map((one) => {
    const scale = one.axis === 'right' ? (right ?? left) : left;
    return `${one.title} ${scale.valueText(point[one.key])}`;
  });
  return `${xText(point.x)}: ${parts.join(', ')}`;
}
