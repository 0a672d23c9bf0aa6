// Axes of charts: one unit per axis, round ticks, a maximum that grows at once and shrinks after ten seconds so that
// lines do not jump. Pure.

import {
  BYTE_UNITS,
  formatBytes,
  formatClock,
  formatPercent,
  MICROS_PER,
  threeDigits,
  timeUnitFor,
} from '../lib/format.ts';
import type { ByteUnit } from '../lib/format.ts';
import type { ChartPoint, ChartSeries, ChartUnit } from './chart-types.ts';

/** From 0 to `max`, with the ticks between. */
export interface AxisScale {
  readonly max: number;
  readonly ticks: readonly number[];
  /** Text of a tick, without unit. */
  readonly tickText: (value: number) => string;
  /** Unit of the whole axis: "ms", "1/s"; undefined = plain numbers. */
  readonly unitText: string | undefined;
  /** Text of one value with unit, for tooltips, tables and summaries. */
  readonly valueText: (value: number | undefined) => string;
}

const TICKS = 4;

/** `highest` in the unit's base: seconds, bytes, counts. Counts have whole ticks alone. */
export function axisScale(unit: ChartUnit, highest: number): AxisScale {
  const [divisor, unitText] = unitOf(unit, highest);
  const step = roundStep(Math.max(highest, Number.MIN_VALUE) / divisor / TICKS);
  const count = Math.max(1, Math.ceil(highest / divisor / step - 1e-9));
  const ticks = Array.from({ length: count + 1 }, (_, index) => index * step * divisor);
  return {
    max: ticks.at(-1) ?? highest,
    ticks: unit === 'count' ? ticks.filter((tick) => Number.isInteger(tick)) : ticks,
    tickText: (value) => (value === 0 ? '0' : threeDigits(value / divisor)),
    unitText,
    valueText: (value) => valueText(unit, value, divisor, unitText),
  };
}

function unitOf(unit: ChartUnit, highest: number): readonly [divisor: number, text: string | undefined] {
  switch (unit) {
    case 'us': {
      const timeUnit = timeUnitFor(highest);
      return [MICROS_PER[timeUnit], timeUnit];
    }
    case 'perSecond':
      return [1, '1/s'];
    case 'percent':
      return [0.01, '%'];
    case 'bytes': {
      const [, unitText = 'B'] = formatBytes(highest).split(' ');
      return [1024 ** BYTE_UNITS.indexOf(unitText as ByteUnit), unitText];
    }
    default:
      return [1, undefined];
  }
}

function valueText(
  unit: ChartUnit,
  value: number | undefined,
  divisor: number,
  unitText: string | undefined,
): string {
  if (value === undefined) return '–';
  if (unit === 'bytes') return formatBytes(value);
  if (unit === 'percent') return formatPercent(value);
  return `${threeDigits(value / divisor)}${unitText === undefined ? '' : ` ${unitText}`}`;
}

/** 1, 2 or 5 times a power of ten, not below `rough`. */
export function roundStep(rough: number): number {
  const power = 10 ** Math.floor(Math.log10(rough));
  const factor = [1, 2, 5, 10].find((candidate) => candidate * power >= rough * 0.999) ?? 10;
  return factor * power;
}

/** Highest value that is drawn on one side; stacked series count together. */
export function highestValue(
  points: readonly ChartPoint[],
  series: readonly ChartSeries[],
  limit: number | undefined,
): number {
  let highest = limit ?? 0;
  for (const keys of stacksOf(series)) {
    for (const point of points) {
      let sum = 0;
      for (const key of keys) sum += point[key] ?? 0;
      if (sum > highest) highest = sum;
    }
  }
  return highest;
}

/** Keys of the series that stand on each other; a series without a stack stands alone. */
function stacksOf(series: readonly ChartSeries[]): readonly (readonly string[])[] {
  const stacks = Map.groupBy(series, ({ key, stack }) => (stack === undefined ? `key ${key}` : stack));
  return [...stacks.values()].map((members) => members.map(({ key }) => key));
}

