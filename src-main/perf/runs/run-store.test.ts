import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

import { afterEach, beforeEach, expect, test } from 'vitest';

import type { PerfRun } from '../../../src-shared/contract/perf-views.ts';
import { fakeLevel, fakeRun } from '../../../src-shared/testing/fake-runs.ts';
import { RunStore } from './run-store.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'conch-runs-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

function run(id: string, startedAtMs: number, changes: Partial<PerfRun> = {}): PerfRun {
  return { id, model: 'm', startedAtMs, state: 'done', isStarred: false, levels: [], ...changes } as PerfRun;
}

test('old runs make room, those with a star and those that go on stay', async () => {
  const store = new RunStore(folder, () => 2);
  await store.add(run('starred', 1, { isStarred: true }), '/models');
  await store.add(run('going', 2, { state: 'running' }), '/models');
  for (const [at, id] of ['a', 'b', 'c', 'd'].entries()) await store.add(run(id, 10 + at), '/models');
  const ids = (await store.list('')).map(({ id }) => id);
  expect(ids).toEqual(['d', 'c', 'going', 'starred']);
  const [hash = ''] = await readdir(path.join(folder, 'repositories'));
  const files = await readdir(path.join(folder, 'repositories', hash, 'runs'));
  expect(files.sort()).toEqual(['c.json', 'd.json', 'going.json', 'starred.json']);
});

test('without a limit all stay', async () => {
  const store = new RunStore(folder);
  for (let at = 0; at < 5; at += 1) await store.add(run(`r${at}`, at), '/models');
  expect(await store.list('')).toHaveLength(5);
});

/** A store that reads what another one wrote, as the next start of the program does. */
const again = () => new RunStore(folder);

test('runs are found again, newest first, by model; those that went on are interrupted', async () => {
  const store = new RunStore(folder);
  await store.add(fakeRun('old', [fakeLevel(1)], { startedAtMs: 1 }), '/models');
  await store.add(fakeRun('new', [], { startedAtMs: 3, state: 'running' }), '/elsewhere');
  await store.add(fakeRun('other', [], { startedAtMs: 2, model: 'x', state: 'queued' }), '/models');
  const later = again();
  expect((await later.list('')).map(({ id, state }) => [id, state])).toEqual([
    ['new', 'interrupted'],
    ['other', 'interrupted'],
    ['old', 'done'],
  ]);
  expect((await later.list('x')).map(({ id }) => id)).toEqual(['other']);
  expect((await later.find('new')).error).toBe('The program ended during the run.');
});

test('a list has no plan and no windows, but how many levels did not agree', async () => {
  const store = new RunStore(folder);
  await store.add(fakeRun('r', [fakeLevel(1), fakeLevel(2, {}, { state: 'unstable' })]), '/models');
  const [summary] = await store.list('');
  expect(summary).toMatchObject({ id: 'r', unstableCount: 1, levelCount: 2 });
  for (const key of ['plan', 'levels', 'configText', 'warnings']) expect(summary).not.toHaveProperty(key);
});

test('changes that cross are both kept, in memory and on disk', async () => {
  const store = new RunStore(folder);
  await store.add(fakeRun('r', []), '/models');
  await Promise.all([
    store.change('r', () => ({ note: 'mine' })),
    store.change('r', ({ note }) => ({ name: `after ${note}` })),
    store.change('r', () => ({ isStarred: true })),
  ]);
  expect(await again().find('r')).toMatchObject({ note: 'mine', name: 'after mine', isStarred: true });
});

test('a run that was deleted is gone, with its requests, and unknown ones are not found', async () => {
  const store = new RunStore(folder);
  await store.add(fakeRun('r', []), '/models');
  const requests = await store.requestsFile('r');
  await writeFile(requests, '{}');
  await store.delete('r');
  await expect(store.find('r')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  await expect(store.change('r', () => ({}))).rejects.toMatchObject({ code: 'NOT_FOUND' });
  await expect(store.requestsFile('r')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  expect(await readdir(path.dirname(requests))).toEqual([]);
  expect(await again().list('')).toEqual([]);
});

test.each([
  ['no JSON', '{"id": "bad'],
  ['no run', '[1, 2]'],
  ['a run without its parts', '{"id":"bad","model":"m"}'],
  ['nothing', 'null'],
])('a file that is %s is left where it is, and hides no other run', async (_what, text) => {
  const store = new RunStore(folder);
  await store.add(fakeRun('good', []), '/models');
  const runs = path.dirname(await store.requestsFile('good'));
  await writeFile(path.join(runs, 'bad.json'), text);
  expect((await again().list('')).map(({ id }) => id)).toEqual(['good']);
  expect(await readdir(runs)).toContain('bad.json');
});

test('a folder that is no repository of runs is no trouble', async () => {
  await mkdir(path.join(folder, 'repositories', 'empty'), { recursive: true });
  await writeFile(path.join(folder, 'repositories', 'a-file'), '');
  expect(await again().list('')).toEqual([]);
});

test('runs of a sweep are in its order', async () => {
  const store = new RunStore(folder);
  for (const index of [2, 0, 1]) {
    const sweep = { id: 's', index, count: 3, title: '' };
    await store.add(fakeRun(`r${index}`, [], { sweep }), '/models');
  }
  await store.add(fakeRun('alone', []), '/models');
  expect((await store.bySweep('s')).map(({ id }) => id)).toEqual(['r0', 'r1', 'r2']);
  expect(await store.bySweep('t')).toEqual([]);
});

test('what is forgotten after its files went elsewhere is gone from memory', async () => {
  const store = new RunStore(folder);
  await store.add(fakeRun('r', []), '/models');
  store.forget();
  expect(await store.list('')).toEqual([]);
});
