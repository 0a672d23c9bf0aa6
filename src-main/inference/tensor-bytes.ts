// Bytes of one tensor as received: a list of chunks that are views of socket buffers, JSON results or shared memory.
// Nothing here copies. The only copy of an input byte is made when a batch is assembled for a backend.

import { copyInto } from '../base/copy-into.ts';

/** The bytes of one tensor as a list of chunks, little-endian and packed. Whoever holds it never writes to them. */
export interface TensorBytes {
  /** Of bytes that lie elsewhere, reading this reads them. */
  readonly chunks: readonly Uint8Array[];
  readonly byteSize: number;
  /** Only of bytes that lie elsewhere: a copy of a small part, without reading the rest. */
  peek?(offset: number, byteSize: number): Uint8Array;
}

/** A tensor without elements. */
export const NO_BYTES: TensorBytes = { chunks: [], byteSize: 0 };

/** One chunk as it is; nothing is copied. */
export function bytesOf(chunk: Uint8Array): TensorBytes {
  return { chunks: [chunk], byteSize: chunk.byteLength };
}

/** Reads bytes that lie elsewhere, so that what the client does with their place from now on changes nothing. */
export function readBytes(source: TensorBytes): void {
  if (source.peek !== undefined) void source.chunks;
}

/** Copies all chunks into `target` from `offset`; returns the offset behind the last byte. */
export function copyBytes(source: TensorBytes, target: Uint8Array, offset: number): number {
  let at = offset;
  for (const chunk of source.chunks) {
    copyInto(target, chunk, at);
    at += chunk.byteLength;
  }
  return at;
}

/** A copy with a buffer of its own; the slice() of a Node Buffer would still share memory. */
export function copied(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return new Uint8Array(bytes);
}

/** One contiguous view; copies only when there is more than one chunk. */
export function contiguous(source: TensorBytes): Uint8Array {
  const [first] = source.chunks;
  if (source.chunks.length === 1 && first !== undefined) return first;
  const joined = new Uint8Array(source.byteSize);
  copyBytes(source, joined, 0);
  return joined;
}