/** Whole powers of ten around the drawn values of the left axis. */
export function logScale(
  unit: ChartUnit,
  points: readonly ChartPoint[],
  series: readonly ChartSeries[],
): AxisScale {
  let lowest = Infinity;
  let highest = 0;
  for (const point of points) {
    for (const { key, axis = 'left' } of series) {
      const value = point[key] ?? 0;
      if (axis !== 'left' || value <= 0) continue;
      lowest = Math.min(lowest, value);
      highest = Math.max(highest, value);
    }
  }
  const from = Number.isFinite(lowest) ? Math.floor(Math.log10(lowest)) : 0;
  const to = Math.max(from + 1, Math.ceil(Math.log10(Math.max(highest, 1))));
  const ticks = Array.from({ length: to - from + 1 }, (_, index) => 10 ** (from + index));
  return { ...axisScale(unit, 10 ** to), max: 10 ** to, ticks };
}

/** A logarithmic axis has no place for zero. */
export function withoutZeros(points: readonly ChartPoint[]): readonly ChartPoint[] {
  return points.map(({ x, ...values }) => {
    const positive = Object.entries(values).filter(([, value]) => value !== undefined && value > 0);
    return { ...Object.fromEntries(positive), x };
  });
}

/** The maximum that a chart shows, which falls only after a while. */
export interface HeldMax {
  readonly max: number;
  /** Since when a lower maximum would do; undefined = it would not. */
  readonly lowSinceMs: number | undefined;
}

const SHRINK_AFTER_MS = 10_000;

/** Values and `nowMs` as of the last drawing; keep what it gives back for the next one. */
export function heldMax(held: HeldMax | undefined, wanted: number, nowMs: number): HeldMax {
  if (held === undefined || wanted >= held.max * 0.7) {
    return { max: Math.max(wanted, held?.max ?? 0), lowSinceMs: undefined };
  }
  if (held.lowSinceMs === undefined) return { max: held.max, lowSinceMs: nowMs };
  return nowMs - held.lowSinceMs >= SHRINK_AFTER_MS ? { max: wanted, lowSinceMs: undefined } : held;
}

/** A point without values wherever the time between two points is more than `stepMs` and a half. */
export function withGaps(points: readonly ChartPoint[], stepMs: number | undefined): readonly ChartPoint[] {
  if (stepMs === undefined) return points;
  const out: ChartPoint[] = [];
  for (const point of points) {
    const before = out.at(-1);
    if (before !== undefined && point.x - before.x > stepMs * 1.5) out.push({ x: before.x + stepMs });
    out.push(point);
  }
  return out;
}

/** Round times for the ticks of a time axis. */
export function timeTicks(from: number, to: number): readonly number[] {
  const steps = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 21_600, 86_400].map(
    (s) => s * 1000,
  );
  const step = steps.find((candidate) => (to - from) / candidate <= 6) ?? 86_400_000;
  const ticks: number[] = [];
  for (let at = Math.ceil(from / step) * step; at <= to; at += step) ticks.push(at);
  return ticks;
}

/** Hours and minutes when more than ten minutes are shown, else with seconds; local time. */
export function timeText(atMs: number, spanMs: number): string {
  return spanMs > 600_000 ? formatClock(atMs).slice(0, 5) : formatClock(atMs);
}

/** 1, 2 and 5 times powers of ten, between two numbers above zero. */
export function logTicks(from: number, to: number): readonly number[] {
  const ticks: number[] = [];
  for (let power = 10 ** Math.floor(Math.log10(from)); power <= to; power *= 10) {
    for (const factor of [1, 2, 5]) {
      const tick = factor * power;
      if (tick >= from && tick <= to) ticks.push(tick);
    }
  }
  return ticks;
}

/** From zero, or from a little before the first point, to a little past the last, so that dots at the edge are whole. */
export function paddedRange(
  points: readonly ChartPoint[],
  { isLog = false }: { readonly isLog?: boolean } = {},
): readonly [number, number] {
  const all = points.map(({ x }) => x);
  const last = Math.max(...all, 0) || 1;
  return isLog ? [Math.min(...all, last) / 1.25, last * 1.25] : [0, last * 1.1];
}
