import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { decodeInferRequest } from './infer-request-decoder.ts';
import { encodeInferRequest } from './infer-request-encoder.ts';
import { joined, ownMemory } from './wire-message.ts';

/** The message cut at the given places. */
function cut(message: Uint8Array, places: readonly number[]): Uint8Array[] {
  const ends = [...new Set(places.map((place) => place % (message.byteLength + 1))), message.byteLength];
  ends.sort((a, b) => a - b);
  return ends.map((end, index) => message.subarray(ends[index - 1] ?? 0, end));
}

/** What reading gives, so that both ways can be compared; a fault is its kind. */
function outcome(parts: readonly Uint8Array[]): unknown {
  try {
    const { rawInputContents, memory: _, ...rest } = decodeInferRequest(parts);
    return {
      ...rest,
      contents: rawInputContents.map((contents) => Buffer.from(joined(contents)).toString('hex')),
    };
  } catch {
    return 'malformed';
  }
}

function message(sizes: readonly number[]): Buffer {
  return encodeInferRequest({
    modelName: 'model',
    modelVersion: '3',
    id: 'request',
    parameters: new Map([['priority', 7n]]),
    inputs: sizes.map((size, index) => ({
      name: `INPUT${index}`,
      datatype: 'UINT8',
      shape: [size],
      bytes: Buffer.alloc(size, index + 1),
      parameters: new Map(),
    })),
    outputs: [{ name: 'OUTPUT', parameters: new Map([['binary_data', true]]) }],
  });
}

describe('a request that lies in several parts', () => {
  const places = fc.array(fc.nat(), { minLength: 1, maxLength: 12 });
  const sizes = fc.array(fc.oneof(fc.nat(20), fc.integer({ min: 4090, max: 9000 })), { maxLength: 4 });

  it('reads as it does in one, wherever it is cut', () => {
    fc.assert(
      fc.property(sizes, places, (list, at) => {
        const whole = message(list);
        expect(outcome(cut(whole, at))).toEqual(outcome([whole]));
      }),
      { numRuns: 200 },
    );
  });

  it('reads as it does in one, when bytes of it are wrong', () => {
    const changes = fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(sizes, places, changes, (list, at, wrong) => {
        const whole = message(list);
        for (const [place, value] of wrong) whole[place % Math.min(whole.length, 200)] = value;
        expect(outcome(cut(whole, at))).toEqual(outcome([whole]));
      }),
      { numRuns: 500 },
    );
  });

  it('leaves large contents where they are', () => {
    const whole = message([100_000]);
    const [contents = []] = decodeInferRequest(cut(whole, [40_000])).rawInputContents;
    expect(contents).toHaveLength(2);
    for (const part of contents) expect(part.buffer).toBe(whole.buffer);
  });
});

describe('memory that can be freed with a request', () => {
  it('is that of a large message which was put together, and no other', () => {
    const large = new Uint8Array(2 * 1024 * 1024);
    expect(ownMemory([large])).toEqual([large.buffer]);
    expect(ownMemory([large, large])).toEqual([]);
    expect(ownMemory([large.slice(0, 128 * 1024)])).toEqual([]);
    expect(ownMemory([new Uint8Array(new SharedArrayBuffer(2 * 1024 * 1024))])).toEqual([]);
  });
});
