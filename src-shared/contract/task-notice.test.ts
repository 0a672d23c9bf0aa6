// Which work is told of when it ends, and asked about before it is ended.

import { expect, test } from 'vitest';

import { endIsWorthTelling, isWorthAsking } from './task-notice.ts';
import type { TaskView } from './observe-views.ts';

const NOW = 100_000;
const task = (seconds: number, changes: Partial<TaskView> = {}): TaskView => ({
  ...{ id: 't', title: 'Copy', state: 'running', progress: undefined, detail: '', losesWork: true },
  startedAtMs: NOW - seconds * 1000,
  ...changes,
});

test.each([
  [0.5, true, false],
  [2, true, true],
  [2, false, false],
  [20, false, true],
])('work of %d s that loses what it made (%s) is asked about: %s', (seconds, losesWork, isAsked) => {
  expect(isWorthAsking(task(seconds, { losesWork }), NOW)).toBe(isAsked);
});

test('what has ended is not asked about', () => {
  expect(isWorthAsking(task(20, { state: 'done' }), NOW)).toBe(false);
});

test('the end of long work is told, unless the user ended it', () => {
  expect(endIsWorthTelling(task(20, { state: 'failed' }), NOW)).toBe(true);
  expect(endIsWorthTelling(task(20, { state: 'cancelled' }), NOW)).toBe(false);
  expect(endIsWorthTelling(task(2, { state: 'done' }), NOW)).toBe(false);
});
