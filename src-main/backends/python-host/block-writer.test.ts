import { describe, expect, it } from 'vitest';
import type { BlockContent } from './block-writer.ts';
import { BlockWriter } from './block-writer.ts';
import { BlockReader } from './blocks.ts';
import type { Frame } from './frames.ts';
import { FrameReader } from './frames.ts';
import { Outgoing } from './outgoing.ts';

const bytes = (count: number, from = 0): Uint8Array => Uint8Array.from({ length: count }, (_, i) => from + i);

function content(key: number, ...sizes: readonly number[]): BlockContent {
  return {
    key,
    wanted: ['OUT'],
    extra: undefined,
    tensors: sizes.map((size, index) => ({
      name: `IN${index}`,
      datatype: 'UINT8',
      shape: [size],
      bytes: { chunks: [bytes(size >> 1), bytes(size - (size >> 1), size >> 1)], byteSize: size },
    })),
  };
}

/** What the other side gets, however the bytes are cut. */
function received(parts: readonly Uint8Array[], cut = 7): Frame[] {
  const frames: Frame[] = [];
  const reader = new FrameReader((frame) => frames.push(frame));
  const all = Buffer.concat(parts);
  for (let at = 0; at < all.byteLength; at += cut) reader.push(all.subarray(at, at + cut));
  return frames;
}

describe('frames of blocks', () => {
  it('arrive as they were written, every tensor whole and filled to eight', () => {
    const outgoing = new Outgoing();
    const writer = new BlockWriter();
    writer.write(outgoing, { kind: 2, a: 11, b: 2 }, [content(1, 5, 8), content(2, 0, 3)], []);
    writer.write(outgoing, { kind: 5, a: 12, b: 1, flags: 3 }, [content(3, 5, 8)], []);
    const [first, second, ...others] = received(outgoing.take());
    expect(others).toEqual([]);
    expect(first).toMatchObject({ kind: 2, a: 11, b: 2, flags: 0 });
    expect(second).toMatchObject({ kind: 5, a: 12, b: 1, flags: 3 });
    const reader = new BlockReader();
    const blockA = reader.read(first?.payload ?? Buffer.alloc(0), 0);
    const blockB = reader.read(first?.payload ?? Buffer.alloc(0), blockA.byteSize);
    expect(blockA.byteSize % 8).toBe(0);
    expect(blockA).toMatchObject({ key: 1, wanted: ['OUT'] });
    expect(blockA.tensors.map(({ name, inside }) => [name, [...(inside ?? [])]])).toEqual([
      ['IN0', [...bytes(5)]],
      ['IN1', [...bytes(8)]],
    ]);
    expect(blockB.tensors.map(({ shape, byteSize }) => [shape, byteSize])).toEqual([
      [[0], 0],
      [[3], 3],
    ]);
  });

  it('name the place of tensors that lie in the shared file, and leave them out', () => {
    const outgoing = new Outgoing();
    const places = new Map([[1, { offset: 65536, room: 131072 }]]);
    const block = { ...content(9, 4, 100), extra: { id: 'a' } };
    new BlockWriter().write(outgoing, { kind: 2, a: 1, b: 1 }, [block], [places]);
    const [frame] = received(outgoing.take());
    const read = new BlockReader().read(frame?.payload ?? Buffer.alloc(0), 0);
    expect(read.extra).toEqual({ id: 'a', m: [[1, 65536, 131072]] });
    expect(read.tensors[0]?.inside).toHaveLength(4);
    expect(read.tensors[1]).toMatchObject({ place: { offset: 65536, room: 131072 }, byteSize: 100 });
  });

  it('describe other shapes, types and outputs anew', () => {
    const outgoing = new Outgoing();
    const writer = new BlockWriter();
    const [tensor] = content(1, 8).tensors;
    if (tensor === undefined) throw new Error('no tensor');
    const one = (change: object, wanted = ['OUT']): BlockContent => ({
      ...content(1),
      wanted,
      tensors: [{ ...tensor, ...change }],
    });
    const blocks = [
      one({}),
      one({ shape: [2, 4] }),
      one({ shape: [1], datatype: 'FP64' }),
      one({ name: 'OTHER' }),
      one({}, []),
      one({}),
    ];
    for (const block of blocks) writer.write(outgoing, { kind: 2, a: 1, b: 1 }, [block], []);
    const read = received(outgoing.take(), 1000).map(({ payload }) => new BlockReader().read(payload, 0));
    expect(
      read.map(({ wanted, tensors }) => [wanted, tensors[0]?.name, tensors[0]?.datatype, tensors[0]?.shape]),
    ).toEqual([
      [['OUT'], 'IN0', 'UINT8', [8]],
      [['OUT'], 'IN0', 'UINT8', [2, 4]],
      [['OUT'], 'IN0', 'FP64', [1]],
      [['OUT'], 'OTHER', 'UINT8', [8]],
      [[], 'IN0', 'UINT8', [8]],
      [['OUT'], 'IN0', 'UINT8', [8]],
    ]);
  });
});

describe('outgoing bytes', () => {
  it('keep their order beyond the end of a chunk, and what was taken is never written again', () => {
    const outgoing = new Outgoing();
    const sizes = [10, 65_000, 40, 65_530, 200_000, 3];
    const taken: Uint8Array[] = [];
    sizes.forEach((size, index) => {
      const { buffer, offset } = outgoing.room(size);
      buffer.fill(index + 1, offset, offset + size);
      if (index === 1 || index === 5) taken.push(...outgoing.take());
    });
    const all = Buffer.concat(taken);
    expect(all.byteLength).toBe(sizes.reduce((sum, size) => sum + size));
    let at = 0;
    sizes.forEach((size, index) => {
      expect(new Set(all.subarray(at, at + size))).toEqual(new Set([index + 1]));
      at += size;
    });
    expect(outgoing.take()).toEqual([]);
  });
});
