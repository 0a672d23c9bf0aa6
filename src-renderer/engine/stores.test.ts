import { expect, test } from 'vitest';

import { fakeModel, fakeSnapshot } from '../testing/fake-models.ts';
import { fakeLogs, fakeSample } from '../testing/fake-views.ts';
import { createLogBuffer } from './log-buffer.ts';
import { applyChange, applyRepositories, applySnapshot, createModelsStore } from './models-store.ts';
import { createSamplesStore, SPARK_POINTS } from './samples-store.ts';

test('lines that were written before a connection keep their place when a newer one came first', () => {
  const logs = createLogBuffer({ lines: 100 });
  const lines = fakeLogs(8);
  logs.append(lines.slice(0, 3));
  logs.append(lines.slice(6, 7));
  logs.append(lines.slice(3, 7));
  logs.append(lines.slice(7));
  expect(logs.lines().map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
});

test('the log buffer takes each line once and drops the oldest when it is full', () => {
  const logs = createLogBuffer({ lines: 100 });
  logs.append(fakeLogs(60));
  logs.append(fakeLogs(60));
  expect(logs.lines()).toHaveLength(60);
  expect(logs.store.getState().version).toBe(1);
  logs.append(fakeLogs(160));
  expect(logs.lines().length).toBeLessThanOrEqual(100);
  expect(logs.lastSequence()).toBe(160);
});

test('the log buffer has a bound for long lines, too', () => {
  const logs = createLogBuffer({ characters: 1000 });
  const long = fakeLogs(30).map((line) => ({ ...line, message: 'x'.repeat(100) }));
  logs.append(long.slice(0, 10));
  expect(logs.lines()).toHaveLength(10);
  logs.append(long.slice(10, 11));
  expect(logs.lines().map(({ sequence }) => sequence)).toEqual([3, 4, 5, 6, 7, 8, 9, 10, 11]);
  logs.append(long.slice(11));
  expect(logs.lines().map(({ sequence }) => sequence)).toEqual([22, 23, 24, 25, 26, 27, 28, 29, 30]);
});

test('versions of a model add up, and unchanged models keep their object', () => {
  const samples = createSamplesStore();
  const row = {
    model: 'm',
    inferPerSecond: 10,
    p99Us: 5,
    waiting: 1,
    inFlight: 1,
    lastRequestAtMs: 7,
    successCount: 1,
    failureCount: 0,
  };
  const models = [
    { ...row, version: '1' },
    { ...row, version: '2', p99Us: 9 },
  ];
  samples.applySample(fakeSample(1000, { models }));
  const first = samples.getState().byModel.get('m');
  expect(first).toMatchObject({ inferPerSecond: 20, p99Us: 9, waiting: 2 });
  samples.applySample(fakeSample(1250, { models }));
  expect(samples.getState().byModel.get('m')).toBe(first);
});

test('what is new of the models joins what is known, and says nothing before the first sample', () => {
  const samples = createSamplesStore();
  const row = (model: string, inferPerSecond: number) => ({
    model,
    version: '1',
    inferPerSecond,
    p99Us: undefined,
    waiting: 0,
    inFlight: 0,
    lastRequestAtMs: 7,
    successCount: 1,
    failureCount: 0,
  });
  const news = (atMs: number, models: readonly ReturnType<typeof row>[], removed: readonly string[]) =>
    samples.applySample({ ...fakeSample(atMs, { models }), removed });
  news(1000, [row('a', 3)], []);
  expect(samples.getState().server).toBeUndefined();
  samples.applySample(fakeSample(2000, { models: [row('a', 1), row('b', 2), row('c', 3)] }));
  const { byModel } = samples.getState();
  news(3000, [row('b', 5)], ['1 c']);
  const { byModel: after, perSecond } = samples.getState();
  expect([...after].map(([name, { inferPerSecond }]) => [name, inferPerSecond])).toEqual([
    ['a', 1],
    ['b', 5],
  ]);
  expect(after.get('a')).toBe(byModel.get('a'));
  expect(perSecond?.models.map(({ model }) => model)).toEqual(['a', 'b']);
});

test('sparklines grow once per second and keep a minute; numbers to read change once per second', () => {
  const samples = createSamplesStore();
  for (let atMs = 0; atMs < 90_000; atMs += 250) samples.applySample(fakeSample(atMs));
  expect(samples.sparkline('batch_mlp')).toHaveLength(SPARK_POINTS);
  expect(samples.getState().perSecond?.atMs).toBe(89_000);
  expect(samples.getState().server?.atMs).toBe(89_750);
});

test('a name in two repositories has two entries, and is removed with both', () => {
  const store = createModelsStore();
  const changed = [fakeModel('a'), fakeModel('a', { repository: '/other' }), fakeModel('b')];
  applyChange(store, { changed, removed: [] });
  expect(store.getState().models).toHaveLength(3);
  applyChange(store, { changed: [], removed: ['a'] });
  expect(store.getState().models.map(({ name }) => name)).toEqual(['b']);
});

test('repositories that are being opened are not none', () => {
  const store = createModelsStore();
  applySnapshot(store, { repositories: [], models: [], isScanning: true });
  expect(store.getState()).toMatchObject({ isLoaded: false, isScanning: true });
  applyRepositories(store, { repositories: [], isScanning: false });
  expect(store.getState()).toMatchObject({ isLoaded: true, isScanning: false });
});

test('while a restarted engine opens its repositories, those known before stay', () => {
  const store = createModelsStore();
  const { repositories } = fakeSnapshot();
  applySnapshot(store, { repositories, models: [], isScanning: false });
  applySnapshot(store, { repositories: [], models: [], isScanning: true });
  expect(store.getState()).toMatchObject({ isLoaded: true, repositories });
  applyRepositories(store, { repositories: [], isScanning: false });
  expect(store.getState().repositories).toEqual([]);
});
