// Sends the reply of the infer route: as it is, or in one compressed piece to a client that accepts that.

import { compress, type CompressedEncoding } from '../../base/compress.ts';
import { responseEncoding } from './content-encoding.ts';
import type { Encoding } from './content-encoding.ts';
import type { InferExchange } from './infer-exchange.ts';
import type { InferReply } from './infer-response.ts';

/** Writes status, headers and body; a promise only where the body is compressed first. */
export function sendInferReply(exchange: InferExchange, reply: InferReply): void | Promise<void> {
  const encoding = responseEncoding(exchange.header('accept-encoding'));
  if (encoding !== 'identity') return sendCompressed(exchange, reply, encoding);
  exchange.sendReply(reply);
}

/** Headers of a success (name, value, name, value ...). */
export function replyHeaders(reply: InferReply, contentLength: number, encoding: Encoding): string[] {
  const isBinary = reply.binaryByteSize > 0;
  const list = [
    'Content-Type',
    isBinary ? 'application/octet-stream' : 'application/json',
    'Content-Length',
    String(contentLength),
  ];
  if (isBinary) list.push('Inference-Header-Content-Length', String(reply.jsonByteSize));
  if (encoding !== 'identity') list.push('Content-Encoding', encoding);
  return list;
}

async function sendCompressed(
  exchange: InferExchange,
  reply: InferReply,
  encoding: CompressedEncoding,
): Promise<void> {
  const whole = Buffer.concat([
    ...reply.leading.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : part)),
    Buffer.from(reply.json, 'latin1'),
    ...reply.buffers,
  ]);
  let body: Buffer;
  try {
    body = await compress(whole, encoding);
  } catch {
    // The reference sends the reply uncompressed when compressing fails.
    exchange.sendReply(reply);
    return;
  }
  exchange.sendWhole(replyHeaders(reply, body.length, encoding), body);
}
