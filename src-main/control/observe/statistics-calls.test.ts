// What the Statistics tab asks for, on a running engine: history without repeats, a view that is reset without the
// server noticing, resources of the process.

import { afterAll, beforeAll, expect, test } from 'vitest';

import type { SampleNews } from '../../../src-shared/contract/sample-news.ts';
import { withNews } from '../../../src-shared/contract/sample-news.ts';
import { unpackPoint } from '../../../src-shared/contract/series-pack.ts';
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

test('a page that follows gets every point once, and the batches of the whole window', async () => {
  const { client } = world;
  await send(60, 8);
  const starts: number[] = [];
  let inferences = 0;
  let afterMs = 0;
  const follow = async (): Promise<number> => {
    const answer = await client.call('observe/series', { ...target, window: '1m', afterMs });
    const points = answer.rows.map(unpackPoint);
    starts.push(...points.map(({ atMs }) => atMs));
    inferences += points.reduce((sum, point) => sum + point.inferences, 0);
    afterMs = starts.at(-1) ?? 0;
    const counted = answer.batches.reduce((sum, { batchSize, count }) => sum + batchSize * count, 0);
    expect(answer.isWhole).toBe(points.length > 0 && points.length === starts.length);
    expect(counted).toBe(inferences);
    return inferences;
  };
  await expect.poll(follow, patience).toBe(60);
  await send(40, 2);
  await expect.poll(follow, patience).toBe(100);
  expect(starts).toEqual([...new Set(starts)].sort((a, b) => a - b));
}, 40_000);

test('a reset view counts from there, with its own percentiles; the server counts on', async () => {
  const { client } = world;
  const before = (await client.call('observe/statistics', target))[0];
  const { resetId } = await client.call('observe/resetView', target);
  expect((await client.call('observe/statistics', { ...target, resetId }))[0]).toMatchObject({
    isReset: true,
    successCount: 0,
    percentilesUs: undefined,
    batches: [],
  });
  await send(10, 1);
  const reset = (await client.call('observe/statistics', { ...target, resetId }))[0];
  expect(reset).toMatchObject({
    successCount: 10,
    inferenceCount: 10,
    batches: [{ batchSize: 1, count: 10 }],
    instances: [{ executionCount: 10 }],
  });
  expect(reset?.percentilesUs?.max).toBeGreaterThan(0);
  const whole = (await client.call('observe/statistics', target))[0];
  expect(whole).toMatchObject({ isReset: false, successCount: (before?.successCount ?? 0) + 10 });
  expect(whole?.sinceMs).toBeLessThan(reset?.sinceMs ?? 0);
}, 40_000);

test('the process is metered once a second, whoever asks', async () => {
  const { client } = world;
  const read = async () => (await client.call('observe/resources', { window: '1m', afterMs: 0 })).points;
  await expect.poll(async () => (await read()).length, patience).toBeGreaterThan(1);
  const points = await read();
  expect(points.every(({ rssBytes }) => rssBytes > 10e6)).toBe(true);
  expect((await client.call('observe/sample', {})).rssBytes).toBe(points.at(-1)?.rssBytes);
}, 40_000);

test('a page that hears what is new of the models knows what one that asks is told', async () => {
  const { client } = world;
  let known: SampleNews = await client.call('observe/sample', {});
  let last: SampleNews | undefined;
  const off = client.subscribe('observe/sample', (news) => {
    known = withNews(known, news);
    last = news;
  });
  const before = known.models.find(({ model }) => model === 'batch_mlp')?.successCount ?? 0;
  await send(20, 2);
  const counted = () => known.models.find(({ model }) => model === 'batch_mlp')?.successCount;
  await expect.poll(counted, patience).toBe(before + 20);
  // Nothing is asked of it any more, so there is nothing new about it.
  await expect.poll(() => last?.models, patience).toEqual([]);
  expect(last?.removed).toEqual([]);
  const asked = await client.call('observe/sample', {});
  expect(known.models).toEqual(asked.models);
  off();
}, 40_000);
