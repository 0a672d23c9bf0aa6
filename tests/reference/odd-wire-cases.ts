// HTTP as nobody should write it: the length of the JSON head in every wrong way, headers twice and of every size, bodies
// with broken UTF-8, numbers that no type has, and methods with bodies.

import { ECHO_MODEL, pythonFiles } from './python-models.ts';
import type { Part } from './raw-exchange.ts';
import { rawExchange } from './raw-exchange.ts';
import type { ReferenceCase } from './reference-case.ts';
import type { Scene } from './scene.ts';

const raw = (name: string, ...parts: readonly Part[]): ReferenceCase => ({
  name: `odd wire: ${name}`,
  run: ({ httpPort }) => rawExchange(httpPort, parts),
});
const request = (line: string, headers: readonly string[], body: Uint8Array | string = ''): Buffer =>
  Buffer.concat([
    Buffer.from(`${[`${line} HTTP/1.1`, 'Host: localhost', ...headers].join('\r\n')}\r\n\r\n`, 'latin1'),
    Buffer.from(body as string),
  ]);
const sized = (line: string, headers: readonly string[], body: Uint8Array | string): Buffer =>
  request(line, [`Content-Length: ${Buffer.byteLength(body)}`, ...headers], body);
const infer = (model: string, body: Uint8Array | string, ...headers: readonly string[]): Buffer =>
  sized(`POST /v2/models/${model}/infer`, headers, body);
const tensor = (type: string, shape: string, data: string): string =>
  `{"inputs":[{"name":"INPUT0","datatype":"${type}","shape":${shape},"data":${data}}]}`;
const GOOD = tensor('FP32', '[1]', '[1]');

/** A head for four bytes that follow. */
const HEAD =
  '{"inputs":[{"name":"INPUT0","datatype":"FP32","shape":[1],"parameters":{"binary_data_size":4}}]}';
const MIXED = Buffer.concat([Buffer.from(HEAD), Buffer.from(Float32Array.from([1]).buffer)]);
const LENGTHS: readonly ReferenceCase[] = [
  ...[
    String(HEAD.length),
    String(HEAD.length - 1),
    String(HEAD.length + 1),
    String(MIXED.length),
    String(MIXED.length + 1),
    '1',
    '0',
    `+${HEAD.length}`,
    `0${HEAD.length}`,
    `0x${HEAD.length.toString(16)}`,
    `${HEAD.length}.0`,
    `${HEAD.length} `,
    ` ${HEAD.length}`,
    `${HEAD.length}, ${HEAD.length}`,
    `${HEAD.length}x`,
    '2147483648',
    '4294967296',
    String(4294967296 + HEAD.length),
    '9223372036854775807',
    '9223372036854775808',
    '18446744073709551616',
    '-1',
    '-0',
    '',
    '""',
  ].map((length) =>
    raw(`head length '${length}'`, infer('echo', MIXED, `Inference-Header-Content-Length: ${length}`)),
  ),
  raw(
    'head length twice, the same',
    infer('echo', MIXED, ...[1, 2].map(() => `Inference-Header-Content-Length: ${HEAD.length}`)),
  ),
  raw(
    'head length twice, wrong and right',
    infer(
      'echo',
      MIXED,
      'Inference-Header-Content-Length: 5',
      `Inference-Header-Content-Length: ${HEAD.length}`,
    ),
  ),
  raw(
    'head length twice, right and wrong',
    infer(
      'echo',
      MIXED,
      `Inference-Header-Content-Length: ${HEAD.length}`,
      'Inference-Header-Content-Length: 5',
    ),
  ),
  raw('head length in capitals', infer('echo', MIXED, `INFERENCE-HEADER-CONTENT-LENGTH: ${HEAD.length}`)),
  raw('no head length', infer('echo', MIXED)),
  raw('head length of plain JSON', infer('echo', GOOD, `Inference-Header-Content-Length: ${GOOD.length}`)),
  raw('head length of an empty body', infer('echo', '', 'Inference-Header-Content-Length: 0')),
  raw('head length of an empty body, 5', infer('echo', '', 'Inference-Header-Content-Length: 5')),
  raw(
    'head length of generate',
    sized('POST /v2/models/echo/generate', ['Inference-Header-Content-Length: 5'], '{"INPUT0":[1]}'),
  ),
  raw(
    'head length of an index',
    sized('POST /v2/repository/index', ['Inference-Header-Content-Length: 5'], '{}'),
  ),
];

