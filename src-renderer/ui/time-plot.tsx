// Lines and areas over time, as plain SVG: for charts that are drawn again once or twice a second, where a charting
// library's own work per update is many times that of the paths. Pointer and keyboard share one crosshair per group of
// charts; what it says belongs to a place on the axis, so the data move on beneath it.

import { memo, useCallback, useId, useMemo, useState } from 'react';
import { useStore } from 'zustand';
import type { StoreApi } from 'zustand/vanilla';

import { t } from '../texts/translate.ts';
import type { AxisScale } from './chart-axis.ts';
import { timeText, timeTicks } from './chart-axis.ts';
import type { ChartGroupState } from './chart-group.tsx';
import { ValueBox } from './chart-tooltip.tsx';
import type { ChartBand, ChartLimit, ChartMarker, ChartPoint, ChartSeries } from './chart-types.ts';
import { ROLE_COLORS } from './chart-types.ts';
import type { PlotArea } from './plot-geometry.ts';
import { nearestPoint, placeAcross, placeUp, plotArea, pointsWithin, roomyTicks } from './plot-geometry.ts';
import { Bands, Limit, Lines, MarkerLabels, Markers, TimeAxis, ValueAxis } from './time-plot-layers.tsx';
import { useBoxSize } from './use-box-size.ts';
import { useTimeGestures } from './use-time-gestures.ts';

/** What the plot draws; times are Unix milliseconds. */
export interface TimePlotProps {
  readonly title: string;
  readonly group: StoreApi<ChartGroupState>;
  readonly points: readonly ChartPoint[];
  readonly series: readonly ChartSeries[];
  readonly left: AxisScale;
  readonly right: AxisScale | undefined;
  /** What a time is called at the crosshair. */
  readonly xText: (x: number) => string;
  readonly range: readonly [number, number];
  readonly isLog: boolean;
  readonly markers: readonly ChartMarker[];
  readonly bands: readonly ChartBand[];
  readonly limit: ChartLimit | undefined;
  /** The part of the time that was dragged over, the earlier end first; undefined = all of it. */
  readonly onZoom: (range: readonly [number, number] | undefined) => void;
}

/** Lines over time; everything else is drawn by the library. */
export function isTimePlot(xKind: string, series: readonly ChartSeries[]): boolean {
  return xKind === 'time' && series.every(({ shape = 'line' }) => shape === 'line' || shape === 'area');
}

/** Times are Unix milliseconds; charts of one `group` share their crosshair. */
export const TimePlot = memo(function TimePlot(props: TimePlotProps) {
  const { points, series, left, right, range, group, xText } = props;
  const [box, size] = useBoxSize();
  const [element, setElement] = useState<HTMLElement | null>(null);
  const ref = useCallback(
    (next: HTMLElement | null) => {
      box(next);
      setElement(next);
    },
    [box],
  );
  const id = useId();
  const { width = 0, height = 0 } = size ?? {};
  const area = useMemo(() => plotArea(width, height, right !== undefined), [width, height, right]);
  const shown = useMemo(() => pointsWithin(points, range), [points, range]);
  const across = useMemo(() => placeAcross(range, area), [range, area]);
  const { selection, spoken, handlers } = useTimeGestures({ ...props, element, area, points: shown });
  return (
    <div
      ref={ref}
      role="application"
      aria-label={t('chart.values', { title: props.title })}
      tabIndex={0}
      className="focus-inset relative h-full w-full touch-pan-y select-none"
      {...handlers}
    >
      {size !== undefined && (
        <svg data-plot width={width} height={height} className="block" aria-hidden="true">
          <PlotFrame {...props} area={area} width={width} across={across} />
          <clipPath id={`${id}-clip`}>
            <rect x={area.left} y={0} width={area.right - area.left} height={Math.max(0, area.bottom + 1)} />
          </clipPath>
          <g clipPath={`url(#${id}-clip)`}>
            <Lines
              points={shown}
              series={series}
              left={left}
              right={right}
              isLog={props.isLog}
              area={area}
              across={across}
            />
          </g>
          <MarkerLabels markers={props.markers} area={area} across={across} />
          {selection !== undefined && (
            <rect
              x={across(selection[0])}
              y={area.top}
              width={Math.max(0, across(selection[1]) - across(selection[0]))}
              height={area.bottom - area.top}
              fill="var(--accent)"
              fillOpacity={0.15}
            />
          )}
        </svg>
      )}
      {size !== undefined && (
        <Crosshair
          group={group}
          points={shown}
          series={series}
          left={left}
          right={right}
          isLog={props.isLog}
          xText={xText}
          range={range}
          area={area}
        />
      )}
      <span role="status" aria-live="polite" className="sr-only">
        {spoken}
      </span>
    </div>
  );
});

