import { expect, test } from 'vitest';

import {
  axisScale,
  heldMax,
  highestValue,
  logScale,
  logTicks,
  paddedRange,
  roundStep,
  timeTicks,
  withGaps,
  withoutZeros,
} from './chart-axis.ts';
import { createChartScheduler } from './chart-scheduler.ts';
import { chartSummary } from './chart-summary.ts';
import type { ChartSeries } from './chart-types.ts';

const a: ChartSeries = { key: 'a', title: 'p50', role: 'c1' };
const b: ChartSeries = { key: 'b', title: 'p99', role: 'c2' };

test.each([
  [850, 'µs', ['0', '500', '1,000']],
  [28_000, 'ms', ['0', '10', '20', '30']],
  [3_200_000, 's', ['0', '1', '2', '3', '4']],
])('an axis up to %s µs is in %s', (highest, unit, texts) => {
  const scale = axisScale('us', highest);
  expect(scale.unitText).toBe(unit);
  expect(scale.ticks.map(scale.tickText)).toEqual(texts);
  expect(scale.max).toBeGreaterThanOrEqual(highest);
});

test('bytes have round ticks in one binary unit', () => {
  const scale = axisScale('bytes', 330 * 1024 ** 2);
  expect(scale.ticks.map(scale.tickText)).toEqual(['0', '100', '200', '300', '400']);
  expect(scale.unitText).toBe('MiB');
});

test('counts have whole ticks, values carry their unit, missing ones a dash', () => {
  expect(axisScale('count', 2).ticks.every(Number.isInteger)).toBe(true);
  expect(axisScale('us', 20_000).valueText(18_240)).toBe('18.2 ms');
  expect(axisScale('perSecond', 500).valueText(412)).toBe('412 1/s');
  expect(axisScale('percent', 1).valueText(0.42)).toBe('42 %');
  expect(axisScale('us', 20_000).valueText(undefined)).toBe('–');
});

test.each([
  [0.03, 0.05],
  [1, 1],
  [21, 50],
  [700, 1000],
])('steps are 1, 2 or 5: %s -> %s', (rough, step) => {
  expect(roundStep(rough)).toBeCloseTo(step);
});

test('stacked series count together, others alone', () => {
  const points = [{ x: 0, a: 3, b: 4 }];
  expect(highestValue(points, [a, b], undefined)).toBe(4);
  expect(
    highestValue(
      points,
      [
        { ...a, stack: 's' },
        { ...b, stack: 's' },
      ],
      undefined,
    ),
  ).toBe(7);
  expect(highestValue(points, [a], 10)).toBe(10);
});

test('a maximum grows at once and shrinks after ten seconds', () => {
  const first = heldMax(undefined, 100, 0);
  const grown = heldMax(first, 150, 1000);
  const low = heldMax(grown, 20, 2000);
  const still = heldMax(low, 20, 11_000);
  const shrunk = heldMax(still, 20, 12_000);
  expect([first, grown, low, still, shrunk].map(({ max }) => max)).toEqual([100, 150, 150, 150, 20]);
});

test('a logarithmic axis has whole powers of ten around its values, and no zero', () => {
  const points = [
    { x: 0, a: 320, b: 0 },
    { x: 1, a: 48_000, b: undefined },
  ];
  const scale = logScale('us', points, [a, b]);
  expect(scale.ticks.map(scale.tickText)).toEqual(['0.1', '1', '10', '100']);
  expect(scale.unitText).toBe('ms');
  expect(withoutZeros(points)).toEqual([
    { x: 0, a: 320 },
    { x: 1, a: 48_000 },
  ]);
});

test('a hole in time becomes a gap', () => {
  const points = [0, 1000, 5000].map((x) => ({ x, a: 1 }));
  expect(withGaps(points, 1000)).toEqual([{ x: 0, a: 1 }, { x: 1000, a: 1 }, { x: 2000 }, { x: 5000, a: 1 }]);
  expect(withGaps(points, undefined)).toBe(points);
});

test('time ticks are round and few', () => {
  const ticks = timeTicks(1_000_400, 1_300_000);
  expect(ticks.length).toBeLessThanOrEqual(7);
  expect(ticks.every((tick) => tick % 60_000 === 0)).toBe(true);
});

test('the summary names the latest and the highest value', () => {
  const scale = axisScale('us', 20_000);
  const points = [
    { x: 0, a: 9000, b: undefined },
    { x: 1, a: 7000, b: undefined },
  ];
  expect(chartSummary('Latency', points, [a, b], () => scale)).toBe('Latency: p50 7 ms, highest 9 ms.');
  expect(chartSummary('Latency', [], [a], () => scale)).toBe('Latency: no values in this window.');
});

test('one chart is drawn per frame, in turn, and only its newest state', () => {
  const frames: (() => void)[] = [];
  const drawn: string[] = [];
  const scheduler = createChartScheduler((callback) => void frames.push(callback));
  const [one, two, gone] = [{}, {}, {}];
  scheduler.request(one, () => drawn.push('one old'));
  scheduler.request(two, () => drawn.push('two'));
  scheduler.request(gone, () => drawn.push('gone'));
  scheduler.request(one, () => drawn.push('one'));
  scheduler.cancel(gone);
  expect(frames).toHaveLength(1);
  frames.shift()?.();
  expect(drawn).toEqual(['one']);
  frames.shift()?.();
  expect(drawn).toEqual(['one', 'two']);
  expect(frames).toHaveLength(0);
});

test.each([
  [3, 60, [5, 10, 20, 50]],
  [0.9, 2.1, [1, 2]],
])('a logarithmic axis from %s to %s is marked at %j', (from, to, ticks) => {
  expect(logTicks(from, to)).toEqual(ticks);
});

test('a range of numbers has room for the dots at its ends', () => {
  const points = [{ x: 900 }, { x: 300 }];
  expect(paddedRange(points)).toEqual([0, 990.0000000000001]);
  expect(paddedRange(points, { isLog: true })).toEqual([240, 1125]);
  expect(paddedRange([])).toEqual([0, 1.1]);
});
