import { mkdtemp, readdir, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

import { afterEach, beforeEach, expect, test } from 'vitest';

import type { PerfRun } from '../../../src-shared/contract/perf-views.ts';
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
