// Making a folder from the page's own picker, on a running server.

import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

import type { ControlWorld } from '../../testing/control-world.ts';
import { startControlWorld } from '../../testing/control-world.ts';

let world: ControlWorld;

beforeAll(async () => {
  world = await startControlWorld();
}, 60_000);

afterAll(async () => {
  await world[Symbol.asyncDispose]();
});

const make = (parent: string, name: string) => world.client.call('repository/createFolder', { parent, name });

test('a folder is made below the root of the picker', async () => {
  const parent = world.repositoryPath;
  const made = await make(parent, 'new models');
  expect(made.path).toBe(path.join(parent, 'new models'));
  expect((await stat(made.path)).isDirectory()).toBe(true);
  await expect(make(parent, 'new models')).rejects.toMatchObject({ code: 'ALREADY_EXISTS' });
});

test.each(['', '.', '..', 'a/b', 'a\\b', '.hidden', ' a', 'a\0b'])(
  '%j is no name for a folder',
  async (name) => {
    await expect(make(world.repositoryPath, name)).rejects.toMatchObject({ code: 'INVALID_ARG' });
  },
);

test('nothing is made outside of the root', async () => {
  const outside = await mkdtemp(path.join(os.tmpdir(), 'conch-outside-'));
  await expect(make(outside, 'models')).rejects.toThrow();
  expect(await readdir(outside)).toEqual([]);
  await rm(outside, { recursive: true });
});

test('the default repository is made when it is first opened, and opened once', async () => {
  const first = await world.client.call('repository/openDefault', {});
  expect((await stat(first.repository.path)).isDirectory()).toBe(true);
  const { repositories } = await world.client.call('repository/snapshot', {});
  expect(repositories.map(({ path: root }) => root)).toContain(first.repository.path);
});
