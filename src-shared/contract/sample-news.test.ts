import { expect, test } from 'vitest';

import type { ModelSample, ServerSample } from './observe-views.ts';
import { sampleNews, withNews } from './sample-news.ts';

function row(model: string, inferPerSecond = 0, version = '1'): ModelSample {
  return {
    model,
    version,
    inferPerSecond,
    p99Us: undefined,
    waiting: 0,
    inFlight: 0,
    lastRequestAtMs: 0,
    successCount: 0,
    failureCount: 0,
  };
}

function sample(atMs: number, models: readonly ModelSample[]): ServerSample {
  return {
    atMs,
    inferPerSecond: 0,
    p99Us: undefined,
    inFlight: 0,
    waiting: 0,
    cpuPercent: 0,
    rssBytes: 0,
    gpu: undefined,
    models,
    droppedCount: 0,
  };
}

const FIRST = sample(1, [row('a'), row('b'), row('b', 0, '2'), row('c')]);
const SECOND = sample(2, [row('a'), row('b', 7), row('c'), row('d')]);
const THIRD = sample(3, [row('a'), row('b', 7), row('b', 1, '2'), row('c', 5)]);

test('what is the same as before is not told again, what has gone is', () => {
  expect(sampleNews(undefined, FIRST)).toBe(FIRST);
  expect(sampleNews(FIRST, SECOND)).toEqual({ ...SECOND, models: [row('b', 7), row('d')], removed: ['2 b'] });
  expect(sampleNews(SECOND, { ...SECOND, atMs: 9 })).toMatchObject({ atMs: 9, models: [], removed: [] });
});

/** In any order. */
const known = ({ models, ...rest }: ServerSample) => ({ ...rest, models: new Set(models) });

test('whoever hears all news knows what there is, also when two came as one', () => {
  const [first, second] = [sampleNews(FIRST, SECOND), sampleNews(SECOND, THIRD)];
  expect(known(withNews(FIRST, first))).toEqual(known(SECOND));
  expect(known(withNews(withNews(FIRST, first), second))).toEqual(known(THIRD));
  const both = withNews(first, second);
  expect(both.removed).toEqual(['1 d']);
  expect(known(withNews(FIRST, both))).toEqual(known(THIRD));
  expect(withNews(first, THIRD)).toBe(THIRD);
});
