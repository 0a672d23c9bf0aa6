// The layers of a chart over time. Each is drawn again only when its own numbers change; positions come from
// plot-geometry.

import { memo } from 'react';

import type { AxisScale } from './chart-axis.ts';
import type { ChartBand, ChartLimit, ChartMarker, ChartPoint, ChartSeries } from './chart-types.ts';
import { ROLE_COLORS, ROLE_DASHES } from './chart-types.ts';
import type { Place, PlotArea } from './plot-geometry.ts';
import { crossPath, linePath, lonePath, placedMarkers, placeUp, stackedAreas } from './plot-geometry.ts';

const TEXT = { fill: 'var(--text-faint)', fontSize: 11 } as const;
/** Readable where a line passes behind it. */
const ABOVE_LINES = {
  ...TEXT,
  stroke: 'var(--surface)',
  strokeWidth: 4,
  strokeLinejoin: 'round',
  paintOrder: 'stroke',
} as const;

/** Shaded stretches, as far as they lie within the axis. */
export const Bands = memo(function Bands({
  bands,
  area,
  across,
}: {
  readonly bands: readonly ChartBand[];
  readonly area: PlotArea;
  readonly across: Place;
}) {
  return (
    <g fill="var(--hover)">
      {bands.map(([from, to]) => {
        const left = Math.max(area.left, across(from));
        const width = Math.min(area.right, across(to)) - left;
        return width <= 0 ? null : (
          <rect key={from} data-band x={left} y={area.top} width={width} height={area.bottom - area.top} />
        );
      })}
    </g>
  );
});

/** Numbers and lines of one value axis; `area` in pixels. */
export const ValueAxis = memo(function ValueAxis({
  scale,
  isLog,
  area,
  side,
}: {
  readonly scale: AxisScale;
  readonly isLog: boolean;
  readonly area: PlotArea;
  readonly side: 'left' | 'right';
}) {
  const up = placeUp(scale, isLog, area);
  const isLeft = side === 'left';
  return (
    <g>
      {scale.ticks.map((tick) => {
        const y = up(tick);
        return (
          <g key={tick}>
            {isLeft && <line x1={area.left} x2={area.right} y1={y} y2={y} stroke="var(--line)" />}
            <text
              x={isLeft ? area.left - 8 : area.right + 8}
              y={y + 4}
              textAnchor={isLeft ? 'end' : 'start'}
              {...TEXT}
            >
              {scale.tickText(tick)}
            </text>
          </g>
        );
      })}
    </g>
  );
});

/** The times below a plot. */
export function TimeAxis({
  ticks,
  area,
}: {
  readonly ticks: readonly { readonly x: number; readonly label: string }[];
  readonly area: PlotArea;
}) {
  return (
    <g>
      <line x1={area.left} x2={area.right} y1={area.bottom} y2={area.bottom} stroke="var(--line)" />
      {ticks.map(({ x, label }) => (
        <text key={label} x={x} y={area.bottom + 16} textAnchor="middle" {...TEXT}>
          {label}
        </text>
      ))}
    </g>
  );
}

/** The series as paths, with areas below those that are areas; `area` in pixels. */
export const Lines = memo(function Lines({
  points,
  series,
  left,
  right,
  isLog,
  area,
  across,
}: {
  readonly points: readonly ChartPoint[];
  readonly series: readonly ChartSeries[];
  readonly left: AxisScale;
  readonly right: AxisScale | undefined;
  readonly isLog: boolean;
  readonly area: PlotArea;
  readonly across: Place;
}) {
  const upLeft = placeUp(left, isLog, area);
  const upRight = right === undefined ? upLeft : placeUp(right, isLog, area);
  const areas = stackedAreas(
    points,
    series.filter(({ shape }) => shape === 'area'),
    across,
    upLeft,
  );
  return (
    <g fill="none" strokeWidth={1.5} strokeLinejoin="round">
      {areas.map(({ key, line, fill, lone }) => {
        const role = series.find((one) => one.key === key)?.role ?? 'c1';
        return (
          <g key={key} data-series={key}>
            <path d={fill} fill={ROLE_COLORS[role]} fillOpacity={0.22} />
            <path d={line} stroke={ROLE_COLORS[role]} strokeDasharray={ROLE_DASHES[role]} />
            <path d={lone} stroke={ROLE_COLORS[role]} strokeWidth={6} strokeLinecap="round" />
          </g>
        );
      })}
      {series.map(({ key, role, axis, shape }) => {
        if (shape === 'area') return null;
        const up = axis === 'right' ? upRight : upLeft;
        return (
          <g key={key} data-series={key} stroke={ROLE_COLORS[role]}>
            <path d={linePath(points, key, across, up)} strokeDasharray={ROLE_DASHES[role]} />
            <path d={lonePath(points, key, across, up)} strokeWidth={6} strokeLinecap="round" />
            {/* Failures also differ by shape: a cross wherever there was one. */}
            {role === 'danger' && <path d={crossPath(points, key, across, up)} />}
          </g>
        );
      })}
    </g>
  );
});

/** A line at a value that should not be passed. */
export function Limit({
  limit,
  scale,
  isLog,
  area,
}: {
  readonly limit: ChartLimit;
  readonly scale: AxisScale;
  readonly isLog: boolean;
  readonly area: PlotArea;
}) {
  if (limit.value > scale.max) return null;
  const y = placeUp(scale, isLog, area)(limit.value);
  return (
    <g data-limit={limit.value}>
      <line
        x1={area.left}
        x2={area.right}
        y1={y}
        y2={y}
        stroke={ROLE_COLORS.c5}
        strokeDasharray={ROLE_DASHES.c5}
      />
      <text x={area.right - 5} y={y + 13} textAnchor="end" {...TEXT}>
        {limit.title}
      </text>
    </g>
  );
}

interface MarkersProps {
  readonly markers: readonly ChartMarker[];
  readonly area: PlotArea;
  readonly across: Place;
}

/** The newest ones. */
export const Markers = memo(function Markers({ markers, area, across }: MarkersProps) {
  return (
    <g>
      {placedMarkers(markers, area, across).map(({ at, x, text }) => (
        <line
          key={`${x} ${text}`}
          data-marker={text}
          x1={at}
          x2={at}
          y1={area.top}
          y2={area.bottom}
          stroke="var(--line-strong)"
          strokeDasharray="3 3"
        />
      ))}
    </g>
  );
});

/** Labels lie above the lines, on a rim of the ground. One that would run into the one before it is left out. */
export const MarkerLabels = memo(function MarkerLabels({ markers, area, across }: MarkersProps) {
  return (
    <g>
      {placedMarkers(markers, area, across).map(
        ({ at, x, text, side }) =>
          side !== 'none' && (
            <text
              key={`${x} ${text}`}
              data-marker-label={text}
              x={side === 'left' ? at - 5 : at + 5}
              y={area.top + 13}
              textAnchor={side === 'left' ? 'end' : 'start'}
              {...ABOVE_LINES}
            >
              {text}
            </text>
          ),
      )}
    </g>
  );
});
