// Which rows the toolbar lets through, what the next tracing takes, and how an execution is told in a line.

import { describe, expect, test } from 'vitest';

import { fakeEnsemble, fakeTraces, stampsOf, traceRow } from '../../testing/fake-traces.ts';
import { blockText, hitText } from './block-text.ts';
import { layOutTimeline } from './timeline-layout.ts';
import { filteredRows, NO_FILTER } from './trace-filter.ts';
import { modeOf, MOST } from './trace-plan.ts';

describe('the filter', () => {
  const rows = fakeTraces();
  const ids = (filter: Partial<typeof NO_FILTER>): readonly number[] =>
    filteredRows(rows, { ...NO_FILTER, ...filter }).map(({ id }) => id);

  test.each([
    ['nothing: all, the one that ended last first', {}, [4, 3, 2, 1]],
    ['failed ones', { errorsOnly: true }, [4]],
    ['a model that has none', { model: 'other' }, []],
    ['slower than exactly the slowest one', { slowerThanMs: 1.22 }, []],
    ['slower than a hair less', { slowerThanMs: 1.2199 }, [1]],
    ['slower than 0 ms', { slowerThanMs: 0 }, [4, 3, 2, 1]],
    ['failed, and slower than it was', { errorsOnly: true, slowerThanMs: 1 }, []],
  ])('%s', (_what, filter, expected) => {
    expect(ids(filter)).toEqual(expected);
  });

  test('steps are no requests of clients, and the rows stay as they were', () => {
    const all = fakeEnsemble();
    const before = [...all];
    expect(filteredRows(all, NO_FILTER).map(({ id }) => id)).toEqual([10]);
    expect(filteredRows(all, { ...NO_FILTER, model: 'left' }).map(({ id }) => id)).toEqual([11]);
    expect(all).toEqual(before);
  });

  test('of a request without times nobody knows that it was slow', () => {
    expect(filteredRows([traceRow(1)], { ...NO_FILTER, slowerThanMs: 0 })).toEqual([]);
  });
});

test.each([
  ['next', { kind: 'next', count: 5 }],
  ['sampled', { kind: 'sampled', rate: 6 }],
  ['all', { kind: 'all', seconds: 7 }],
] as const)('a plan of the kind "%s" takes its own amount', (kind, mode) => {
  expect(modeOf({ kind, amounts: { next: 5, sampled: 6, all: 7 } })).toEqual(mode);
  expect(MOST[kind]).toBeGreaterThan(7);
});

describe('an execution in a line', () => {
  const { blocks, waits } = layOutTimeline(fakeTraces());

  test('says rows, requests, time and why its batch was closed', () => {
    const text = blockText(blocks[0]!);
    expect(text).toContain('resnet_0');
    expect(text).toMatch(/\b6\b.*\b3\b/);
    expect(text).toContain('1 ms');
    expect(text.endsWith('.')).toBe(true);
  });

  test('of a server that tells neither size nor reason says no more than is known', () => {
    const execution = { id: 9, instance: '', requestCount: 0, batchSize: 0, closeReason: undefined };
    const row = traceRow(1, { stamps: stampsOf(0, 200, 1000), execution });
    const [block] = layOutTimeline([row]).blocks;
    const text = blockText(block!);
    expect(text).toContain('resnet');
    expect(text).not.toMatch(/undefined|\b0\b/);
  });

  test('a request in the queue is told with its wait', () => {
    const [wait] = waits;
    expect(hitText({ kind: 'wait', wait: wait! })).toContain('170 µs');
    expect(hitText({ kind: 'block', block: blocks[0]! })).toBe(blockText(blocks[0]!));
  });
});
