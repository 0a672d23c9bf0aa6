// Regions that clients register over HTTP, as the window sees them and takes them back.

import { rm, writeFile } from 'node:fs/promises';

import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';

import type { ControlWorld } from '../../testing/control-world.ts';
import { startControlWorld } from '../../testing/control-world.ts';

const KEY = `conch-window-${process.pid}`;
let world: ControlWorld;

beforeAll(async () => {
  world = await startControlWorld(['batch_mlp']);
}, 60_000);
afterAll(() => world[Symbol.asyncDispose]());
afterEach(() => rm(`/dev/shm/${KEY}`, { force: true }));

async function post(path: string, body: unknown): Promise<void> {
  const answer = await fetch(`http://${world.httpAddress}${path}`, {
    method: 'POST',
    body: JSON.stringify(body),
  });
  expect(answer.status, await answer.text()).toBe(200);
}

test.runIf(process.platform === 'linux')(
  'a region is told with what uses it, and can be taken back, one or all',
  async () => {
    const { client } = world;
    await writeFile(`/dev/shm/${KEY}`, new Uint8Array(8192));
    const place = { key: `/${KEY}`, offset: 0, byte_size: 4096 };
    await post('/v2/systemsharedmemory/region/in/register', place);
    await post('/v2/systemsharedmemory/region/out/register', { ...place, offset: 4096 });
    const shared = { shared_memory_region: 'in', shared_memory_byte_size: 256 };
    await post('/v2/models/batch_mlp/infer', {
      inputs: [{ name: 'FEATURES', datatype: 'FP32', shape: [1, 64], parameters: shared }],
    });
    const { regions } = await client.call('sharedMemory/view', {});
    expect(regions).toMatchObject([
      {
        kind: 'system',
        name: 'in',
        key: `/${KEY}`,
        offset: 0,
        byteSize: 4096,
        users: [{ model: 'batch_mlp', tensorCount: 1 }],
        heldCount: 0,
        isLeaving: false,
      },
      { name: 'out', offset: 4096, users: [] },
    ]);
    expect(regions[1]?.deviceId).toBeUndefined();
    const left = await client.call('sharedMemory/unregister', { kind: 'system', name: 'in' });
    expect(left.regions.map(({ name }) => name)).toEqual(['out']);
    expect((await client.call('sharedMemory/unregister', { kind: 'system' })).regions).toEqual([]);
    const status = await fetch(`http://${world.httpAddress}/v2/systemsharedmemory/status`);
    expect(await status.json()).toEqual([]);
  },
);
