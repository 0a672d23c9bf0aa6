// A seeded fuzzer of the HTTP port: valid requests, bent in random places, sent as raw bytes on connections of their
// own. Whatever is sent, the server must answer in well-formed HTTP with a status of its repertoire, or close.

import net from 'node:net';
import zlib from 'node:zlib';

/** Small, fast, repeatable. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** 0 <= n < limit. */
  below(limit: number): number {
    this.#state = (Math.imul(this.#state, 1664525) + 1013904223) >>> 0;
    return Math.floor((this.#state / 2 ** 32) * limit);
  }

  /** One of `items`, which must not be empty. */
  pick<T>(items: readonly T[]): T {
    return items[this.below(items.length)] as T;
  }
}

const METHODS = [
  'GET',
  'POST',
  'POST',
  'POST',
  'PUT',
  'DELETE',
  'HEAD',
  'OPTIONS',
  'TRACE',
  'CONNECT',
  'PATCH',
  'M-SEARCH',
  'NOPE',
];

const INFER = JSON.stringify({
  id: 'a',
  parameters: { sequence_id: 1, priority: 2, text: 'b' },
  inputs: [
    { name: 'INPUT0', datatype: 'INT32', shape: [2], data: [[1], [2]] },
    { name: 'INPUT1', datatype: 'BYTES', shape: [1], data: ['é\\u0000"'] },
    { name: 'INPUT2', datatype: 'FP32', shape: [1], parameters: { binary_data_size: 4 } },
  ],
  outputs: [
    { name: 'OUTPUT0', parameters: { classification: 1 } },
    { name: 'OUTPUT1' },
    { name: 'OUTPUT2', parameters: { binary_data: true } },
  ],
});

const TARGETS: readonly (readonly [path: string, body: string])[] = [
  ['/v2/models/m/infer', INFER],
  ['/v2/models/m/infer', INFER],
  ['/v2/models/m/versions/1/infer', INFER],
  ['/v2/models/m/generate', '{"id":"x","INPUT0":[1,2],"INPUT1":"a","parameters":{"INPUT2":0.5,"n":1}}'],
  ['/v2/models/m/generate_stream', '{"INPUT0":1,"x":true}'],
  ['/v2/repository/index', '{"ready":true}'],
  ['/v2/repository/models/m/load', '{"parameters":{"config":"{}","file:1/model.onnx":"AAAA"}}'],
  ['/v2/repository/models/m/unload', '{"parameters":{"unload_dependents":true}}'],
  ['/v2/trace/setting', '{"trace_level":["OFF"],"trace_rate":"5","trace_count":null}'],
  ['/v2/models/m/trace/setting', '{"trace_rate":"1"}'],
  ['/v2/logging', '{"log_info":true,"log_verbose_level":0,"log_format":"default"}'],
  ['/v2/systemsharedmemory/region/r/register', '{"key":"/r","offset":0,"byte_size":8}'],
  ['/v2/systemsharedmemory/region/r/unregister', ''],
  ['/v2/cudasharedmemory/region/r/register', '{"raw_handle":{"b64":"AAAA"},"device_id":0,"byte_size":8}'],
  ['/v2/models/m', ''],
  ['/v2/models/stats', ''],
  ['/v2/health/live', ''],
  ['/', ''],
];

const NASTY = [
  '"',
  '\\',
  '{',
  '}',
  '[',
  ']',
  ',',
  ':',
  '\0',
  '\r\n',
  '\n',
  'null',
  'NaN',
  '-Infinity',
  '1e999',
  '-0',
  '1.0',
  '18446744073709551616',
  '-9223372036854775809',
  '"\\ud800"',
  '"\\u0000"',
  '[['.repeat(60),
  ']]'.repeat(60),
  '{"a":'.repeat(60),
  '9'.repeat(400),
  '\xff\xfe',
  'é',
  '"name"',
  '"INPUT0"',
  '"FP16"',
  '"shared_memory_region"',
  '"binary_data_size"',
  'true',
  '0x1',
  '.5',
  '//',
  '%00',
  '../..',
];

const HEADER_VALUES = [
  '',
  '0',
  '1',
  '4',
  '-1',
  '99',
  '99999999999',
  'abc',
  '12abc',
  '1, 2',
  'gzip',
  'deflate',
  'identity',
  'br',
  'chunked',
  'gzip;q=0',
  '*',
  '\t',
  'é',
  'x'.repeat(5000),
];

const HEADER_NAMES = [
  'Inference-Header-Content-Length',
  'Content-Encoding',
  'Accept-Encoding',
  'Content-Length',
  'Transfer-Encoding',
  'Expect',
  'Connection',
  'Host',
  'Origin',
  'endpoint-load-metrics-format',
  'traceparent',
  'Upgrade',
  'X-A',
  'my_header',
  'triton_x',
  'sequence_id',
  '',
  'bad name',
  'Content-Type',
];

/** Bytes of one connection. */
export function fuzzCase(random: Random): Buffer {
  if (random.below(50) === 0)
    return Buffer.from(Array.from({ length: random.below(300) }, () => random.below(256)));
  const count = 1 + random.below(3);
  return Buffer.concat(Array.from({ length: count }, () => fuzzRequest(random)));
}

/** One request, bent or not. */
export function fuzzRequest(random: Random): Buffer {
  const [path, text] = random.pick(TARGETS);
  const isBent = random.below(4) > 0;
  const jsonPart = isBent ? bend(Buffer.from(text), random) : Buffer.from(text);
  let body =
    text === INFER ? Buffer.concat([jsonPart, Buffer.alloc(random.pick([4, 4, 4, 0, 3, 9]), 1)]) : jsonPart;
  const headers: string[] = ['Host: localhost'];
  if (text === INFER && random.below(5) > 0)
    headers.push(`Inference-Header-Content-Length: ${jsonPart.length}`);
  if (random.below(8) === 0) {
    headers.push('Content-Encoding: gzip');
    body = bentSometimes(zlib.gzipSync(body), random);
  }
  for (let i = random.below(8) === 0 ? 1 + random.below(4) : 0; i > 0; i -= 1) {
    headers.push(`${random.pick(HEADER_NAMES)}: ${random.pick(HEADER_VALUES)}`);
  }
  const isChunked = random.below(6) === 0;
  headers.push(isChunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${body.length}`);
  const method = random.below(6) === 0 ? random.pick(METHODS) : text === '' ? 'GET' : 'POST';
  const target = random.below(10) === 0 ? bend(Buffer.from(path), random).toString('latin1') : path;
  const head = Buffer.from(`${method} ${target} HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n`, 'latin1');
  return bentSometimes(Buffer.concat([head, isChunked ? chunked(body, random) : body]), random);
}

function bentSometimes(bytes: Buffer, random: Random): Buffer {
  return random.below(20) === 0 ? bend(bytes, random) : bytes;
}

/** One to three random changes: cut, repeat, overwrite, insert. */
function bend(bytes: Buffer, random: Random): Buffer {
  let bent = bytes;
  for (let i = 1 + random.below(3); i > 0; i -= 1) {
    const at = random.below(bent.length + 1);
    const length = random.below(12);
    const [before, after] = [bent.subarray(0, at), bent.subarray(at)];
    switch (random.below(5)) {
      case 0:
        bent = Buffer.concat([before, after.subarray(length)]);
        break;
      case 1:
        bent = Buffer.concat([before, before.subarray(-length), after]);
        break;
      case 2:
        bent = Buffer.concat([before, Buffer.from([random.below(256)]), after.subarray(1)]);
        break;
      case 3:
        bent = before;
        break;
      default:
        bent = Buffer.concat([before, Buffer.from(random.pick(NASTY), 'latin1'), after]);
    }
  }
  return bent;
}

function chunked(body: Buffer, random: Random): Buffer {
  const parts: Buffer[] = [];
  for (let at = 0; at < body.length;) {
    const size = 1 + random.below(40);
    const part = body.subarray(at, at + size);
    parts.push(Buffer.from(`${part.length.toString(16)}\r\n`), part, Buffer.from('\r\n'));
    at += part.length;
  }
  return Buffer.concat([...parts, Buffer.from('0\r\n\r\n')]);
}

/** Sends the bytes, closes the sending side, and resolves with all that comes back once the server has closed too. */
export function exchange(port: number, bytes: Buffer): Promise<Buffer> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    const socket = net.connect(port, '127.0.0.1', () => socket.end(bytes));
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(Buffer.concat(chunks)));
  });
}

const STATUSES = new Set([100, 200, 204, 400, 403, 404, 405, 500, 501, 503]);

/** What is wrong with the replies of one connection; undefined = nothing. */
export function replyFault(received: Buffer): string | undefined {
  let rest = received.toString('latin1');
  while (rest !== '') {
    const head = /^HTTP\/1\.1 (\d{3}) [^\r\n]*\r\n((?:[!-9;-~]+: ?[^\r\n]*\r\n)*)\r\n/.exec(rest);
    if (head === null) return `no reply head: ${JSON.stringify(rest.slice(0, 200))}`;
    const [text = '', status = '', headers = ''] = head;
    if (!STATUSES.has(Number(status))) return `status ${status}`;
    if (/^(?:set-cookie|x-a|my_header)/im.test(headers)) return `foreign header in ${headers}`;
    rest = rest.slice(text.length);
    const announced = /^content-length: (\d+)\r$/im.exec(headers)?.[1];
    // A HEAD reply announces a body it does not have, and a chunked one ends with its last chunk.
    const isNext = rest === '' || rest.startsWith('HTTP/1.1 ');
    if (status === '100' || isNext) continue;
    if (announced === undefined) {
      const end = rest.indexOf('0\r\n\r\n');
      rest = end < 0 ? '' : rest.slice(end + 5);
      continue;
    }
    const body = rest.slice(0, Number(announced));
    if (Number(status) >= 400 && !isErrorBody(body))
      return `error body ${JSON.stringify(body.slice(0, 200))}`;
    rest = rest.slice(Number(announced));
  }
  return undefined;
}

function isErrorBody(body: string): boolean {
  if (body === '') return true;
  try {
    const parsed: unknown = JSON.parse(body);
    return (
      typeof (parsed as { error?: unknown }).error === 'string' && Object.keys(parsed as object).length === 1
    );
  } catch {
    return false;
  }
}

/** Where and how much is sent; the same seed sends the same. */
export interface FuzzOptions {
  readonly port: number;
  readonly caseCount: number;
  readonly seed: number;
  /** Connections at a time. */
  readonly width: number;
}

/** An answer that breaks the rules. */
export interface FuzzFinding {
  readonly fault: string;
  /** The bytes that led to it, base64. */
  readonly bytes: string;
}

/** Runs the cases; stops at the first finding. */
export async function fuzz({ port, caseCount, seed, width }: FuzzOptions): Promise<FuzzFinding | undefined> {
  const random = new Random(seed);
  let left = caseCount;
  let finding: FuzzFinding | undefined;
  const lane = async (): Promise<void> => {
    while (left > 0 && finding === undefined) {
      left -= 1;
      const bytes = fuzzCase(random);
      const fault = replyFault(await exchange(port, bytes));
      if (fault !== undefined) finding ??= { fault, bytes: bytes.toString('base64') };
    }
  };
  await Promise.all(Array.from({ length: width }, lane));
  return finding;
}
