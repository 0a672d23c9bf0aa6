import { expect, test } from 'vitest';

import type { PerfProgress } from '../../../src-shared/contract/perf-views.ts';
import { withProgress } from './live-run.ts';

function progress(runId: string, atMs: readonly number[]): PerfProgress {
  return {
    runId,
    state: 'measuring',
    level: { unit: 'concurrency', value: 1 },
    levelIndex: 0,
    levelCount: 1,
    windowIndex: 1,
    remainingMs: undefined,
    live: undefined,
    points: atMs.map((at) => ({ atMs: at, inferPerSecond: 1, p99Us: undefined })),
    windowEndsMs: atMs.slice(-1),
    stability: '',
    finishedLevels: [],
  };
}

test('points are put in once, in order, and only the last minute stays', () => {
  const first = withProgress(undefined, progress('a', [250, 500]));
  const second = withProgress(first, progress('a', [500, 750]));
  expect(second.points.map(({ atMs }) => atMs)).toEqual([250, 500, 750]);
  expect(second.windowEndsMs).toEqual([500, 750]);
  const long = Array.from({ length: 300 }, (_, index) => 1000 + index * 250);
  expect(withProgress(second, progress('a', long)).points).toHaveLength(240);
});

test('another run starts over', () => {
  const first = withProgress(undefined, progress('a', [250]));
  expect(withProgress(first, progress('b', [900])).points.map(({ atMs }) => atMs)).toEqual([900]);
});
