import { expect, test } from 'vitest';

import type { PerfProgress } from '../../../src-shared/contract/perf-views.ts';
import { fakeLevel } from '../../../src-shared/testing/fake-runs.ts';
import { levelKey, withLevels, withProgress } from './live-run.ts';

function progress(runId: string, atMs: readonly number[]): PerfProgress {
  return {
    runId,
    state: 'measuring',
    level: { unit: 'concurrency', value: 1 },
    levelIndex: 0,
    levelCount: 1,
    share: 0,
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

test('a level that is measured again takes the place of what it was, at its place', () => {
  const [one, two] = [fakeLevel(1), fakeLevel(2)];
  const again = fakeLevel(1, { inferPerSecond: 7 });
  expect(withLevels([one, two], [again])).toEqual([again, two]);
  // The same number of another unit is another load.
  const rate = fakeLevel(1, {}, { unit: 'request-rate' });
  expect(withLevels([one], [rate])).toEqual([one, rate]);
  expect(levelKey(one)).not.toBe(levelKey(rate));
});

test('a message without news leaves points and levels as they are, so that nothing is drawn again', () => {
  const first = withProgress(undefined, { ...progress('a', [250]), finishedLevels: [fakeLevel(1)] });
  const second = withProgress(first, { ...progress('a', []), stability: 'Window 4: stable' });
  expect(second.points).toBe(first.points);
  expect(second.levels).toBe(first.levels);
  expect(second.progress.stability).toBe('Window 4: stable');
});

test('a message that comes twice, as after a reconnect, counts once', () => {
  const message = { ...progress('a', [250, 500]), finishedLevels: [fakeLevel(1)] };
  const once = withProgress(undefined, message);
  expect(withProgress(once, message)).toEqual(once);
});
