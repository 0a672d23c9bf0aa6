// One level closely: where the mean request spent its time, how latencies spread, and what is known beside them.

import { afterEach, expect, test } from 'vitest';

import type { PerfLevel } from '../../../src-shared/contract/perf-views.ts';
import { fakeLevel, fakeServerTimes } from '../../../src-shared/testing/fake-runs.ts';
import { allByRole, byRole } from '../../testing/by-role.ts';
import { activeTab } from '../../lib/workspace-store.ts';
import type { Rendered } from '../../testing/render.tsx';
import { accessibilityFaults, click, renderView, until } from '../../testing/render.tsx';
import { LevelDetails } from './components/level-details.tsx';

let page: Rendered | undefined;
afterEach(() => page?.close());

async function show(level: PerfLevel): Promise<void> {
  page = await renderView(<LevelDetails level={level} runId="r1" place={2} />);
  await until(() => byRole('region', 'Chosen level'));
}

/** The rows of a table as words, its head first. */
function rowsOf(table: string): readonly string[] {
  return allByRole('row', undefined, byRole('table', table)).map((row) =>
    allByRole('rowheader', undefined, row)
      .concat(allByRole('cell', undefined, row))
      .map(({ textContent }) => textContent)
      .filter((text) => text !== '')
      .join(' | '),
  );
}

/** What a chart says as a table. */
async function chartRows(chart: string): Promise<() => readonly string[]> {
  await click(byRole('button', 'View as table', byRole('group', chart)));
  await until(() => byRole('table', chart));
  return () => rowsOf(chart).slice(1);
}

const PARTS = 'Where the time goes';
const facts = (): string => document.body.textContent;

test('the parts of the mean request follow each other and make up all of it', async () => {
  await show(fakeLevel(4, { meanUs: 10_000, server: fakeServerTimes() }));
  expect(document.body.textContent).toContain('The mean request at concurrency 4');
  expect(rowsOf(PARTS)).toEqual([
    'Client send | 20 µs | 0 %',
    'Network | 800 µs | 8 %',
    'Queue | 2 ms | 20 %',
    'Input | 100 µs | 1 %',
    'Infer | 7 ms | 70 %',
    'Output | 50 µs | 1 %',
    'Client receive | 30 µs | 0 %',
  ]);
  expect(await accessibilityFaults()).toEqual([]);
});

test('a load in requests per second is named as such', async () => {
  await show(fakeLevel(250, {}, { unit: 'request-rate' }));
  expect(document.body.textContent).toContain('The mean request at 250 requests/s');
});

test('without the word of the server only the client’s side is known', async () => {
  await show(fakeLevel(1));
  expect(document.body.textContent).toContain('The server gave no statistics');
  expect(rowsOf(PARTS).find((row) => row.startsWith('Infer'))).toBe('Infer | 0 µs | 0 %');
  expect(facts()).not.toContain('Executions');
});

test('a request that took no time has no shares', async () => {
  await show(fakeLevel(1, { meanUs: 0, sendUs: 0, receiveUs: 0 }));
  for (const row of rowsOf(PARTS)) expect(row).toMatch(/\| –$/);
});

test('the response cache is a part where the model has one', async () => {
  const cache = { cacheHitCount: 75, cacheHitUs: 40, cacheMissCount: 25, cacheMissUs: 80 };
  await show(fakeLevel(1, { server: fakeServerTimes({ hasCache: true, ...cache }) }));
  expect(rowsOf(PARTS).find((row) => row.startsWith('Response cache'))).toContain('50 µs');
  await page?.close();
  await show(fakeLevel(1, { server: fakeServerTimes(cache) }));
  expect(rowsOf(PARTS).find((row) => row.startsWith('Response cache'))).toBeUndefined();
});

