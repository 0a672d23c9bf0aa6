import { describe, expect, it } from 'vitest';

import type { WireMessage } from '../../../grpc-wire/wire-message.ts';
import { MessageReader } from './message-reader.ts';

function framed(message: Buffer): Buffer {
  const prefix = Buffer.alloc(5);
  prefix.writeUInt32BE(message.length, 1);
  return Buffer.concat([prefix, message]);
}

function read(parts: readonly Buffer[]): {
  readonly messages: Buffer[];
  readonly counts: number[];
  fault: string;
} {
  const seen = { messages: [] as Buffer[], counts: [] as number[], fault: '' };
  const reader = new MessageReader({
    onMessage: (message) => {
      seen.messages.push(Buffer.concat(message));
      seen.counts.push(message.length);
    },
    onMessageFault: (text) => (seen.fault = text),
  });
  for (const part of parts) reader.read(part);
  return seen;
}

const inPieces = (bytes: Buffer, size: number): Buffer[] =>
  Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
    bytes.subarray(index * size, (index + 1) * size),
  );

describe('messages of a call', () => {
  const texts = ['', 'a', 'message of some length', 'x'.repeat(70_000)].map((text) => Buffer.from(text));
  const bytes = Buffer.concat(texts.map(framed));

  it.each([1, 2, 5, 7, 1000, 16_384, 1_000_000])('come whole in pieces of %i bytes', (size) => {
    expect(read(inPieces(bytes, size)).messages).toEqual(texts);
  });

  it.each([1, 5, 1000, 16_384, 70_000, 1_000_000])(
    'need nothing of a piece of %i bytes that was said to be free',
    (size) => {
      const messages: WireMessage[] = [];
      const reader = new MessageReader({
        onMessage: (message) => messages.push(message),
        onMessageFault: (text) => expect.fail(text),
      });
      let freeCount = 0;
      for (const piece of inPieces(bytes, size).map((view) => Buffer.from(view))) {
        if (!reader.read(piece)) continue;
        freeCount += 1;
        piece.fill(0xff);
      }
      expect(messages.map((message) => Buffer.concat(message))).toEqual(texts);
      expect(freeCount > 0).toBe(size < 1_000_000);
    },
  );

  it('are put together in one part', () => {
    expect(read(inPieces(bytes, 1000)).counts).toEqual([1, 1, 1, 1]);
  });

  it('keep their parts when they are huge, without a part for each tiny frame', () => {
    const huge = Buffer.alloc(65 * 1024 * 1024, 7);
    const whole = framed(huge);
    const tiny = Array.from({ length: 1000 }, (_, index) => whole.subarray(index * 10, index * 10 + 10));
    const seen = read([...tiny, ...inPieces(whole.subarray(10_000), 1_000_000)]);
    expect(seen.messages[0]?.equals(huge)).toBe(true);
    expect(seen.counts[0]).toBeLessThan(75);
  });

  it('with a wrong flag are a fault, and nothing is read behind it', () => {
    const seen = read([Buffer.from([2, 0, 0, 0, 1, 65]), framed(Buffer.from('later'))]);
    expect(seen.fault).toBe('message with compressed flag 2, expected 0 or 1');
    expect(seen.messages).toEqual([]);
  });
});
