// The Statistics tab of a served model: what is asked for while it is looked at, the range, the pause, and what it says
// when there is nothing to show.

import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import type { SeriesAnswer } from '../../../src-shared/contract/observe-views.ts';
import { packPoint } from '../../../src-shared/contract/series-pack.ts';
import type { SeriesPoint } from '../../../src-shared/contract/series-point.ts';
import { internal } from '../../../src-shared/errors.ts';
import { modelAddress } from '../../lib/address.ts';
import { allByRole, byRole } from '../../testing/by-role.ts';
import { FakeEngine } from '../../testing/fake-engine.ts';
import { fakeModel, fakeSnapshot } from '../../testing/fake-models.ts';
import { fakeSample } from '../../testing/fake-views.ts';
import type { Rendered } from '../../testing/render.tsx';
import { accessibilityFaults, choose, click, renderWithHosts, until } from '../../testing/render.tsx';
import { StatisticsTab } from './statistics-tab.tsx';
import { viewResets } from './view-resets.ts';

const MODEL = 'mlp';

let page: Rendered | undefined;
let fake: FakeEngine;
let seconds = 10;

beforeEach(() => {
  viewResets.setState({ byVersion: new Map() });
  fake = new FakeEngine();
  fake.snapshot = fakeSnapshot([
    fakeModel(MODEL, { servedVersions: ['1', '2'], maxBatchSize: 8, loadedAtMs: Date.now() - 3_600_000 }),
  ]);
  fake.overrides['observe/series'] = ({ afterMs }) => answer(afterMs === 0 ? [point()] : []);
  fake.overrides['observe/doctor'] = () => ({
    ...{ code: 'none', sentence: 'All is well.', advice: 'Nothing to do.', evidence: [], tries: [] },
  });
});
afterEach(async () => {
  vi.restoreAllMocks();
  await page?.close();
});

/** A second that ended now, with ten requests. */
function point(changes: Partial<SeriesPoint> = {}): SeriesPoint {
  return {
    ...{ atMs: Date.now() - 1000, bucketMs: 1000, inferences: 40, executions: 10, successes: 10 },
    ...{ failures: 0, rejected: 0, timedOut: 0, p50Us: 900, p90Us: 950, p99Us: 1000, maxUs: 1100 },
    ...{
      queueUs: 1,
      inputUs: 2,
      inferUs: 3,
      outputUs: 4,
      cacheUs: 0,
      overheadUs: 5,
      waiting: 0,
      inFlight: 0,
    },
    ...{ cacheHits: 0, cacheMisses: 0, cacheLookupUs: undefined },
    ...changes,
  };
}

function answer(points: readonly SeriesPoint[], changes: Partial<SeriesAnswer> = {}): SeriesAnswer {
  return {
    ...{ version: '2', rows: points.map(packPoint), isWhole: points.length > 0, batches: [], busy: [] },
    ...{ markers: [], maxQueueSize: 0, hasCache: false },
    ...changes,
  };
}

const IDLE = { inferences: 0, executions: 0, successes: 0, p50Us: undefined, maxUs: undefined };

async function start(version = ''): Promise<Rendered> {
  page = await renderWithHosts(
    <StatisticsTab model={MODEL} version={version} address={modelAddress(MODEL, 'statistics')} />,
    fake,
  );
  return page;
}

async function startServed(version = ''): Promise<Rendered> {
  const started = await start(version);
  await until(() => byRole('group', 'Throughput'));
  await until(() => started.get('doctor-sentence'));
  return started;
}

/** Tells the page of one more second of the server, and waits until it is shown. */
async function nextSecond(): Promise<void> {
  seconds += 1;
  const atMs = Date.now() + seconds * 1000;
  const [row] = fakeSample(atMs).models;
  if (row === undefined) throw new Error('the sample has no model');
  const models = [{ ...row, model: MODEL, version: '2', inferPerSecond: seconds }];
  fake.publish('observe/sample', fakeSample(atMs, { models }));
  await until(() => expect(page?.get('statistics-now-rate').textContent).toBe(String(seconds)));
}

/** Turns a chart into its table; the result reads the rows as they are then. */
async function tableOf(chart: string): Promise<() => readonly string[]> {
  await click(byRole('button', 'View as table', byRole('group', chart)));
  await until(() => byRole('table', chart));
  return () => allByRole('row', undefined, byRole('table', chart)).map(({ textContent }) => textContent);
}

test('a model that is not loaded has no statistics, and can be loaded from here', async () => {
  fake.change(MODEL, { servedVersions: [], state: 'unloaded' });
  await start();
  await until(() =>
    expect(document.body.textContent).toContain('Statistics begin when the model is loaded.'),
  );
  expect(allByRole('group', 'Throughput')).toEqual([]);
  await click(byRole('button', 'Load'));
  await until(() => expect(fake.argsOf('repository/load')).toMatchObject([{ model: MODEL }]));
  await until(() => byRole('group', 'Throughput'));
});

