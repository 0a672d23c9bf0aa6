// The numbers are those of Triton's local cache, asked with entries of 51 and 83 bytes.

import { describe, expect, test } from 'vitest';
import type { RoomBlock } from './cache-room.ts';
import { CacheRoom, SMALLEST_ROOM } from './cache-room.ts';

const SMALL = 51;
const LARGE = 83;

/** Takes these sizes one after another, giving back the oldest blocks where there is no room; bytes in use after each. */
function usedAfter(byteSize: number, sizes: readonly number[]): readonly number[] {
  const room = new CacheRoom(byteSize);
  const held: RoomBlock[] = [];
  return sizes.map((size) => {
    let block = room.take(size);
    while (block === undefined && held.length > 0) {
      room.give(held.shift() as RoomBlock);
      block = room.take(size);
    }
    if (block !== undefined) held.push(block);
    return Math.round(room.utilization * byteSize);
  });
}

describe('CacheRoom', () => {
  const sizes = [SMALL, SMALL, SMALL, SMALL, LARGE, SMALL];
  test.each([
    { byteSize: SMALLEST_ROOM, used: [128, 128, 128, 128, 128, 128] },
    { byteSize: 208, used: [192, 192, 192, 192, 128, 192] },
    { byteSize: 240, used: [224, 224, 224, 224, 224, 224] },
    { byteSize: 264, used: [192, 192, 192, 192, 240, 192] },
    { byteSize: 272, used: [192, 256, 256, 256, 256, 192] },
    { byteSize: 320, used: [192, 256, 256, 256, 224, 304] },
    { byteSize: 352, used: [192, 256, 336, 336, 288, 288] },
    { byteSize: 400, used: [192, 256, 320, 384, 384, 384] },
    { byteSize: 1024, used: [192, 256, 320, 384, 480, 544] },
  ])('$byteSize bytes', ({ byteSize, used }) => {
    expect(usedAfter(byteSize, sizes)).toEqual(used);
  });

  test('is whole again when all blocks were given back, in whatever order', () => {
    const room = new CacheRoom(4096);
    const blocks = [100, 1, 700, 48, 300, 9].map((size) => room.take(size) as RoomBlock);
    for (const index of [3, 0, 5, 1, 4, 2]) room.give(blocks[index] as RoomBlock);
    expect(room.utilization).toBe(128 / 4096);
    expect(room.take(4096 - 128 - 16 - 8)).toBeDefined();
  });
});
