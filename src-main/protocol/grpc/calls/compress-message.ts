// Compression of answers (`--grpc-infer-response-compression-level`): which encoding a level means for a client, and the
// message in it. A message that would not become smaller goes out as it is, as in the reference.

import { promisify } from 'node:util';
import zlib from 'node:zlib';

import type { WireMessage } from '../../../grpc-wire/wire-message.ts';
import { byteSizeOf, joined } from '../../../grpc-wire/wire-message.ts';

/** What the option can say. */
export type CompressionLevel = 'none' | 'low' | 'medium' | 'high';
/** What answers may be compressed with. */
export type ReplyEncoding = 'gzip' | 'deflate';

/** A message as it goes out. */
export interface SentMessage {
  readonly message: WireMessage;
  readonly isCompressed: boolean;
}

/** Up to this size the loop does it faster than the thread pool takes it over. */
const SYNC_MAX_BYTES = 8 * 1024;

const SYNC = { gzip: zlib.gzipSync, deflate: zlib.deflateSync };
const ASYNC = {
  gzip: promisify<Uint8Array, Buffer>(zlib.gzip),
  deflate: promisify<Uint8Array, Buffer>(zlib.deflate),
};

/**
 * Encoding of the answers to a client that sent these fields `grpc-accept-encoding`; undefined = none. The lowest level
 * prefers gzip, the others deflate, as gRPC's own library has them.
 */
export function replyEncoding(
  level: CompressionLevel,
  accepted: readonly string[],
): ReplyEncoding | undefined {
  if (level === 'none') return undefined;
  const names = accepted.flatMap((field) => field.split(',')).map((name) => name.trim());
  const preferred: readonly ReplyEncoding[] = level === 'low' ? ['gzip', 'deflate'] : ['deflate', 'gzip'];
  return preferred.find((name) => names.includes(name));
}

/** At once for small messages, so that they need no turn of the loop. */
export function compressMessage(
  message: WireMessage,
  encoding: ReplyEncoding,
): SentMessage | Promise<SentMessage> {
  const byteSize = byteSizeOf(message);
  const smaller = (bytes: Buffer): SentMessage =>
    bytes.length < byteSize ? { message: [bytes], isCompressed: true } : { message, isCompressed: false };
  const whole = joined(message);
  if (byteSize <= SYNC_MAX_BYTES) return smaller(SYNC[encoding](whole));
  return ASYNC[encoding](whole).then(smaller);
}
