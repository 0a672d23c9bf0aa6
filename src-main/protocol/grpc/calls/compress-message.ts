// Compression of answers (`--grpc-infer-response-compression-level`): which encoding a level means for a client, and the
// message in it. A message that would not become smaller goes out as it is, as in the reference.

import { compress, type CompressedEncoding } from '../../../base/compress.ts';
import type { WireMessage } from '../../../grpc-wire/wire-message.ts';
import { byteSizeOf, joined } from '../../../grpc-wire/wire-message.ts';

/** What the option can say. */
export type CompressionLevel = 'none' | 'low' | 'medium' | 'high';
/** A message as it goes out. */
export interface SentMessage {
  readonly message: WireMessage;
  readonly isCompressed: boolean;
}

/**
 * Encoding of the answers to a client that sent these fields `grpc-accept-encoding`; undefined = none. The lowest level
 * prefers gzip, the others deflate, as gRPC's own library has them.
 */
export function replyEncoding(
  level: CompressionLevel,
  accepted: readonly string[],
): CompressedEncoding | undefined {
  if (level === 'none') return undefined;
  const names = accepted.flatMap((field) => field.split(',')).map((name) => name.trim());
  const preferred: readonly CompressedEncoding[] =
    level === 'low' ? ['gzip', 'deflate'] : ['deflate', 'gzip'];
  return preferred.find((name) => names.includes(name));
}

/** At once for small messages, so that they need no turn of the loop. */
export function compressMessage(
  message: WireMessage,
  encoding: CompressedEncoding,
): SentMessage | Promise<SentMessage> {
  const byteSize = byteSizeOf(message);
  const smaller = (bytes: Buffer): SentMessage =>
    bytes.length < byteSize ? { message: [bytes], isCompressed: true } : { message, isCompressed: false };
  const compressed = compress(joined(message), encoding);
  return compressed instanceof Promise ? compressed.then(smaller) : smaller(compressed);
}
