// Compressed bodies over HTTP, there and back: tensors behind JSON, every route that takes a body, broken ones, and which
// answers are compressed.

import { deflateSync, gunzipSync, gzipSync, inflateSync } from 'node:zlib';
import { ECHO_MODEL, pythonFiles } from './python-models.ts';
import { rawExchange } from './raw-exchange.ts';
import type { ReferenceCase } from './reference-case.ts';
import type { Scene } from './scene.ts';
import { sameFor } from './scene.ts';

const HEAD =
  '{"id":"p","inputs":[{"name":"INPUT0","datatype":"FP32","shape":[2],"parameters":{"binary_data_size":8}}],"outputs":[{"name":"OUTPUT0","parameters":{"binary_data":true}}]}';
const JSON_BODY = '{"id":"p","inputs":[{"name":"INPUT0","datatype":"FP32","shape":[2],"data":[1,2]}]}';
const MIXED = Buffer.concat([Buffer.from(HEAD), Buffer.from(Float32Array.from([1, 2]).buffer)]);
const gzip = (bytes: Uint8Array | string): Buffer => gzipSync(bytes);
const deflate = (bytes: Uint8Array | string): Buffer => deflateSync(bytes);
const GZIP = 'Content-Encoding: gzip';
const DEFLATE = 'Content-Encoding: deflate';
const headLength = (length: number | string): string => `Inference-Header-Content-Length: ${length}`;

/** What the answer says once unpacked; packed bytes themselves differ by library. */
const unpacked = (body: string, encoding: string | undefined): string => {
  const bytes = Buffer.from(body, 'latin1');
  if (encoding === 'gzip') return gunzipSync(bytes).toString('latin1');
  if (encoding === 'deflate') return inflateSync(bytes).toString('latin1');
  return body;
};

const asked = (
  name: string,
  line: string,
  body: Uint8Array | string,
  ...headers: readonly string[]
): ReferenceCase => ({
  name: `packed: ${name}`,
  run: async ({ httpPort }) => {
    const head = [
      `${line} HTTP/1.1`,
      'Host: localhost',
      `Content-Length: ${Buffer.byteLength(body)}`,
      ...headers,
    ];
    const { answers, isClosed } = await rawExchange(httpPort, [`${head.join('\r\n')}\r\n\r\n`, body]);
    return {
      isClosed,
      answers: answers.map(({ status, headers: { 'content-length': length, ...rest }, body: text }) => ({
        status,
        headers: rest,
        // The length of a packed body is the library's.
        hasLength: length !== undefined,
        body: unpacked(text, rest['content-encoding']),
      })),
    };
  },
});
const INFER = 'POST /v2/models/echo/infer';

