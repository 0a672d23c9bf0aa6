// The head of a hot request: one POST to infer, plain header fields, one Content-Length. What is not exactly that has
// no plain head and goes to Node's parser unread, so this may be narrow but never generous: it accepts nothing that
// Node's parser would refuse or read in another way.

import { responseEncoding } from '../content-encoding.ts';

/** The head of a request that needs no parser of Node's. */
export interface PlainHead {
  /** As in the request line, beginning with "/". */
  readonly target: string;
  /** By lower-case name; each stands there once. */
  readonly headers: ReadonlyMap<string, string>;
  /** name, value, name, value ... as received. */
  readonly rawHeaders: readonly string[];
  readonly contentLength: number;
  /** The client keeps the connection open behind the answer. */
  readonly isKeptAlive: boolean;
}

const REQUEST_LINE = /^POST (\/v2\/models\/[A-Za-z0-9._~%-]+(?:\/versions\/[0-9]+)?\/infer) HTTP\/1\.1$/;
/** Name, colon, value without blanks around it: visible characters of ASCII, and blanks inside. */
const FIELD = /^([A-Za-z0-9_-]+):[ \t]*([\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?)?[ \t]*$/;
const LENGTH = /^(?:0|[1-9][0-9]{0,9})$/;
const MAX_FIELDS = 64;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** Fields that change how the message is read, or who may ask. */
const UNUSUAL = new Set([
  'transfer-encoding',
  'content-encoding',
  'expect',
  'upgrade',
  'trailer',
  'proxy-connection',
  'keep-alive',
  'http2-settings',
  'origin',
  'access-control-request-method',
  'access-control-request-headers',
]);

/** `text`: one char per byte, without the empty line at the end. */
export function readPlainHead(text: string): PlainHead | undefined {
  const lines = text.split('\r\n');
  if (lines.length - 1 > MAX_FIELDS) return undefined;
  const target = REQUEST_LINE.exec(lines[0] ?? '')?.[1];
  if (target === undefined) return undefined;
  const headers = new Map<string, string>();
  const rawHeaders: string[] = [];
  for (let index = 1; index < lines.length; index += 1) {
    const field = FIELD.exec(lines[index] ?? '');
    if (field === null) return undefined;
    const [, name = '', value = ''] = field;
    const key = name.toLowerCase();
    if (headers.has(key) || UNUSUAL.has(key) || key.startsWith('sec-')) return undefined;
    headers.set(key, value);
    rawHeaders.push(name, value);
  }
  const length = headers.get('content-length');
  if (length === undefined || !LENGTH.test(length)) return undefined;
  if (responseEncoding(headers.get('accept-encoding')) !== 'identity') return undefined;
  const connection = headers.get('connection')?.toLowerCase();
  if (connection !== undefined && connection !== 'keep-alive' && connection !== 'close') return undefined;
  return {
    target,
    headers,
    rawHeaders,
    contentLength: Number(length),
    isKeptAlive: connection !== 'close',
  };
}

/** A head with such a line never ends as it should: Node's parser refuses it. */
export function hasBareLineFeed(bytes: Buffer, at: number): boolean {
  const lineEnd = bytes.indexOf(LINE_FEED, at);
  return lineEnd >= 0 && (lineEnd === at || bytes[lineEnd - 1] !== CARRIAGE_RETURN);
}
