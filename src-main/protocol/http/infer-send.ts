// Sends the reply of the infer route. Small replies leave as one string with the headers (one write to the socket),
// large ones as their parts without joining; a client that accepts compression gets the whole as one stream.

import { compress, responseEncoding } from './content-encoding.ts';
import type { Encoding } from './content-encoding.ts';
import type { Exchange } from './exchange.ts';
import type { InferReply } from './infer-response.ts';

/** Up to this size copying is cheaper than another write. */
const SINGLE_WRITE_BYTES = 32 * 1024;

export function sendInferReply(exchange: Exchange, reply: InferReply): void | Promise<void> {
  const accepted = exchange.req.headers['accept-encoding'];
  const encoding = responseEncoding(typeof accepted === 'string' ? accepted : undefined);
  if (encoding !== 'identity') return sendCompressed(exchange, reply, encoding);
  sendPlain(exchange, reply);
}

function headers(reply: InferReply, contentLength: number, encoding: Encoding): string[] {
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

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function sendPlain(exchange: Exchange, reply: InferReply): void {
  if (!exchange.begin()) return;
  const { res } = exchange;
  const total = reply.jsonByteSize + reply.binaryByteSize;
  exchange.writeHead(200, headers(reply, total, 'identity'));
  if (reply.leading.length === 0 && total <= SINGLE_WRITE_BYTES) {
    let text = reply.json;
    for (const bytes of reply.buffers) text += asBuffer(bytes).toString('latin1');
    res.end(text, 'latin1');
    return;
  }
  res.cork();
  for (const part of reply.leading) {
    if (typeof part === 'string') res.write(part, 'latin1');
    else res.write(part);
  }
  res.write(reply.json, 'latin1');
  for (const bytes of reply.buffers) res.write(bytes);
  res.end();
  res.uncork();
}

async function sendCompressed(
  exchange: Exchange,
  reply: InferReply,
  encoding: 'gzip' | 'deflate',
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
    sendPlain(exchange, reply);
    return;
  }
  if (!exchange.begin()) return;
  exchange.writeHead(200, headers(reply, body.length, encoding));
  exchange.res.end(body);
}