type FrameProps = Pick<
  TimePlotProps,
  'left' | 'right' | 'isLog' | 'range' | 'markers' | 'bands' | 'limit'
> & {
  readonly area: PlotArea;
  readonly width: number;
  readonly across: (x: number) => number;
};

/** Axes, grid, limit and markers: what lies behind the lines. */
function PlotFrame({ left, right, isLog, range, markers, bands, limit, area, width, across }: FrameProps) {
  const [from, to] = range;
  const ticks = useMemo(
    () => roomyTicks(timeTicks(from, to), (tick) => timeText(tick, to - from), across, width),
    [from, to, across, width],
  );
  return (
    <>
      <Bands bands={bands} area={area} across={across} />
      <ValueAxis scale={left} isLog={isLog} area={area} side="left" />
      {right !== undefined && <ValueAxis scale={right} isLog={isLog} area={area} side="right" />}
      <TimeAxis ticks={ticks} area={area} />
      {limit !== undefined && <Limit limit={limit} scale={left} isLog={isLog} area={area} />}
      <Markers markers={markers} area={area} across={across} />
    </>
  );
}

type CrosshairProps = Pick<
  TimePlotProps,
  'group' | 'points' | 'series' | 'left' | 'right' | 'isLog' | 'xText' | 'range'
> & { readonly area: PlotArea };

/** Follows the pointer of the whole group, so it alone is drawn again when that moves. */
function Crosshair({ group, points, series, left, right, isLog, xText, range, area }: CrosshairProps) {
  const fraction = useStore(group, (state) => state.hover);
  if (fraction === undefined) return null;
  const index = nearestPoint(points, series, range[0] + fraction * (range[1] - range[0]));
  const point = index === undefined ? undefined : points[index];
  if (point === undefined) return null;
  const x = placeAcross(range, area)(point.x);
  const isRight = fraction > 0.5;
  const sums = new Map<string, number>();
  return (
    <div aria-hidden="true" className="pointer-events-none absolute inset-0" data-crosshair={point.x}>
      <svg className="absolute inset-0 h-full w-full">
        <line x1={x} x2={x} y1={area.top} y2={area.bottom} stroke="var(--line-strong)" />
        {series.map((one) => {
          const value = point[one.key];
          if (value === undefined) return null;
          const floor = one.stack === undefined ? 0 : (sums.get(one.stack) ?? 0);
          if (one.stack !== undefined) sums.set(one.stack, floor + value);
          const up = placeUp(one.axis === 'right' ? (right ?? left) : left, isLog, area);
          return <circle key={one.key} cx={x} cy={up(floor + value)} r={3} fill={ROLE_COLORS[one.role]} />;
        })}
      </svg>
      <div
        className="absolute top-2 z-20"
        style={isRight ? { right: `calc(100% - ${x - 10}px)` } : { left: x + 10 }}
      >
        <ValueBox
          series={series}
          left={left}
          right={right}
          xText={xText}
          x={point.x}
          valueOf={(key) => point[key]}
        />
      </div>
    </div>
  );
}
