// How large a compressed message may become: what goes beyond the limit is never in memory.

import { promisify } from 'node:util';
import zlib from 'node:zlib';

import type { GrpcFault } from '../grpc-error.ts';
import { CODE } from './codes.ts';

const CHUNK_BYTES = 64 * 1024;

const INFLATORS = { gzip: promisify(zlib.gunzip), deflate: promisify(zlib.inflate) };

const isKnown = (encoding: string): encoding is keyof typeof INFLATORS => Object.hasOwn(INFLATORS, encoding);

/** The message, or the status of a call whose message is not taken. Never rejects. */
export async function inflateMessage(
  message: Uint8Array,
  encoding: string,
  limit: number,
): Promise<Buffer | GrpcFault> {
  if (!isKnown(encoding)) {
    const details = `Received message compressed with unsupported encoding "${encoding}"`;
    return { code: CODE.unimplemented, details };
  }
  // Nothing is not worth compressing: clients mark it none the less.
  if (message.length === 0) return Buffer.alloc(0);
  try {
    return await INFLATORS[encoding](message, { maxOutputLength: limit, chunkSize: CHUNK_BYTES });
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code !== 'ERR_BUFFER_TOO_LARGE') {
      return { code: CODE.internal, details: 'Failed to decompress message' };
    }
    const details = `message of ${message.length} bytes inflates to more than ${limit} bytes. Use --grpc-max-decompressed-size to increase the limit.`;
    return { code: CODE.resourceExhausted, details };
  }
}