const SIZES: readonly ReferenceCase[] = [
  '0',
  '3',
  '5',
  '8',
  '4294967300',
  '18446744073709551615',
  '1e0',
  '"4"',
  '[4]',
  'true',
].map((size) => {
  const head = HEAD.replace('_size":4', `_size":${size}`);
  return raw(
    `binary size ${size}`,
    infer(
      'echo',
      Buffer.concat([Buffer.from(head), MIXED.subarray(HEAD.length)]),
      `Inference-Header-Content-Length: ${head.length}`,
    ),
  );
});

const HEADERS: readonly ReferenceCase[] = [
  raw(
    'the same length twice',
    request(
      'POST /v2/models/echo/infer',
      [1, 2].map(() => `Content-Length: ${GOOD.length}`),
      GOOD,
    ),
  ),
  raw(
    'a length list',
    request('POST /v2/models/echo/infer', [`Content-Length: ${GOOD.length}, ${GOOD.length}`], GOOD),
  ),
  raw(
    'a length with a plus',
    request('POST /v2/models/echo/infer', [`Content-Length: +${GOOD.length}`], GOOD),
  ),
  raw('two hosts', infer('echo', GOOD, 'Host: localhost')),
  raw('two content types', infer('echo', GOOD, 'Content-Type: application/json', 'Content-Type: text/plain')),
  raw('two encodings', infer('echo', GOOD, 'Content-Encoding: identity', 'Content-Encoding: identity')),
  raw('a header without a value', infer('echo', GOOD, 'X-Empty:')),
  raw('a header without a colon', infer('echo', GOOD, 'nonsense')),
  raw('a header without a name', infer('echo', GOOD, ': value')),
  raw('a blank in a header name', infer('echo', GOOD, 'X Y: z')),
  raw('a folded header', infer('echo', GOOD, 'X-Long: a\r\n b')),
  raw('bytes above 127 in a header', infer('echo', GOOD, 'X-Name: \xfc\xff')),
  ...[1000, 8000, 20_000, 60_000].map((size) =>
    raw(`a header of ${size} bytes`, infer('echo', GOOD, `X-Long: ${'y'.repeat(size)}`)),
  ),
  ...[20, 90].map((count) =>
    raw(
      `${count} headers`,
      infer('echo', GOOD, ...Array.from({ length: count }, (_, at) => `X-${at}: ${at}`)),
    ),
  ),
  ...[2000, 7000].map((size) =>
    raw(`a target of ${size} bytes`, request(`GET /v2/models/${'m'.repeat(size)}/ready`, [])),
  ),
  raw(
    'an upgrade to HTTP/2',
    request('GET /v2/health/live', [
      'Connection: Upgrade, HTTP2-Settings',
      'Upgrade: h2c',
      'HTTP2-Settings: AAMAAABkAAQCAAAAAAIAAAAA',
    ]),
  ),
  raw(
    'an upgrade to a web socket',
    request('GET /v2/health/live', [
      'Connection: Upgrade',
      'Upgrade: websocket',
      'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
      'Sec-WebSocket-Version: 13',
    ]),
  ),
  raw('another expectation', infer('echo', GOOD, 'Expect: 200-maybe')),
  raw(
    'a range',
    request('GET /v2', ['Range: bytes=0-4']).toString().replace('GET /v2 ', 'GET /v2/health/live '),
  ),
  raw(
    'if none match',
    request('GET /v2/health/live', ['If-None-Match: *', 'If-Modified-Since: Thu, 26 Nov 2099 17:00:00 GMT']),
  ),
];

const METHODS: readonly ReferenceCase[] = ['HEAD', 'OPTIONS', 'PUT', 'PATCH', 'DELETE'].flatMap((method) => [
  raw(
    `${method} infer`,
    sized(`${method} /v2/models/echo/infer`, [], GOOD),
    100,
    request('GET /v2/health/live', []),
  ),
  raw(`${method} of nothing`, request(`${method} /nothing`, [])),
]);

