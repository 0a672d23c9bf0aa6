import { describe, expect, test } from 'vitest';

import { decodeStrings } from './string-tensors.ts';

const texts = (...all: readonly string[]): Buffer =>
  Buffer.concat(
    all.map((text) => {
      const length = Buffer.alloc(4);
      length.writeUInt32LE(Buffer.byteLength(text));
      return Buffer.concat([length, Buffer.from(text)]);
    }),
  );
const segment = (bytes: Buffer, elementCount: number) => ({ byteSize: bytes.byteLength, elementCount });

describe('texts of a batch', () => {
  test('come from one request after the other', () => {
    const [first, second] = [texts('a', 'b'), texts('ü')];
    const segments = [segment(first, 2), segment(second, 1)];
    expect(decodeStrings('T', Buffer.concat([first, second]), segments)).toEqual(['a', 'b', 'ü']);
  });

  test.each([
    [['a'], 2, "unexpected number of string elements 1 for inference input 'T', expecting 2"],
    [['a', 'b', 'c', 'd'], 2, "unexpected number of string elements 3 for inference input 'T', expecting 2"],
  ])('%j where %i belong are refused', (all, count, message) => {
    const bytes = texts(...all);
    expect(() => decodeStrings('T', bytes, [segment(bytes, count)])).toThrow(message);
  });
});
