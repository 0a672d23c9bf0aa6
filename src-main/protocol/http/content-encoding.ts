// gzip and deflate (zlib container) in both directions. Inflating stops as soon as the limit is crossed; work beyond a
// few kilobytes runs on the thread pool.

import zlib from 'node:zlib';
import type { CompressedEncoding } from '../../base/compress.ts';
import { httpErrors } from './http-errors.ts';
import { BodyBytes } from './infer-binary.ts';

/** The encodings of bodies that are read and written. */
export type Encoding = 'identity' | CompressedEncoding;

/** Bodies above this size are inflated in larger pieces. */
const SMALL_BODY_BYTES = 8 * 1024;
/** Above half of Node's buffer pool, so that each is memory of its own. */
const CHUNK_BYTES = 64 * 1024;
const LARGE_CHUNK_BYTES = 256 * 1024;

/** The encoding of a request body; undefined = unsupported (lists included). */
export function requestEncoding(header: string | undefined): Encoding | undefined {
  if (header === undefined || header === 'identity') return 'identity';
  return header === 'gzip' || header === 'deflate' ? header : undefined;
}

/** The first of the acceptable encodings with strictly the highest weight above 0. */
export function responseEncoding(header: string | undefined): Encoding {
  if (header === undefined) return 'identity';
  let best: Encoding = 'identity';
  let bestWeight = 0;
  for (const entry of header.split(',')) {
    const at = entry.indexOf(';');
    const name = (at < 0 ? entry : entry.slice(0, at)).replace(/^ +/, '');
    if (at >= 0 && !entry.startsWith('q=', at + 1)) continue;
    const weight = at < 0 ? 1 : Number.parseFloat(entry.slice(at + 3));
    if ((name === 'identity' || name === 'gzip' || name === 'deflate') && weight > bestWeight) {
      best = name;
      bestWeight = weight;
    }
  }
  return best;
}

/** The message for an inflated body above the limit. */
export const inflatedTooLarge = (limit: number): Error => httpErrors.inflatedTooLarge({ limit });

/**
 * Inflates a whole body; the container is told by its header. What comes out stays in the pieces it came in, so that no
 * second copy of a large body exists. Rejects with INVALID_ARG.
 */
export function inflate(body: BodyBytes, limit: number): Promise<BodyBytes> {
  return new Promise((resolve, reject) => {
    if (body.byteSize === 0) throw httpErrors.emptyCompressed();
    const chunks: Buffer[] = [];
    let byteSize = 0;
    const stream = zlib.createUnzip({
      chunkSize: body.byteSize > SMALL_BODY_BYTES ? LARGE_CHUNK_BYTES : CHUNK_BYTES,
    });
    const fail = (error: Error): void => {
      stream.destroy();
      chunks.length = 0;
      reject(error);
    };
    stream.on('data', (chunk: Buffer) => {
      byteSize += chunk.length;
      if (byteSize > limit) fail(inflatedTooLarge(limit));
      else chunks.push(chunk);
    });
    stream.on('end', () => resolve(new BodyBytes(chunks, byteSize)));
    stream.on('error', (cause) => fail(httpErrors.notInflated({ reason: cause.message }, { cause })));
    for (const chunk of body.chunks) stream.write(chunk);
    stream.end();
  });
}

/** Gives the memory of an inflated body back at once; nothing may refer to its bytes any more. */
export function discard(body: BodyBytes): void {
  for (const { buffer } of body.chunks) {
    if (buffer instanceof ArrayBuffer && !buffer.detached) buffer.transfer(0);
  }
}