test('a version that is not served names those that are, and offers no load', async () => {
  await start('7');
  await until(() => expect(document.body.textContent).toContain('Version 7 is not served'));
  expect(document.body.textContent).toContain('Served now: 1, 2.');
  expect(allByRole('button', 'Load')).toEqual([]);
  expect(fake.argsOf('observe/series')).toEqual([]);
});

test('what is asked is about the version that is looked at', async () => {
  await startServed('1');
  await until(() => expect(fake.argsOf('observe/statistics')).not.toEqual([]));
  expect(fake.argsOf('observe/series')[0]).toEqual({ model: MODEL, version: '1', window: '5m', afterMs: 0 });
  expect(fake.argsOf('observe/statistics')[0]).toEqual({ model: MODEL, version: '1' });
  expect(fake.argsOf('observe/doctor')[0]).toEqual({ model: MODEL, version: '1' });
});

test('a model that was loaded a moment ago begins with its first minute', async () => {
  fake.change(MODEL, { loadedAtMs: Date.now() });
  await startServed();
  expect(byRole('combobox', 'Time range').textContent).toContain('1 min');
  expect(fake.argsOf('observe/series')[0]).toMatchObject({ window: '1m' });
});

test('another range is asked for as a whole', async () => {
  await startServed();
  await choose(byRole('combobox', 'Time range'), '1 h');
  await until(() =>
    expect(fake.argsOf('observe/series').at(-1)).toEqual({
      ...{ model: MODEL, version: '', window: '1h', afterMs: 0 },
    }),
  );
  await until(() => expect(byRole('combobox', 'Time range').textContent).toContain('1 h'));
  await until(() => expect(fake.argsOf('observe/resources').at(-1)).toMatchObject({ window: '1h' }));
});

test('later answers are about what is new, and follow what is there', async () => {
  const first = point({ atMs: Date.now() - 3000, inferences: 40 });
  const second = point({ atMs: Date.now() - 2000, inferences: 80 });
  fake.overrides['observe/series'] = ({ afterMs }) =>
    afterMs === 0 ? answer([first]) : answer(afterMs < second.atMs ? [second] : [], { isWhole: false });
  await startServed();
  await until(() => expect(fake.argsOf('observe/series')[1]).toMatchObject({ afterMs: first.atMs }));
  const rows = await tableOf('Throughput');
  await until(() =>
    expect(rows()).toEqual([
      'TimeInferencesExecutionsFailures',
      expect.stringMatching(/80.*10/),
      expect.stringMatching(/40.*10/),
    ]),
  );
});

test('a pause holds what is shown and asks for nothing more; going on asks at once', async () => {
  await startServed();
  const rows = await tableOf('Throughput');
  await until(() => expect(rows()).toHaveLength(2));
  await click(byRole('button', 'Pause'));
  const resume = await until(() => byRole('button', 'Resume'));
  expect(resume.getAttribute('aria-pressed')).toBe('true');
  await until(() =>
    expect(allByRole('status').map(({ textContent }) => textContent)).toContainEqual(
      expect.stringMatching(/^Paused, \d+ s behind/),
    ),
  );
  const asked = ['observe/series', 'observe/doctor', 'observe/statistics', 'observe/resources'] as const;
  const counts = asked.map((name) => fake.argsOf(name).length);
  await nextSecond();
  await nextSecond();
  expect(asked.map((name) => fake.argsOf(name).length)).toEqual(counts);
  await click(resume);
  await until(() => byRole('button', 'Pause'));
  await until(() => expect(fake.argsOf('observe/series').length).toBeGreaterThan(counts[0] ?? 0));
});

test('a page that is paused before its first answer still gets it', async () => {
  const first = Promise.withResolvers<undefined>();
  fake.overrides['observe/series'] = async ({ afterMs }) => {
    await first.promise;
    return answer(afterMs === 0 ? [point()] : []);
  };
  await startServed();
  await click(byRole('button', 'Pause'));
  const rows = await tableOf('Throughput');
  first.resolve(undefined);
  await until(() => expect(rows()).toHaveLength(2));
  byRole('button', 'Resume');
});

test('another range is live again: what was held was a part of the one before', async () => {
  await startServed();
  const rows = await tableOf('Throughput');
  await until(() => expect(rows()).toHaveLength(2));
  await click(byRole('button', 'Pause'));
  await until(() => byRole('button', 'Resume'));
  fake.overrides['observe/series'] = ({ afterMs }) =>
    answer(afterMs === 0 ? [point({ atMs: Date.now() - 4000 }), point()] : []);
  await choose(byRole('combobox', 'Time range'), '15 min');
  await until(() => expect(rows()).toHaveLength(3));
  byRole('button', 'Pause');
});

test('every second of the server asks for counters and the doctor again', async () => {
  await startServed();
  const before = fake.argsOf('observe/doctor').length;
  const counters = fake.argsOf('observe/statistics').length;
  await nextSecond();
  await until(() => expect(fake.argsOf('observe/doctor').length).toBeGreaterThan(before));
  await until(() => expect(fake.argsOf('observe/statistics').length).toBeGreaterThan(counters));
});

