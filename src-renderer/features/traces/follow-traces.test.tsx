// How the screen keeps up with the engine's traces: pages, gaps, a buffer that is full, and a server that started anew.

import { afterEach, beforeEach, expect, test } from 'vitest';

import type { TraceState } from '../../../src-shared/contract/trace-calls.ts';
import type { TraceRow } from '../../../src-shared/contract/trace-row.ts';
import { FakeEngine } from '../../testing/fake-engine.ts';
import { fakeTraceState, packed, traceRow } from '../../testing/fake-traces.ts';
import type { Rendered } from '../../testing/render.tsx';
import { renderWithHosts, until } from '../../testing/render.tsx';
import { useFollowTraces } from './follow-traces.ts';
import { traces } from './trace-store.ts';

const PAGE = 4;
let page: Rendered | undefined;
let fake: FakeEngine;
/** What the engine keeps: numbers from `firstRow` on. */
let rows: TraceRow[] = [];
let firstRow = 0;
/** Another one for each test: what was fetched outlives a screen. */
let generation = 1000;

beforeEach(() => {
  traces.setState({ rows: [], file: undefined, choice: undefined, state: undefined });
  generation += 10;
  [rows, firstRow] = [[], 0];
  fake = new FakeEngine();
  fake.overrides['traces/state'] = () => state();
  fake.overrides['traces/read'] = ({ fromRow }) => {
    const from = Math.max(fromRow, firstRow);
    const kept = rows.slice(from - firstRow, from - firstRow + PAGE);
    return { ...packed(kept, 0, generation), fromRow: from, nextRow: from + kept.length };
  };
});

afterEach(async () => {
  await page?.close();
  page = undefined;
});

const state = (changes: Partial<TraceState> = {}): TraceState =>
  fakeTraceState(firstRow + rows.length, { firstRow, generation, ...changes });
const shown = (): readonly number[] => traces.getState().rows.map(({ id }) => id);
const make = (from: number, to: number): TraceRow[] =>
  Array.from({ length: to - from }, (_, at) => traceRow(from + at + 1));

function Follower() {
  useFollowTraces();
  return undefined;
}

async function show(): Promise<void> {
  page = await renderWithHosts(<Follower />, fake);
}

test('all pages are read, and with each event what is new', async () => {
  rows = make(0, 10);
  await show();
  await until(() => expect(shown()).toHaveLength(10));
  rows.push(...make(10, 13));
  fake.publish('traces/changed', state());
  await until(() => expect(shown()).toEqual(make(0, 13).map(({ id }) => id)));
  expect(fake.argsOf('traces/read').map(({ fromRow }) => fromRow)).toEqual([0, 4, 8, 10]);
});

test('rows that were dropped before they were read leave no gap: older ones go, too', async () => {
  rows = make(0, 3);
  await show();
  await until(() => expect(shown()).toEqual([1, 2, 3]));
  [rows, firstRow] = [make(20, 22), 20];
  fake.publish('traces/changed', state());
  await until(() => expect(shown()).toEqual([21, 22]));
});

test('no more rows are kept than the engine keeps', async () => {
  rows = make(0, 6);
  await show();
  await until(() => expect(shown()).toHaveLength(6));
  rows.push(...make(6, 9));
  fake.publish('traces/changed', state({ capacity: 5 }));
  await until(() => expect(shown()).toEqual([5, 6, 7, 8, 9]));
});

test('rows of a server that started anew take the place of the old ones, with what was chosen', async () => {
  rows = make(0, 3);
  await show();
  await until(() => expect(shown()).toHaveLength(3));
  traces.setState({ choice: { kind: 'request', id: 2 } });
  generation += 1;
  rows = make(100, 102);
  fake.publish('traces/changed', state());
  await until(() => expect(shown()).toEqual([101, 102]));
  expect(traces.getState().choice).toBeUndefined();
});

test('a page that cannot be read is asked for again with the next event', async () => {
  rows = make(0, 2);
  const read = fake.overrides['traces/read'];
  let isBroken = true;
  fake.overrides['traces/read'] = (args, context) => {
    if (isBroken) throw new Error('the connection broke');
    return read?.(args, context) ?? packed([], 0, generation);
  };
  await show();
  await until(() => expect(fake.argsOf('traces/read')).toHaveLength(1));
  expect(shown()).toEqual([]);
  isBroken = false;
  fake.publish('traces/changed', state());
  await until(() => expect(shown()).toEqual([1, 2]));
});
