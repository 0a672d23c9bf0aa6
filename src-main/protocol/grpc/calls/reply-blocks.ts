// Header blocks of answers. Those of a success are always the same bytes.

import { encodeHeaderBlock } from '../../../http2/header-block.ts';

const HEADERS = [':status', '200', 'content-type', 'application/grpc'];
const ACCEPTED = ['grpc-accept-encoding', 'identity,deflate,gzip'];

const headersFor = (...encoding: readonly string[]): Uint8Array =>
  encodeHeaderBlock([...HEADERS, ...ACCEPTED, ...encoding]);

/** By the encoding of the messages behind them. */
export const REPLY_HEADERS = {
  identity: headersFor(),
  gzip: headersFor('grpc-encoding', 'gzip'),
  deflate: headersFor('grpc-encoding', 'deflate'),
} as const;
/** Behind the messages of a call that went well. */
export const OK_TRAILERS: Uint8Array = encodeHeaderBlock(['grpc-status', '0']);

/**
 * Clients of gRPC's own core, NVIDIA's among them, drop an answer with more than 8 KiB of metadata, and tell a fault of the
 * transport in its place.
 */
const LARGEST_MESSAGE_FIELD = 7 * 1024;
/** Room for the words behind a text that was cut. */
const CUT_WORDS = 64;

/**
 * A status text as `grpc-message` carries it: printable ASCII as it is and the rest, with `%`, as UTF-8 bytes in percents
 * (gRPC over HTTP/2, "Percent-Encoded"). Clients show the field undecoded where a deadline of their own ends the call
 * meanwhile, so what can stand plain must.
 */
function messageField(details: string): string {
  const field = details.length > LARGEST_MESSAGE_FIELD ? undefined : percentEncoded(details);
  return field === undefined || field.length > LARGEST_MESSAGE_FIELD ? cutField(details) : field;
}

function percentEncoded(text: string): string {
  return text.toWellFormed().replace(/[^ -$&-~]+/gu, encodeURIComponent);
}

function cutField(details: string): string {
  const room = LARGEST_MESSAGE_FIELD - CUT_WORDS;
  let kept = details.slice(0, room);
  let field = percentEncoded(kept);
  while (field.length > room) {
    kept = kept.slice(0, Math.floor((kept.length * room) / field.length));
    field = percentEncoded(kept);
  }
  return `${field}... (${details.length - kept.length} characters more)`;
}

const statusFields = (code: number, details: string): string[] => [
  'grpc-status',
  String(code),
  ...(details === '' ? [] : ['grpc-message', messageField(details)]),
];

/** Behind headers that were sent. */
export function statusTrailers(code: number, details: string): Uint8Array {
  return encodeHeaderBlock(statusFields(code, details));
}

/** As the only block of a call. */
export function statusOnly(code: number, details: string): Uint8Array {
  return encodeHeaderBlock([...HEADERS, ...statusFields(code, details)]);
}

/** In front of a text, to a request that is no gRPC. */
export function httpStatusHeaders(status: number, byteSize: number): Uint8Array {
  const fields = ['content-type', 'text/plain', 'content-length', String(byteSize)];
  return encodeHeaderBlock([':status', String(status), ...fields]);
}

/** For a reply that is no gRPC and ends with its body. */
export const NO_TRAILERS = new Uint8Array(0);
