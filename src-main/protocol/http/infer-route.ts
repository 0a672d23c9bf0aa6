// POST .../infer from headers to submitted request. The order of the steps decides which fault a client sees:
// model, content encoding, lengths, JSON part, inputs, outputs, forwarded headers, then the service's validation.

import type { ModelUse } from '../../inference/model-invoker.ts';
import { discard, inflate, inflatedTooLarge, requestEncoding } from './content-encoding.ts';
import type { Exchange } from './exchange.ts';
import { httpErrors } from './http-errors.ts';
import type { InferExchange } from './infer-exchange.ts';
import type { BodyBytes } from './infer-binary.ts';
import { InferCall } from './infer-call.ts';
import { INT32_RANGE, jsonLengthIn } from './json-length.ts';
import { OFFLOAD_MIN_BYTES } from './json-offload.ts';
import { emptyParsedInfer } from './parsed-infer.ts';
import { EARLY_CHECK_BYTES, jsonTooLarge } from './size-limits.ts';

const MAX_INT32 = 2_147_483_647;
const JSON_LENGTH = 'inference-header-content-length';

/** Begins with the headers alone; the body is read only after the model was found. */
export function startInfer(exchange: Exchange): void {
  const { req, context, match } = exchange;
  const announced = req.headers['content-length'];
  const contentLength = announced === undefined ? undefined : Number(announced);
  if (contentLength === undefined || contentLength > EARLY_CHECK_BYTES) {
    acquire(context.service.useModel(match.model, match.version)).release();
  }
  if (contentLength !== undefined && contentLength > MAX_INT32) {
    throw httpErrors.contentLength({ range: INT32_RANGE, got: String(announced) });
  }
  exchange.readBody(keepLimit(exchange), bodyArrived);
}

/** Throws UNSUPPORTED for a model that this route cannot serve, and lets go of it. */
export function acquire(use: ModelUse): ModelUse {
  if (!use.isDecoupled) return use;
  use.release();
  throw httpErrors.decoupled();
}

/** Bytes worth keeping: what lies beyond can only lead to a fault that names the size. */
export function keepLimit(exchange: Pick<InferExchange, 'context' | 'header'>): number {
  const limit = exchange.context.maxInputByteSize;
  if (requestEncoding(exchange.header('content-encoding')) !== 'identity') return limit + limit / 64 + 65_536;
  const jsonLength = Number.parseInt(exchange.header(JSON_LENGTH) ?? '', 10);
  return jsonLength > 0 && jsonLength <= limit ? MAX_INT32 : limit;
}

/** Reads a complete body, and hands the request to the service or answers with what refuses it. Throws what no call holds yet. */
export function bodyArrived(exchange: InferExchange, body: BodyBytes): void {
  const { context, match } = exchange;
  const call = new InferCall(exchange, acquire(context.service.useModel(match.model, match.version)));
  try {
    const encoding = requestEncoding(exchange.header('content-encoding'));
    if (encoding === undefined) {
      call.release();
      exchange.error(501, 'Unsupported compression type', { 'Accept-Encoding': 'gzip, deflate' });
    } else if (encoding === 'identity') readPlain(call, body);
    else inflateBody(call, body).catch((thrown: unknown) => call.fail(thrown));
  } catch (thrown) {
    call.fail(thrown);
  }
}

async function inflateBody(call: InferCall, body: BodyBytes): Promise<void> {
  const limit = call.exchange.context.maxInputByteSize;
  if (body.byteSize > 0 && body.chunks.length === 0) throw inflatedTooLarge(limit);
  const inflated = await inflate(body, limit);
  try {
    readPlain(call, inflated);
  } catch (thrown) {
    // Refused before anything was made of it: waiting for the garbage collector would let failing requests pile up.
    discard(inflated);
    throw thrown;
  }
}

function readPlain(call: InferCall, body: BodyBytes): void {
  const { exchange } = call;
  const { maxInputByteSize, offload } = exchange.context;
  call.startTrace();
  const jsonByteSize = jsonLength(exchange, body.byteSize);
  if (jsonByteSize === 0) {
    checkRaw(body, maxInputByteSize);
    const parsed = emptyParsedInfer();
    parsed.isBinaryByDefault = true;
    call.submit(parsed, body, 0, true);
    return;
  }
  if (jsonByteSize > maxInputByteSize) throw jsonTooLarge(jsonByteSize, maxInputByteSize);
  if (body.chunks.length === 0) {
    throw httpErrors.bodyTooLarge({ size: body.byteSize, limit: MAX_INT32 });
  }
  const options = {
    modelName: exchange.match.model,
    binaryByteSize: body.byteSize - jsonByteSize,
    maxInputByteSize,
  };
  if (jsonByteSize <= OFFLOAD_MIN_BYTES) {
    call.submit(exchange.parse(body.head(jsonByteSize), options), body, jsonByteSize, false);
    return;
  }
  offload
    .parse(body, jsonByteSize, options, exchange.gone)
    .then((parsed) => call.submit(parsed, body, jsonByteSize, false))
    .catch((thrown: unknown) => call.fail(thrown));
}

/** Length of the JSON part; 0 = raw request. */
function jsonLength(exchange: InferExchange, bodyByteSize: number): number {
  if (exchange.jsonLength !== undefined) return exchange.jsonLength(bodyByteSize);
  const header = exchange.header(JSON_LENGTH);
  return header === undefined ? bodyByteSize : jsonLengthIn(header, bodyByteSize);
}

function checkRaw(body: BodyBytes, limit: number): void {
  if (body.byteSize <= limit) return;
  throw httpErrors.rawTooLarge({ size: body.byteSize, limit });
}
