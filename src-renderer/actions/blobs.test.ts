// Bytes to the engine and back, against an engine that keeps them.

import { expect, test } from 'vitest';

import { internal } from '../../src-shared/errors.ts';
import type { EngineClient } from '../engine/engine-client.ts';
import { FakeEngine } from '../testing/fake-engine.ts';
import { readBlob, releaseBlob, toBase64, uploadBlob } from './blobs.ts';

/** An engine that keeps one blob; answers at most `mostBytes` at once. */
function keeping(kept: Uint8Array[] = [], mostBytes = Infinity) {
  const fake = new FakeEngine();
  fake.overrides['blob/create'] = () => ({ blob: 'b1' });
  fake.overrides['blob/append'] = ({ base64 }) => {
    kept.push(Buffer.from(base64, 'base64'));
    return { byteSize: Buffer.concat(kept).byteLength };
  };
  fake.overrides['blob/read'] = ({ offset, byteSize }) => {
    const all = Buffer.concat(kept);
    const piece = all.subarray(offset, offset + Math.min(byteSize, mostBytes));
    return { base64: piece.toString('base64'), totalByteSize: all.byteLength };
  };
  fake.overrides['blob/release'] = () => undefined;
  const { client } = fake.engine();
  return { fake, client, kept };
}

const ramp = (length: number) => Uint8Array.from({ length }, (_, index) => (index * 7) % 256);

test.each([0, 1, 49_152, 49_153, 150_000])('%d bytes come back as they went', async (length) => {
  const { client, fake, kept } = keeping();
  const shares: number[] = [];
  const bytes = ramp(length);
  const blob = await uploadBlob(client, bytes, { onProgress: (share) => shares.push(share) });
  expect(Buffer.concat(kept).equals(bytes)).toBe(true);
  expect(kept.every(({ byteLength }) => byteLength <= 49_152)).toBe(true);
  expect(shares).toHaveLength(Math.ceil(length / 49_152));
  if (length > 0) expect(shares.at(-1)).toBe(1);
  const back = await readBlob(client, blob, { offset: 0, byteSize: length });
  expect(Buffer.from(back).equals(bytes)).toBe(true);
  expect(fake.argsOf('blob/release')).toEqual([]);
});

test('a part is read from its offset, however small the pieces of the engine are', async () => {
  const { client } = keeping([ramp(1000)], 64);
  const shares: number[] = [];
  const range = { offset: 100, byteSize: 300 };
  const part = await readBlob(client, 'b1', range, { onProgress: (share) => shares.push(share) });
  expect([...part]).toEqual([...ramp(1000).subarray(100, 400)]);
  expect(shares).toEqual([...shares].sort((a, b) => a - b));
  expect(shares.at(-1)).toBe(1);
});

test('the next pieces are asked for before the first one is there, and come to their places in any order', async () => {
  const all = ramp(400_000);
  const waiting: (() => void)[] = [];
  const client = {
    call: async (_name: string, { offset, byteSize }: { offset: number; byteSize: number }) => {
      // The last of those that wait is answered first.
      await new Promise<void>((resolve) => waiting.unshift(resolve));
      return { base64: toBase64(all.subarray(offset, offset + byteSize)), totalByteSize: all.byteLength };
    },
    subscribe: () => () => undefined,
  } as unknown as EngineClient;
  const read = readBlob(client, 'b1', { offset: 0, byteSize: all.byteLength });
  expect(waiting.length).toBeGreaterThan(1);
  const ended = read.then(() => 'ended' as const);
  while ((await Promise.race([ended, Promise.resolve('open')])) === 'open') {
    waiting.shift()?.();
    await new Promise((resolve) => setTimeout(resolve));
  }
  expect(Buffer.from(await read).equals(all)).toBe(true);
});

test('a blob that ends early gives what there is', async () => {
  const { client } = keeping([ramp(10)]);
  expect(await readBlob(client, 'b1', { offset: 4, byteSize: 100 })).toHaveLength(6);
  expect(await readBlob(client, 'b1', { offset: 40, byteSize: 100 })).toHaveLength(0);
});

test('a failed upload gives up what was sent, and tells its cause', async () => {
  const { client, fake } = keeping();
  fake.overrides['blob/append'] = () => {
    throw internal('no room');
  };
  await expect(uploadBlob(client, ramp(10))).rejects.toThrow('no room');
  expect(fake.argsOf('blob/release')).toEqual([{ blob: 'b1' }]);
});

test('an upload that is cancelled half way sends nothing more', async () => {
  const { client, fake } = keeping();
  const controller = new AbortController();
  const onProgress = () => controller.abort(new DOMException('enough', 'AbortError'));
  await expect(uploadBlob(client, ramp(150_000), { signal: controller.signal, onProgress })).rejects.toThrow(
    'enough',
  );
  expect(fake.argsOf('blob/append')).toHaveLength(1);
  expect(fake.argsOf('blob/release')).toHaveLength(1);
});

test('a read that is cancelled ends with its reason', async () => {
  const { client } = keeping([ramp(100_000)]);
  const controller = new AbortController();
  const onProgress = () => controller.abort(new DOMException('enough', 'AbortError'));
  const read = readBlob(
    client,
    'b1',
    { offset: 0, byteSize: 100_000 },
    { signal: controller.signal, onProgress },
  );
  await expect(read).rejects.toThrow('enough');
});

test('a release that fails is nobody’s problem', async () => {
  const calls: string[] = [];
  const client = {
    call: (name: string) => {
      calls.push(name);
      return Promise.reject(new Error('gone'));
    },
    subscribe: () => () => undefined,
  } as unknown as EngineClient;
  releaseBlob(client, 'b1');
  await Promise.resolve();
  expect(calls).toEqual(['blob/release']);
});

test('every byte value survives base64', () => {
  const bytes = Uint8Array.from({ length: 256 }, (_, index) => index);
  expect(Buffer.from(toBase64(bytes), 'base64').equals(bytes)).toBe(true);
  expect(toBase64(new Uint8Array())).toBe('');
});
