// The drawing inside a chart. Drawn again only when its points, axes or range change; no animation, no dots.

import { memo, useState } from 'react';
import {
  Area,
  Bar,
  CartesianGrid,
  ComposedChart,
  Line,
  ReferenceArea,
  ReferenceLine,
  ResponsiveContainer,
  Tooltip,
  XAxis,
  YAxis,
} from 'recharts';
import type { DotItemDotProps, MouseHandlerDataParam } from 'recharts';

import type { AxisScale } from './chart-axis.ts';
import { logTicks, timeText, timeTicks } from './chart-axis.ts';
import { t } from '../texts/translate.ts';
import { ChartTooltip } from './chart-tooltip.tsx';
import type { ChartLimit, ChartMarker, ChartPoint, ChartSeries } from './chart-types.ts';
import { ROLE_COLORS, ROLE_DASHES } from './chart-types.ts';

/** What Recharts draws. */
export interface ChartPlotProps {
  /** What readers call the drawing, which has a place for the focus. */
  readonly title: string;
  readonly groupId: string;
  readonly points: readonly ChartPoint[];
  readonly series: readonly ChartSeries[];
  readonly left: AxisScale;
  readonly right: AxisScale | undefined;
  readonly xKind: 'time' | 'number' | 'category';
  /** What an x is called at the crosshair, and on an axis that is not one of times. */
  readonly xText: (x: number) => string;
  readonly range: readonly [number, number];
  readonly isLog: boolean;
  readonly isXLog: boolean;
  readonly markers: readonly ChartMarker[];
  readonly limit: ChartLimit | undefined;
  /** The part of the x axis that was dragged over, the lesser end first; undefined = all of it. */
  readonly onZoom: (range: readonly [number, number] | undefined) => void;
}

const MAX_MARKERS = 20;
const RESIZE_DEBOUNCE_MS = 100;
/** Markers beyond this share of the axis have their label on the left side. */
const LABEL_ROOM = 0.75;
const AXIS_TEXT = { fill: 'var(--text-faint)', fontSize: 11 } as const;

/** Bars, and lines over numbers; `range` is the part of the x axis that is shown. */
export const ChartPlot = memo(function ChartPlot(props: ChartPlotProps) {
  const { points, series, left, right, xKind, range, markers, limit, isLog, isXLog } = props;
  const drag = useZoomDrag(props.onZoom);
  const span = range[1] - range[0];
  const isTime = xKind === 'time';
  return (
    <ResponsiveContainer width="100%" height="100%" debounce={RESIZE_DEBOUNCE_MS}>
      <ComposedChart
        data={points as ChartPoint[]}
        aria-label={t('chart.values', { title: props.title })}
        {...(xKind === 'category'
          ? {}
          : { syncId: props.groupId, syncMethod: isTime ? nearestTick : 'value' })}
        margin={{ top: 6, right: 8, bottom: 0, left: 0 }}
        {...(xKind === 'category' ? {} : drag.handlers)}
      >
        <CartesianGrid stroke="var(--line)" vertical={false} />
        <XAxis
          dataKey="x"
          type={xKind === 'category' ? 'category' : 'number'}
          tick={AXIS_TEXT}
          tickLine={false}
          stroke="var(--line)"
          minTickGap={24}
          height={22}
          tickFormatter={(x: number) => (isTime ? timeText(x, span) : props.xText(x))}
          {...(xKind === 'category' ? {} : { domain: [...range], allowDataOverflow: true })}
          {...(isXLog ? { scale: 'log', ticks: [...logTicks(range[0], range[1])] } : {})}
          {...(isTime ? { ticks: [...timeTicks(range[0], range[1])] } : {})}
        />
        <YAxis yAxisId="left" {...yAxis(left, isLog)} orientation="left" />
        {right !== undefined && <YAxis yAxisId="right" {...yAxis(right, isLog)} orientation="right" />}
        <Tooltip
          isAnimationActive={false}
          cursor={{ stroke: 'var(--line-strong)', strokeWidth: 1, fill: 'var(--hover)', fillOpacity: 0.5 }}
          content={<ChartTooltip series={series} left={left} right={right} xText={props.xText} />}
        />
        {series.map((one) => shapeOf(one))}
        {limit !== undefined && (
          <ReferenceLine
            yAxisId="left"
            y={limit.value}
            stroke={ROLE_COLORS.c5}
            strokeDasharray={ROLE_DASHES.c5}
            label={{ value: limit.title, position: 'insideTopRight', ...AXIS_TEXT }}
          />
        )}
        {markers.slice(-MAX_MARKERS).map((marker) => (
          <ReferenceLine
            key={`${marker.x} ${marker.text}`}
            yAxisId="left"
            x={marker.x}
            stroke="var(--line-strong)"
            strokeDasharray="3 3"
            label={{
              value: marker.text,
              position: marker.x > range[0] + span * LABEL_ROOM ? 'insideTopRight' : 'insideTopLeft',
              ...AXIS_TEXT,
            }}
          />
        ))}
        {drag.from !== undefined && drag.to !== undefined && (
          <ReferenceArea yAxisId="left" x1={drag.from} x2={drag.to} fill="var(--accent)" fillOpacity={0.15} />
        )}
      </ComposedChart>
    </ResponsiveContainer>
  );
});