/** Bytes of a JSON text; `#` stands for what is odd. */
const bytes = (text: string, odd: readonly number[]): Buffer => {
  const at = text.indexOf('#');
  return Buffer.concat([Buffer.from(text.slice(0, at)), Buffer.from(odd), Buffer.from(text.slice(at + 1))]);
};
const FAULTS: Readonly<Record<string, readonly number[]>> = {
  'a lone continuation': [0x80],
  'a cut character': [0xc3],
  'an overlong slash': [0xc0, 0xaf],
  'a surrogate': [0xed, 0xa0, 0x80],
  'beyond Unicode': [0xf4, 0x90, 0x80, 0x80],
  'a byte 255': [0xff],
  'a zero': [0],
  'a line feed': [10],
  'a tab': [9],
  'a delete': [127],
};
const TEXTS: readonly ReferenceCase[] = [
  ...Object.entries(FAULTS).flatMap(([name, odd]) => [
    raw(`${name} in a text`, infer('texts', bytes(tensor('BYTES', '[1]', '["a#b"]'), odd))),
    raw(`${name} in an id`, infer('echo', bytes(GOOD.replace('{', '{"id":"a#b",'), odd))),
    raw(`${name} in an unknown member`, infer('echo', bytes(GOOD.replace('{', '{"x#":1,'), odd))),
    raw(`${name} between members`, infer('echo', bytes(GOOD.replace('{', '{#'), odd))),
  ]),
  ...[
    '\\ud800',
    '\\udc00',
    '\\ud83d\\ude00',
    '\\ude00\\ud83d',
    '\\u00',
    '\\x41',
    '\\/',
    '\\b\\f',
    '\\u0000',
    '\\uD83d\\u0041',
  ].map((escape) => raw(`the escape ${escape}`, infer('texts', tensor('BYTES', '[1]', `["${escape}"]`)))),
];

const NUMBERS: readonly ReferenceCase[] = [
  ...[
    'NaN',
    'Infinity',
    '-Infinity',
    'Inf',
    '1e400',
    '-1e400',
    '1e-400',
    '1E5',
    '1e+5',
    '-0',
    '-0.0',
    '00',
    '1.',
    '-',
    '3.4028236e38',
    '1e39',
    '1e308',
    '123456789012345678901234567890',
    '0.1e-6',
    '1_000',
  ].map((number) => raw(`FP32 ${number}`, infer('echo', tensor('FP32', '[1]', `[${number}]`)))),
  ...[
    '2147483648',
    '-2147483649',
    '4294967296',
    '1.0',
    '1e2',
    '18446744073709551616',
    '-0',
    'true',
    'null',
    '"1"',
  ].map((number) => raw(`INT32 ${number}`, infer('ints', tensor('INT32', '[1]', `[${number}]`)))),
  ...['9223372036854775808', '-1', '18446744073709551615', '18446744073709551616', '1.5', '1e3'].map(
    (number) => raw(`UINT64 ${number}`, infer('longs', tensor('UINT64', '[1]', `[${number}]`))),
  ),
  ...['9223372036854775808', '4294967296', '1e0', '-1e0', '1.5', '1e400', 'NaN'].map((number) =>
    raw(`a dimension ${number}`, infer('echo', tensor('FP32', `[${number}]`, '[1]'))),
  ),
];

const nest = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
const DEPTHS: readonly ReferenceCase[] = [
  ...[50, 500, 5000].flatMap((depth) => [
    raw(`an unknown member ${depth} arrays deep`, infer('echo', GOOD.replace('{', `{"x":${nest(depth)},`))),
    raw(
      `an unknown member ${depth} objects deep`,
      infer('echo', GOOD.replace('{', `{"x":${'{"a":'.repeat(depth)}1${'}'.repeat(depth)},`)),
    ),
    raw(
      `parameters ${depth} arrays deep`,
      infer('echo', GOOD.replace('{', `{"parameters":{"x":${nest(depth)}},`)),
    ),
    raw(`an index ${depth} arrays deep`, sized('POST /v2/repository/index', [], `{"ready":${nest(depth)}}`)),
  ]),
];

const io = (type: string): string =>
  `input [ { name: "INPUT0" data_type: TYPE_${type} dims: [ -1 ] } ] output [ { name: "OUTPUT0" data_type: TYPE_${type} dims: [ -1 ] } ]`;

export const ODD_WIRE_SCENE: Scene = {
  name: 'odd wire',
  repositories: () => [
    {
      ...pythonFiles('echo', ECHO_MODEL),
      ...pythonFiles('texts', ECHO_MODEL, io('STRING')),
      ...pythonFiles('ints', ECHO_MODEL, io('INT32')),
      ...pythonFiles('longs', ECHO_MODEL, io('UINT64')),
    },
  ],
  cases: [...LENGTHS, ...SIZES, ...HEADERS, ...METHODS, ...TEXTS, ...NUMBERS, ...DEPTHS],
  atOnce: 4,
};