const requests: readonly ReferenceCase[] = [
  ...(
    [
      ['gzip', GZIP, gzip],
      ['deflate', DEFLATE, deflate],
    ] as const
  ).flatMap(([name, header, pack]) => [
    asked(`${name} of bytes behind JSON`, INFER, pack(MIXED), header, headLength(HEAD.length)),
    asked(
      `${name} of bytes behind JSON, its packed length`,
      INFER,
      pack(MIXED),
      header,
      headLength(pack(HEAD).length),
    ),
    asked(`${name} of bytes behind JSON without its length`, INFER, pack(MIXED), header),
    asked(`${name} of bytes behind JSON, one more`, INFER, pack(MIXED), header, headLength(HEAD.length + 1)),
    asked(
      `${name} of bytes behind JSON, beyond its end`,
      INFER,
      pack(MIXED),
      header,
      headLength(MIXED.length + 1),
    ),
    asked(`${name} of bytes alone`, INFER, pack(Buffer.alloc(8)), header, headLength(0)),
    asked(`${name} of JSON with its length`, INFER, pack(JSON_BODY), header, headLength(JSON_BODY.length)),
    asked(`${name} of JSON with no length`, INFER, pack(JSON_BODY), header, headLength(0)),
    asked(`${name} of nothing`, INFER, pack(''), header),
    asked(`${name} of an empty body`, INFER, '', header),
    asked(`${name} that is cut`, INFER, pack(JSON_BODY).subarray(0, -6), header),
    asked(
      `${name} with more behind it`,
      INFER,
      Buffer.concat([pack(JSON_BODY), Buffer.from('more')]),
      header,
    ),
    asked(`${name} to an unknown model`, 'POST /v2/models/nope/infer', pack(JSON_BODY), header),
    asked(`${name} to an unknown version`, 'POST /v2/models/echo/versions/4/infer', pack(JSON_BODY), header),
    asked(`${name} for generate`, 'POST /v2/models/echo/generate', pack('{"INPUT0":1}'), header),
    asked(`${name} for a stream`, 'POST /v2/models/echo/generate_stream', pack('{"INPUT0":1}'), header),
    asked(`${name} for an index`, 'POST /v2/repository/index', pack('{"ready":true}'), header),
    asked(
      `${name} for an unload`,
      'POST /v2/repository/models/nope/unload',
      pack('{"parameters":{}}'),
      header,
    ),
    asked(`${name} for a trace setting`, 'POST /v2/trace/setting', pack('{"trace_rate":"5"}'), header),
    asked(`${name} for logging`, 'POST /v2/logging', pack('{"log_info":true}'), header),
    asked(
      `${name} for a region`,
      'POST /v2/systemsharedmemory/region/x/register',
      pack('{"key":"/x"}'),
      header,
    ),
  ]),
  ...[
    'identity',
    'none',
    '',
    'gzip, deflate',
    'gzip,identity',
    'identity, gzip',
    'x-gzip',
    'Gzip',
    'zstd',
    'compress',
  ].map((encoding) =>
    asked(`an encoding '${encoding}' of plain JSON`, INFER, JSON_BODY, `Content-Encoding: ${encoding}`),
  ),
  ...['gzip, deflate', 'gzip,identity', 'identity, gzip', 'x-gzip', 'Gzip'].map((encoding) =>
    asked(`an encoding '${encoding}' of gzip`, INFER, gzip(JSON_BODY), `Content-Encoding: ${encoding}`),
  ),
];

const ACCEPT = [
  'gzip',
  'deflate',
  'gzip;q=0.1, deflate',
  'identity;q=0',
  '*;q=0',
  'gzip;q=0, *',
  'gzip;q=1.5',
  'gzip; q=0.5',
  '',
];
const answers: readonly ReferenceCase[] = ACCEPT.flatMap((accept) => {
  const header = `Accept-Encoding: ${accept}`;
  const named = (name: string): string => `${name} that accepts '${accept}'`;
  return [
    asked(named('bytes'), INFER, MIXED, headLength(HEAD.length), header),
    asked(named('JSON'), INFER, JSON_BODY, header),
    asked(named('a fault'), INFER, '{', header),
    asked(named('an unknown model'), 'POST /v2/models/nope/infer', JSON_BODY, header),
    asked(named('a gzip request'), INFER, gzip(JSON_BODY), GZIP, header),
    asked(named('generate'), 'POST /v2/models/echo/generate', '{"INPUT0":1}', header),
    asked(named('an index'), 'POST /v2/repository/index', '', header),
    asked(named('metadata'), 'GET /v2/models/echo', '', header),
  ];
});
const twice: readonly ReferenceCase[] = [
  asked('accepts two headers', INFER, JSON_BODY, 'Accept-Encoding: identity', 'Accept-Encoding: gzip'),
  asked(
    'accepts two headers turned round',
    INFER,
    JSON_BODY,
    'Accept-Encoding: gzip',
    'Accept-Encoding: identity',
  ),
];

export const PACKED_SCENE: Scene = {
  name: 'packed',
  repositories: sameFor(pythonFiles('echo', ECHO_MODEL)),
  args: ['--model-control-mode=explicit', '--load-model=echo'],
  atOnce: 4,
  cases: [...requests, ...answers, ...twice],
};
