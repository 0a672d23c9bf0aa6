// How large a compressed message may become. The gRPC library knows one limit for messages as they come and as they are
// inflated, and the first one has to be as high as the wire allows; here compressed ones get a limit of their own, which
// holds while inflating: what goes beyond it is never in memory.

import { promisify } from 'node:util';
import zlib from 'node:zlib';
import type { ServerInterceptor } from '@grpc/grpc-js';
import { status } from '@grpc/grpc-js';

const PREFIX_BYTES = 5;
const CHUNK_BYTES = 64 * 1024;

const INFLATORS = { gzip: promisify(zlib.gunzip), deflate: promisify(zlib.inflate) };

type Decompress = (message: Buffer, encoding: string) => Buffer | Promise<Buffer>;

/** A call as the library makes it; `decompressMessage` gets a message with its prefix. */
interface LibraryCall {
  decompressMessage?: Decompress;
}

/** Refuses messages that inflate to more than `limit` bytes with RESOURCE_EXHAUSTED. */
export function limitInflation(limit: number): ServerInterceptor {
  return (_, call) => {
    const inner = call as unknown as LibraryCall;
    const other = inner.decompressMessage?.bind(inner);
    if (other === undefined) throw new Error('the gRPC library does not inflate where it did');
    inner.decompressMessage = (message, encoding) =>
      encoding === 'gzip' || encoding === 'deflate'
        ? inflate(message.subarray(PREFIX_BYTES), encoding, limit)
        : other(message, encoding);
    // Nothing is intercepted: the call itself goes on.
    return call as ReturnType<ServerInterceptor>;
  };
}

/** Rejects with a status, as the library's own function does. */
async function inflate(body: Buffer, encoding: keyof typeof INFLATORS, limit: number): Promise<Buffer> {
  try {
    return await INFLATORS[encoding](body, { maxOutputLength: limit, chunkSize: CHUNK_BYTES });
  } catch (thrown) {
    const { code } = thrown as NodeJS.ErrnoException;
    // eslint-disable-next-line @typescript-eslint/only-throw-error -- what the library turns into the call's status
    throw code === 'ERR_BUFFER_TOO_LARGE'
      ? {
          code: status.RESOURCE_EXHAUSTED,
          details: `message of ${body.length} bytes inflates to more than ${limit} bytes. Use --grpc-max-decompressed-size to increase the limit.`,
        }
      : { code: status.INTERNAL, details: 'Failed to decompress message' };
  }
}
