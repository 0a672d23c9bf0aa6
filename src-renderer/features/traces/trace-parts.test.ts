// Parts of a request, what is usual, and the steps that a request waited for.

import { expect, test } from 'vitest';

import { fakeEnsemble, fakeTraces, stampsOf, traceRow } from '../../testing/fake-traces.ts';
import { filteredRows, NO_FILTER } from './trace-filter.ts';
import { partsOf, queueNs, rangeOf, totalNs, usualParts } from './trace-parts.ts';
import { childrenByParent, stepsOf } from './trace-steps.ts';

const durations = (parts: ReturnType<typeof partsOf>) =>
  parts.map(({ name, startNs, endNs }) => [name, (endNs - startNs) / 1000]);

test('the parts of a request follow each other without a gap and come to the whole of it', () => {
  const row = traceRow(1, { stamps: stampsOf(0, 200, 1000) });
  const parts = partsOf(row, false);
  expect(durations(parts)).toEqual([
    ['receive', 10],
    ['parse', 20],
    ['queue', 170],
    ['input', 5],
    ['infer', 990],
    ['output', 5],
    ['answer', 10],
    ['send', 10],
  ]);
  parts.forEach(({ endNs }, index) => {
    const next = parts[index + 1];
    if (next !== undefined) expect(next.startNs).toBe(endNs);
  });
  expect(parts.reduce((sum, { startNs, endNs }) => sum + endNs - startNs, 0)).toBe(totalNs(row));
});

test('without a moment at which it was received, receiving is a part of reading it', () => {
  const { receiveEnd: _, ...stamps } = stampsOf(0, 200, 1000);
  expect(durations(partsOf(traceRow(1, { stamps }), false)).slice(0, 2)).toEqual([
    ['parse', 30],
    ['queue', 170],
  ]);
});

test('what is not known is no part', () => {
  const refused = traceRow(1, { stamps: { receiveStart: 1000, receiveEnd: 2000 }, isFailed: true });
  expect(durations(partsOf(refused, false))).toEqual([['receive', 1]]);
  expect(partsOf(traceRow(1), false)).toEqual([]);
  expect([rangeOf(traceRow(1)), totalNs(traceRow(1)), queueNs(traceRow(1))]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

test('an ensemble spends its time on steps', () => {
  const whole = fakeEnsemble().at(-1);
  expect(whole).toBeDefined();
  if (whole === undefined) return;
  expect(durations(partsOf(whole, true)).map(([name]) => name)).toEqual([
    'receive',
    'parse',
    'steps',
    'answer',
    'send',
  ]);
});

test('usual is the median of each part over the rows of the model', () => {
  const rows = [100, 200, 900].map((computeAt, index) =>
    traceRow(index, { stamps: stampsOf(0, computeAt, 1000) }),
  );
  const usual = usualParts(rows, false);
  expect(usual.count).toBe(3);
  expect(usual.parts.get('queue')).toBe(170_000);
  expect(usual.totalNs).toBe(1_220_000);
  expect(usualParts(rows.slice(0, 2), false).parts.get('queue')).toBe(120_000);
});

test('the critical path is the chain of steps that the request waited for', () => {
  const rows = fakeEnsemble();
  const whole = rows.at(-1) ?? traceRow(0);
  const steps = stepsOf(whole, childrenByParent(rows));
  expect(steps.map(({ row, depth, isCritical }) => [row.model, depth, isCritical])).toEqual([
    ['left', 1, false],
    ['right', 1, true],
    ['last', 1, true],
  ]);
});

test('steps of a step are nested below it, and critical only where it is', () => {
  const rows = [
    ...fakeEnsemble(),
    traceRow(14, { model: 'inner', parentId: 12, stamps: stampsOf(60, 80, 100) }),
    traceRow(15, { model: 'idle', parentId: 11, stamps: stampsOf(60, 80, 100) }),
  ];
  const steps = stepsOf(rows[3] ?? traceRow(0), childrenByParent(rows));
  expect(steps.map(({ row, depth, isCritical }) => [row.model, depth, isCritical])).toEqual([
    ['left', 1, false],
    ['idle', 2, false],
    ['right', 1, true],
    ['inner', 2, true],
    ['last', 1, true],
  ]);
});

test('rows that name each other in a circle end', () => {
  const rows = [traceRow(1, { parentId: 2 }), traceRow(2, { parentId: 1 })];
  expect(stepsOf(rows[0] ?? traceRow(0), childrenByParent(rows)).map(({ row }) => row.id)).toEqual([2]);
});

test('steps are listed where their model is asked for', () => {
  const rows = [...fakeTraces(), ...fakeEnsemble()];
  const ids = (filter: Partial<typeof NO_FILTER>) =>
    filteredRows(rows, { ...NO_FILTER, ...filter }).map(({ id }) => id);
  expect(ids({})).toEqual([10, 4, 3, 2, 1]);
  expect(ids({ model: 'right' })).toEqual([12]);
  expect(ids({ errorsOnly: true })).toEqual([4]);
  expect(ids({ slowerThanMs: 1.21 })).toEqual([10, 1]);
  expect(ids({ slowerThanMs: 0 })).toEqual([10, 4, 3, 2, 1]);
});
