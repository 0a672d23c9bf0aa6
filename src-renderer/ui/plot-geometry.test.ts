import { expect, test } from 'vitest';

import { axisScale } from './chart-axis.ts';
import type { ChartPoint, ChartSeries } from './chart-types.ts';
import {
  crossPath,
  linePath,
  lonePath,
  nearestPoint,
  placeAcross,
  placedMarkers,
  placeUp,
  plotArea,
  pointsWithin,
  roomyTicks,
  stackedAreas,
} from './plot-geometry.ts';

const area = { left: 0, right: 100, top: 0, bottom: 50 };
const across = placeAcross([0, 10], area);
const up = placeUp({ ...axisScale('count', 100), max: 100 }, false, area);
const a: ChartSeries = { key: 'a', title: 'a', role: 'c1' };
const b: ChartSeries = { key: 'b', title: 'b', role: 'c2' };

test('a box has room for its axes, on the right side only when there is one', () => {
  expect(plotArea(500, 180, false)).toEqual({ left: 48, right: 492, top: 6, bottom: 158 });
  expect(plotArea(500, 180, true).right).toBe(444);
});

test('a missing value breaks the line, and a lone point is still seen', () => {
  const points: readonly ChartPoint[] = [{ x: 0, a: 0 }, { x: 5, a: 100 }, { x: 6 }, { x: 10, a: 50 }];
  expect(linePath(points, 'a', across, up)).toBe('M0 50L50 0M100 25h1.5');
  expect(linePath([{ x: 1 }], 'a', across, up)).toBe('');
});

test('stacked areas stand on each other and end where a value is missing', () => {
  const stacked = [
    { ...a, stack: 's' },
    { ...b, stack: 's' },
  ];
  const points: readonly ChartPoint[] = [{ x: 0, a: 20, b: 20 }, { x: 5, a: 40, b: 40 }, { x: 10 }];
  const [lower, upper] = stackedAreas(points, stacked, across, up);
  expect(lower).toEqual({ key: 'a', line: 'M0 40L50 30', fill: 'M0 40L50 30L50 50L0 50Z', lone: '' });
  expect(upper).toEqual({ key: 'b', line: 'M0 30L50 10', fill: 'M0 30L50 10L50 30L0 40Z', lone: '' });
});

test('an area of one point alone is a dot at its height', () => {
  const points: readonly ChartPoint[] = [{ x: 0 }, { x: 5, a: 40, b: 20 }, { x: 10 }];
  const areas = stackedAreas(
    points,
    [
      { ...a, stack: 's' },
      { ...b, stack: 's' },
    ],
    across,
    up,
  );
  expect(areas.map(({ lone }) => lone)).toEqual(['M50 30h1.5', 'M50 20h1.5']);
});

test('failures are crossed where there were some', () => {
  expect(
    crossPath(
      [
        { x: 0, a: 0 },
        { x: 5, a: 100 },
      ],
      'a',
      across,
      up,
    ),
  ).toBe('M47 -3l6 6m0 -6l-6 6');
});

test('a logarithmic axis gives each power of ten the same room', () => {
  const log = placeUp({ ...axisScale('count', 1000), ticks: [10, 100, 1000], max: 1000 }, true, area);
  expect([10, 100, 1000].map(log)).toEqual([50, 25, 0]);
});

test('a part of the axis takes one point more on either side', () => {
  const points = [0, 1, 2, 3, 4].map((x) => ({ x }));
  expect(pointsWithin(points, [1.5, 2.5]).map(({ x }) => x)).toEqual([1, 2, 3]);
  expect(pointsWithin(points, [0, 4])).toBe(points);
  expect(pointsWithin([{ x: 1 }], [2, 3])).toEqual([{ x: 1 }]);
});

test('the crosshair goes to the nearest point that has a value', () => {
  const points: readonly ChartPoint[] = [{ x: 0, a: 1 }, { x: 4 }, { x: 9, b: 1 }];
  expect(nearestPoint(points, [a], 8)).toBe(0);
  expect(nearestPoint(points, [a, b], 8)).toBe(2);
  expect(nearestPoint([{ x: 4 }], [a], 4)).toBeUndefined();
});

test('labels of the axis neither touch nor leave the box', () => {
  const place = placeAcross([0, 10], { left: 0, right: 200, top: 0, bottom: 1 });
  const labels = roomyTicks([0, 2, 4, 6, 10], () => '12:00:00', place, 200).map(({ x }) => x);
  expect(labels).toEqual([40, 120]);
});

test('at most twenty markers, the newest, and labels that do not run into each other', () => {
  const many = Array.from({ length: 25 }, (_, x) => ({ x, text: 'load' }));
  const placed = placedMarkers(many, area, placeAcross([0, 24], area));
  expect(placed.map(({ x }) => x)).toEqual(many.slice(5).map(({ x }) => x));
  expect(placed.filter(({ side }) => side !== 'none').length).toBeLessThan(5);
  expect(placed[0]?.side).toBe('right');
  expect(placedMarkers([{ x: 24, text: 'load' }], area, placeAcross([0, 24], area))[0]?.side).toBe('left');
});

test('a value without neighbours is a dot of its own, others are not', () => {
  const points: readonly ChartPoint[] = [{ x: 0, a: 10 }, { x: 1 }, { x: 2, a: 20 }, { x: 3, a: 30 }];
  expect(lonePath(points, 'a', across, up)).toMatch(/^M0 [\d.]+h/);
  expect(lonePath(points.slice(2), 'a', across, up)).toBe('');
});
