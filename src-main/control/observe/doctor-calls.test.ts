// What the batch doctor suggests on a running engine can be loaded, and the next look sees it. A server of its own: other
// traffic of the last minute would be judged with it.

import { afterAll, beforeAll, expect, test } from 'vitest';

import type { ControlWorld } from '../../testing/control-world.ts';
import { sendToMlp, startControlWorld } from '../../testing/control-world.ts';

let world: ControlWorld;
const target = { model: 'batch_mlp', version: '' };
const patience = { timeout: 30_000 };

beforeAll(async () => {
  world = await startControlWorld(['batch_mlp']);
}, 60_000);
afterAll(() => world[Symbol.asyncDispose]());

const send = (count: number, concurrency: number): Promise<void> => sendToMlp(world, count, concurrency);

test('what the doctor suggests loads without saving, and the next look sees it', async () => {
  const { client, engine } = world;
  const verdict = () => client.call('observe/doctor', target);
  const load = (configText: string) => client.call('repository/load', { model: 'batch_mlp', configText });
  const delayUs = () => {
    const [model] = [...engine.repository.ready()].filter(({ id }) => id.name === 'batch_mlp');
    return Number(model?.config.dynamicBatching?.maxQueueDelayMicroseconds ?? -1n);
  };
  const all = { label: 'Requests', value: expect.stringMatching(/^30 in /) as string };
  await send(30, 1);
  await expect.poll(async () => (await verdict()).evidence, patience).toContainEqual(all);
  expect((await verdict()).code).toBe('one-at-a-time');
  expect(delayUs()).toBe(200);
  const [attempt] = (await verdict()).tries;
  expect(attempt?.title).toBe('Try without the queue delay');
  await load(attempt?.configText ?? '');
  expect(delayUs()).toBe(0);
  expect((await verdict()).code).toBe('no-traffic');
  await send(30, 1);
  await expect.poll(async () => (await verdict()).code, patience).toBe('one-at-a-time');
  expect((await verdict()).tries).toEqual([]);
}, 40_000);
