// gzip and deflate (zlib container) in both directions. Inflating stops as soon as the limit is crossed; work beyond a
// few kilobytes runs on the thread pool.

import zlib from 'node:zlib';
import { promisify } from 'node:util';
import { invalidArg } from '../../../src-shared/errors.ts';

export type Encoding = 'identity' | 'gzip' | 'deflate';

const SYNC_MAX_BYTES = 8 * 1024;

const unzip = promisify<Buffer, zlib.ZlibOptions, Buffer>(zlib.unzip);
const gzip = promisify<Buffer, Buffer>(zlib.gzip);
const deflate = promisify<Buffer, Buffer>(zlib.deflate);

/** The encoding of a request body; undefined = unsupported (lists included). */
export function requestEncoding(header: string | undefined): Encoding | undefined {
  if (header === undefined || header === '' || header === 'identity') return 'identity';
  return header === 'gzip' || header === 'deflate' ? header : undefined;
}

/** The first of the acceptable encodings with strictly the highest weight above 0. */
export function responseEncoding(header: string | undefined): Encoding {
  if (header === undefined) return 'identity';
  let best: Encoding = 'identity';
  let bestWeight = 0;
  for (const entry of header.split(',')) {
    const match = /^ *([^;]*?)(?:;q=(.*))?$/.exec(entry);
    const name = match?.[1];
    const weight = match?.[2] === undefined ? 1 : Number.parseFloat(match[2]);
    if ((name === 'identity' || name === 'gzip' || name === 'deflate') && weight > bestWeight) {
      best = name;
      bestWeight = weight;
    }
  }
  return best;
}

/** The message for an inflated body above the limit. */
export const inflatedTooLarge = (limit: number): Error =>
  invalidArg(
    `Decompressed data size exceeds the maximum allowed value of ${limit} bytes. Use --http-max-input-size to increase the limit.`,
  );

/** Inflates a whole body; the container is told by its header. Throws INVALID_ARG. */
export async function inflate(body: Buffer, limit: number): Promise<Buffer> {
  if (body.length === 0) throw invalidArg('nothing to be decompressed');
  try {
    return await unzip(body, { maxOutputLength: limit });
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw inflatedTooLarge(limit);
    throw invalidArg(`inconsistent stream state during decompression: ${(thrown as Error).message}`, {
      cause: thrown,
    });
  }
}

/** Compresses a reply; small ones at once, since the way to the thread pool costs more. */
export function compress(body: Buffer, encoding: 'gzip' | 'deflate'): Buffer | Promise<Buffer> {
  if (body.length <= SYNC_MAX_BYTES) {
    return encoding === 'gzip' ? zlib.gzipSync(body) : zlib.deflateSync(body);
  }
  return encoding === 'gzip' ? gzip(body) : deflate(body);
}