test('an ensemble spends its time in its steps, in their caches too', async () => {
  const first = fakeServerTimes({ model: 'first', queueUs: 1000, inferUs: 3000, inputUs: 0, outputUs: 0 });
  const second = fakeServerTimes({
    ...{ model: 'second', queueUs: 500, inferUs: 2000, inputUs: 0, outputUs: 0 },
    ...{ hasCache: true, cacheHitCount: 0, cacheMissCount: 10, cacheMissUs: 100 },
  });
  const server = fakeServerTimes({ isEnsemble: true, composing: [first, second] });
  await show(fakeLevel(1, { server }));
  const rows = rowsOf(PARTS);
  expect(rows.find((row) => row.startsWith('Queue'))).toContain('1.5 ms');
  expect(rows.find((row) => row.startsWith('Infer'))).toContain('5 ms');
  expect(rows.find((row) => row.startsWith('Response cache'))).toContain('100 µs');
});

test('what is known beside the times: counts, spread, and how busy both sides were', async () => {
  await show(
    fakeLevel(
      1,
      { requestCount: 1234, serverCpuPercent: 180, server: fakeServerTimes({ executionCount: 617 }) },
      { note: 'windows differ by 12 %' },
    ),
  );
  for (const words of [
    'Requests1,234',
    'Fastest and slowest9 ms – 12 ms',
    'Standard deviation500 µs',
    'Load generator, of one core5 %',
    'Server, of one core180 %',
    'Executions617',
    'Notewindows differ by 12 %',
  ]) {
    expect(facts()).toContain(words);
  }
  expect(facts()).not.toContain('p99 from when due');
});

test('a schedule that could not be kept shows what requests took from when they were due', async () => {
  await show(fakeLevel(1, { fromDueUs: { '99': 48_000 } }));
  expect(facts()).toContain('p99 from when due48 ms');
});

test('latencies are bars: most requests, and the tail', async () => {
  await show(fakeLevel(1, { histogram: [1000, 90, 100_000, 10] }));
  const rows = await chartRows('Requests by latency');
  await until(() => expect(rows()).toEqual(['100 ms | 10', '10 ms | 90']));
});

test('batches are bars, by their size; without executions there are none', async () => {
  const batches = [
    { batchSize: 8, count: 3 },
    { batchSize: 1, count: 20 },
  ];
  await show(fakeLevel(1, { server: fakeServerTimes({ batches }), histogram: [] }));
  const rows = await chartRows('Executions by batch size');
  await until(() => expect(rows()).toEqual(['8 | 3', '1 | 20']));
  expect(allByRole('group', 'Requests by latency')).toEqual([]);
  await page?.close();
  await show(fakeLevel(1));
  expect(allByRole('group', 'Executions by batch size')).toEqual([]);
});

test('the slowest requests are told with their time of day', async () => {
  const atMs = new Date(2026, 4, 4, 12, 0, 1, 250).getTime();
  await show(fakeLevel(1, {}, { slowest: [{ atMs, latencyUs: 31_000 }] }));
  expect(rowsOf('Slowest requests').at(-1)).toMatch(/12:00:01.*\| 31 ms$/);
});

test('a slow request whose trace was kept leads to it; without traces it is said how to get them', async () => {
  const trace = [
    {
      ...{ id: 7, parentId: 0, model: 'm', version: '1', requestId: undefined, protocol: 'http' as const },
      ...{ atMs: 1, stamps: {}, isFailed: false, error: undefined, execution: undefined, runCount: 1 },
    },
  ];
  const slowest = [
    { atMs: 1, latencyUs: 31_000 },
    { atMs: 2, latencyUs: 30_000, trace },
  ];
  await show(fakeLevel(1, {}, { slowest }));
  expect(page?.query('perf-trace-0')).toBeNull();
  await click(page!.get('perf-trace-1'));
  expect(activeTab()?.address).toMatchObject({
    area: 'traces',
    query: { run: 'r1', level: '2', request: '1' },
  });
  expect(page!.get('perf-slowest').textContent).not.toContain('Trace the slowest requests');
  await page?.close();
  await show(fakeLevel(1, {}, { slowest: [{ atMs: 1, latencyUs: 1 }] }));
  expect(page!.get('perf-slowest').textContent).toContain('Trace the slowest requests');
});
