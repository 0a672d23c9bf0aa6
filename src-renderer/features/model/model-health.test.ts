import { expect, test } from 'vitest';

import { readCard } from './kept-card.ts';
import { healthOf } from './model-health.ts';

const point = (successes: number, failures: number, p99Us: number | undefined) => ({
  successes,
  failures,
  rejected: 0,
  timedOut: 0,
  p99Us,
});

test('requests and failures add up, and p99 is never told better than it was', () => {
  const points = [
    point(10, 0, 900),
    point(0, 0, undefined),
    { ...point(5, 1, 400), rejected: 2, timedOut: 1 },
  ];
  expect(healthOf(points)).toEqual({ requests: 15, failures: 3, p99Us: 900 });
  expect(healthOf([])).toEqual({ requests: 0, failures: 0, p99Us: undefined });
});

test.each([
  ['{"task":"speech","licence":"MIT"}', { task: 'speech', licence: 'MIT' }],
  ['{"task":"nonsense","licence":4}', { task: undefined, licence: undefined }],
  ['', {}],
  [undefined, {}],
])('what was kept of a model: %s', (json, expected) => {
  expect(readCard(json)).toEqual(expected);
});
