import { describe, expect, it } from 'vitest';

import { BodyBytes } from './infer-binary.ts';

const CHUNK_BYTES = 65_536;

/** Chunks as a socket hands them over, each in memory of its own. */
function received(count: number, byteSize = CHUNK_BYTES): Buffer[] {
  return Array.from({ length: count }, (_, index) => Buffer.allocUnsafeSlow(byteSize).fill(index));
}

function bodyOf(chunks: readonly Buffer[]): BodyBytes {
  return new BodyBytes(
    chunks,
    chunks.reduce((sum, { length }) => sum + length, 0),
  );
}

describe('memory of a body that can be freed with its request', () => {
  it('is that of the chunks which hold nothing else', () => {
    const [first, ...rest] = received(6) as [Buffer, ...Buffer[]];
    // Behind the last byte of a body the next request may lie, before the first one the head does.
    const last = rest.pop() as Buffer;
    const body = bodyOf([first.subarray(200), ...rest, last.subarray(0, 1000)]);
    expect(body.ownMemory()).toEqual(rest.map(({ buffer }) => buffer));
  });

  it('is none of small bodies, of many tiny chunks, and of memory that threads share', () => {
    expect(bodyOf(received(3)).ownMemory()).toEqual([]);
    expect(bodyOf(received(5000, 100)).ownMemory()).toEqual([]);
    expect(bodyOf([Buffer.from(new SharedArrayBuffer(1024 * 1024))]).ownMemory()).toEqual([]);
  });
});
