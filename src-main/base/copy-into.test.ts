import { expect, test } from 'vitest';

import { copyInto } from './copy-into.ts';

const FILL = 0xee;

/** Bytes that follow from their place, at `offset` of a larger buffer. */
function source(byteSize: number, offset: number): Uint8Array {
  const bytes = new Uint8Array(new ArrayBuffer(byteSize + offset + 3), offset, byteSize);
  bytes.forEach((_, index) => (bytes[index] = (index * 7 + 3) % 251));
  return bytes;
}

test.each([
  ['shared memory', (byteSize: number) => new SharedArrayBuffer(byteSize)],
  ['memory of its own', (byteSize: number) => new ArrayBuffer(byteSize)],
])('copies exactly the bytes of the source into %s, wherever both lie', (_, make) => {
  for (const byteSize of [0, 1, 9, 2047, 2048, 2049, 70_001]) {
    for (const from of [0, 1, 8, 13]) {
      for (const to of [0, 3, 8]) {
        const bytes = source(byteSize, from);
        const target = new Uint8Array(make(byteSize + 24), 4).fill(FILL);
        copyInto(target, bytes, to);
        expect(Buffer.compare(Buffer.from(target.slice(to, to + byteSize)), Buffer.from(bytes))).toBe(0);
        const around = [...target.slice(0, to), ...target.slice(to + byteSize)];
        expect(around.every((byte) => byte === FILL)).toBe(true);
      }
    }
  }
});

test('refuses what does not fit, as set does', () => {
  const target = new Uint8Array(new SharedArrayBuffer(4096));
  expect(() => copyInto(target, source(4096, 1), 1)).toThrow(RangeError);
});
