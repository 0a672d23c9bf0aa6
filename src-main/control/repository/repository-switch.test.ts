// Switching a repository off and on again, as a page does, seen from a page and from a client.

import { afterAll, beforeAll, expect, test } from 'vitest';

import type { ControlWorld } from '../../testing/control-world.ts';
import { startControlWorld } from '../../testing/control-world.ts';

let world: ControlWorld;

beforeAll(async () => {
  world = await startControlWorld(['simple']);
}, 60_000);

afterAll(async () => {
  await world[Symbol.asyncDispose]();
});

const snapshot = () => world.client.call('repository/snapshot', {});
const answerOf = async (model: string): Promise<number> =>
  (await fetch(`http://${world.httpAddress}/v2/models/${model}/ready`)).status;

test('a repository that is off is listed and has no models; on again, what served before serves', async () => {
  const path = world.repositoryPath;
  const before = (await snapshot()).repositories;
  expect(before).toMatchObject([{ path, isEnabled: true, isWatched: true }]);
  expect(await answerOf('simple')).toBe(200);

  await world.client.call('repository/switch', { path, isEnabled: false });
  await world.engine.repository.settled();
  const off = await snapshot();
  expect(off.repositories).toEqual([{ ...before[0], isEnabled: false }]);
  expect(off.models).toEqual([]);
  expect(await answerOf('simple')).toBe(400);
  await expect(world.engine.repository.load('batch_mlp')).rejects.toThrow("failed to load 'batch_mlp'");

  const loaded = new Promise<string>((resolve) => {
    const following = world.engine.events.subscribe('loadEnded', ({ id }) => {
      following[Symbol.dispose]();
      resolve(id.name);
    });
  });
  await world.client.call('repository/switch', { path, isEnabled: true });
  expect(await loaded).toBe('simple');
  expect(await answerOf('simple')).toBe(200);
  const states = new Map((await snapshot()).models.map(({ name, state }) => [name, state]));
  expect([states.get('simple'), states.get('batch_mlp')]).toEqual(['ready', 'unloaded']);
});

test('the watch can be taken off a repository', async () => {
  const path = world.repositoryPath;
  await world.client.call('repository/switch', { path, isWatched: false });
  expect((await snapshot()).repositories).toMatchObject([{ isEnabled: true, isWatched: false }]);
  expect(world.engine.repository.folders.watched).toEqual([]);
  await world.client.call('repository/switch', { path, isWatched: true });
  expect(world.engine.repository.folders.watched).toEqual([path]);
});

test('a repository that is not listed cannot be switched', async () => {
  await expect(
    world.client.call('repository/switch', { path: '/nowhere', isEnabled: false }),
  ).rejects.toMatchObject({ code: 'NOT_FOUND' });
});