test('a hidden page asks for nothing, and asks at once when it is shown again', async () => {
  await startServed();
  const hidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(true);
  const before = fake.argsOf('observe/doctor').length;
  const asked = fake.argsOf('observe/series').length;
  document.dispatchEvent(new Event('visibilitychange'));
  fake.publish('observe/sample', fakeSample(Date.now() + 60_000));
  fake.changeServer({ state: 'stopped' });
  await until(() => byRole('button', 'Start'));
  expect(fake.argsOf('observe/doctor')).toHaveLength(before);
  expect(fake.argsOf('observe/series')).toHaveLength(asked);
  hidden.mockReturnValue(false);
  document.dispatchEvent(new Event('visibilitychange'));
  await until(() => expect(fake.argsOf('observe/series').length).toBeGreaterThan(asked));
});

test('a window without requests offers the first one, and charts say that none came', async () => {
  fake.overrides['observe/series'] = ({ afterMs }) => answer(afterMs === 0 ? [point(IDLE)] : []);
  await startServed();
  await until(() => byRole('button', 'Send one'));
  byRole('button', 'Run 20 s test');
  await until(() =>
    expect(byRole('group', 'Latency').textContent).toContain('Charts start with the first one.'),
  );
});

test('with requests nobody is asked to send one', async () => {
  await startServed();
  const rows = await tableOf('Throughput');
  await until(() => expect(rows()).toHaveLength(2));
  expect(allByRole('button', 'Send one')).toEqual([]);
});

test('a history that cannot be told says why in each chart, and is asked for again', async () => {
  fake.overrides['observe/series'] = () => {
    throw internal('the ring is gone');
  };
  await start();
  const chart = await until(() => byRole('group', 'Throughput'));
  await until(() => expect(chart.textContent).toContain('the ring is gone'));
  fake.overrides['observe/series'] = () => answer([point()]);
  await click(await until(() => byRole('button', /again|retry/i, byRole('group', 'Throughput'))));
  await until(() => expect(byRole('group', 'Throughput').textContent).not.toContain('the ring is gone'));
});

test('a cache has a chart when the model uses one', async () => {
  fake.overrides['observe/series'] = () =>
    answer([point({ cacheHits: 3, cacheMisses: 1 })], { hasCache: true });
  await startServed();
  await until(() => byRole('group', 'Response cache'));
  const rows = await tableOf('Response cache');
  await until(() => expect(rows()).toContainEqual(expect.stringContaining('75 %')));
});

test('the size of each batch is a bar', async () => {
  fake.overrides['observe/series'] = () => answer([point()], { batches: [{ batchSize: 8, count: 220 }] });
  await startServed();
  const rows = await tableOf('Executions by batch size');
  await until(() => expect(rows()).toEqual(['Batch sizeExecutions', '8220']));
});

test('a history that stands still says for how long', async () => {
  fake.overrides['observe/series'] = ({ afterMs }) =>
    answer(afterMs === 0 ? [point({ atMs: Date.now() - 60_000 })] : []);
  await startServed();
  await until(() => expect(byRole('group', 'Throughput').textContent).toMatch(/Last value \d+ s ago/));
});

test('a reset counts from now on until it is undone', async () => {
  fake.overrides['observe/resetView'] = () => ({ resetId: 'r7' });
  await startServed();
  await click(await until(() => byRole('button', 'Reset view')));
  await until(() => expect(fake.argsOf('observe/statistics').at(-1)).toMatchObject({ resetId: 'r7' }));
  const [view] = [...viewResets.getState().byVersion];
  expect(view?.[1]).toBe('r7');
  await page?.close();
  await startServed('1');
  await until(() => expect(fake.argsOf('observe/statistics').at(-1)).toEqual({ model: MODEL, version: '1' }));
});

test('a stopped server is told, and can be started from here', async () => {
  await startServed();
  expect(allByRole('button', 'Start')).toEqual([]);
  fake.changeServer({ state: 'stopped' });
  await click(await until(() => byRole('button', 'Start')));
  await until(() => expect(fake.argsOf('server/start')).toHaveLength(1));
  await until(() => expect(allByRole('button', 'Start')).toEqual([]));
});

test('a page that lost the server process goes on where it was', async () => {
  await startServed();
  fake.disconnect();
  const asked = fake.argsOf('observe/series').length;
  await until(() => expect(fake.argsOf('observe/series').length).toBeGreaterThan(asked));
  expect(byRole('combobox', 'Time range').textContent).toContain('5 min');
  await tableOf('Throughput');
});

test('the tab can be used without seeing it', async () => {
  await startServed();
  expect(await accessibilityFaults()).toEqual([]);
  await tableOf('Throughput');
  expect(await accessibilityFaults()).toEqual([]);
});
