// gzip and deflate (zlib container) of what is sent: small bytes at once, since the way to the thread pool costs more.

import { promisify } from 'node:util';
import zlib from 'node:zlib';

/** What answers are compressed with. */
export type CompressedEncoding = 'gzip' | 'deflate';

/** Up to this size the loop does it faster than the thread pool takes it over. */
const SYNC_MAX_BYTES = 8 * 1024;

const SYNC = { gzip: zlib.gzipSync, deflate: zlib.deflateSync };
const ASYNC = {
  gzip: promisify<Uint8Array, Buffer>(zlib.gzip),
  deflate: promisify<Uint8Array, Buffer>(zlib.deflate),
};

/** At once up to 8 KiB, so that small answers need no turn of the loop. */
export function compress(bytes: Uint8Array, encoding: CompressedEncoding): Buffer | Promise<Buffer> {
  return bytes.byteLength <= SYNC_MAX_BYTES ? SYNC[encoding](bytes) : ASYNC[encoding](bytes);
}