/** Charts of one group have buckets that begin at different times: the crosshair goes to the nearest. */
function nearestTick(
  ticks: readonly { readonly value: unknown }[],
  { activeLabel }: MouseHandlerDataParam,
): number {
  const at = Number(activeLabel);
  let best = -1;
  let distance = Infinity;
  for (const [index, { value }] of ticks.entries()) {
    const here = Math.abs(Number(value) - at);
    if (here >= distance) continue;
    best = index;
    distance = here;
  }
  return best;
}

function yAxis(scale: AxisScale, isLog: boolean) {
  return {
    type: 'number' as const,
    width: 48,
    tick: AXIS_TEXT,
    tickLine: false,
    axisLine: false,
    tickFormatter: scale.tickText,
    allowDataOverflow: true,
    ...(isLog
      ? { scale: 'log' as const, domain: [scale.ticks[0] ?? 1, scale.max] as [number, number] }
      : { domain: [0, scale.max] as [number, number] }),
    ticks: [...scale.ticks],
  };
}

function shapeOf({ key, title, role, shape = 'line', axis = 'left', stack, labelKey }: ChartSeries) {
  const color = ROLE_COLORS[role];
  const common = {
    dataKey: key,
    name: title,
    yAxisId: axis,
    isAnimationActive: false,
    ...(stack === undefined ? {} : { stackId: stack }),
  };
  if (shape === 'bar')
    return <Bar key={key} {...common} fill={color} maxBarSize={36} radius={[2, 2, 0, 0]} />;
  const line = {
    ...common,
    type: 'linear' as const,
    stroke: color,
    strokeWidth: 1.5,
    strokeDasharray: ROLE_DASHES[role],
    connectNulls: false,
    activeDot: { r: 3, strokeWidth: 0 },
  };
  if (shape === 'points' || shape === 'path') {
    return (
      <Line
        key={key}
        {...line}
        stroke={shape === 'points' ? 'none' : color}
        connectNulls
        dot={
          labelKey === undefined
            ? { r: 3.5, stroke: color, strokeDasharray: '', fill: 'var(--surface)', strokeWidth: 1.5 }
            : labelledDot(color, labelKey)
        }
      />
    );
  }
  // Failures also differ by shape: a cross wherever there was one.
  const dot = role === 'danger' ? cross : false;
  return shape === 'area' ? (
    <Area key={key} {...line} fill={color} fillOpacity={0.22} dot={false} />
  ) : (
    <Line key={key} {...line} dot={dot} />
  );
}

interface ZoomDrag {
  readonly from: number | undefined;
  readonly to: number | undefined;
  readonly handlers: Readonly<
    Record<
      'onMouseDown' | 'onMouseMove' | 'onMouseUp' | 'onMouseLeave',
      (state: MouseHandlerDataParam) => void
    >
  > & {
    readonly onDoubleClick: () => void;
  };
}

function useZoomDrag(onZoom: ChartPlotProps['onZoom']): ZoomDrag {
  const [from, setFrom] = useState<number>();
  const [to, setTo] = useState<number>();
  const labelOf = ({ activeLabel }: MouseHandlerDataParam): number | undefined => {
    const value = Number(activeLabel);
    return activeLabel === undefined || Number.isNaN(value) ? undefined : value;
  };
  const reset = (): void => {
    setFrom(undefined);
    setTo(undefined);
  };
  return {
    from,
    to,
    handlers: {
      onMouseDown: (state) => setFrom(labelOf(state)),
      onMouseMove: (state) => {
        if (from !== undefined) setTo(labelOf(state));
      },
      onMouseUp: () => {
        if (from !== undefined && to !== undefined && from !== to)
          onZoom([Math.min(from, to), Math.max(from, to)]);
        reset();
      },
      onMouseLeave: reset,
      onDoubleClick: () => onZoom(undefined),
    },
  };
}

/** A dot with a number of its point beside it. */
function labelledDot(color: string, labelKey: string) {
  return ({ key, cx, cy, payload }: DotItemDotProps) => {
    const label = (payload as ChartPoint)[labelKey];
    if (cx === undefined || cy === undefined || cy === null || label === undefined) return <g key={key} />;
    return (
      <g key={key}>
        <circle cx={cx} cy={cy} r={3.5} stroke={color} fill="var(--surface)" strokeWidth={1.5} />
        <text x={cx + 7} y={cy + 13} fill="var(--text-soft)" fontSize={AXIS_TEXT.fontSize}>
          {String(label)}
        </text>
      </g>
    );
  };
}

function cross({ key, cx = 0, cy = 0, value }: DotItemDotProps) {
  const isDrawn = typeof value === 'number' && value > 0;
  return (
    <path
      key={key}
      d={isDrawn ? `M${cx - 3} ${cy - 3}l6 6m0 -6l-6 6` : ''}
      stroke={ROLE_COLORS.danger}
      strokeWidth={1.5}
      fill="none"
    />
  );
}
