import { expect, test } from 'vitest';

import { warmupSummary } from './warmup-summary.ts';

test.each<[string, readonly number[], RegExp, number]>([
  [
    'a slow first run',
    [42, 20, 9, 9, 9, 9, 9, 9],
    /^First 42\.0 ms, steady 9\.0 ms after 2 runs: set count: 2\.$/,
    2,
  ],
  ['an instance that served before', [1.9, 1.9, 1.9, 1.9, 1.9, 1.9], /is warm already\. Reload the model/, 1],
  [
    'runs that never settle',
    [1.9, 0.4, 6, 0.4, 20, 0.4, 18, 19],
    /from 400 µs to 20\.0 ms and did not settle/,
    1,
  ],
  [
    'a first run beside which the rest is nothing',
    [10.4, 7, 2, 0.35, 0.3, 0.25, 0.3, 0.16, 0.16, 0.16, 0.16, 0.16],
    /^First 10\.4 ms, steady 160 µs after 3 runs: set count: 3\.$/,
    3,
  ],
  [
    'short runs that jitter',
    [0.5, 0.02, 0.05, 0.1, 0.03, 0.09],
    /^First 500 µs, steady 90 µs after 1 run/,
    1,
  ],
])('%s', (_name, curve, sentence, count) => {
  const summary = warmupSummary(curve);
  expect(summary.sentence).toMatch(sentence);
  expect(summary.suggestedCount).toBe(count);
});

test('a peak that the chart shows is in the sentence, whichever instance had it', () => {
  const quiet = [42, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9];
  const peaked = quiet.with(12, 80);
  const sentence = /^First 42\.0 ms, steady 9\.0 ms after 1 run, one of 80\.0 ms: set count: 1\.$/;
  expect(warmupSummary(peaked).sentence).toMatch(sentence);
  expect(warmupSummary(quiet, [peaked]).sentence).toMatch(sentence);
  // The first run of another instance is cold as well.
  expect(warmupSummary(quiet, [[40, 9, 9]]).sentence).not.toContain('one of');
  const unsettled = [1.9, 0.4, 6, 0.4, 20, 0.4, 18, 19];
  expect(warmupSummary(unsettled, [[1, 55]]).sentence).toContain('from 400 µs to 55.0 ms');
});
