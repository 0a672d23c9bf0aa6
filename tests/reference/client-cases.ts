// Clients that write their own HTTP: versions, ways to send a body, targets, compression, connections.

import { deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import type { RepositoryFiles } from '../../src-main/testing/temp-repository.ts';
import { ECHO_MODEL, ONE_TO_ONE, pythonFiles } from './python-models.ts';
import type { Part } from './raw-exchange.ts';
import { rawExchange } from './raw-exchange.ts';
import type { ReferenceCase } from './reference-case.ts';
import type { Scene } from './scene.ts';

const BODY = '{"id":"r","inputs":[{"name":"INPUT0","datatype":"FP32","shape":[2],"data":[1,2]}]}';
const INFER = '/v2/models/echo/infer';
const HOST = 'Host: localhost';

const raw = (name: string, ...parts: readonly Part[]): ReferenceCase => ({
  name: `client ${name}`,
  run: ({ httpPort }) => rawExchange(httpPort, parts),
});
const head = (line: string, ...headers: readonly string[]): string =>
  `${[line, HOST, ...headers].join('\r\n')}\r\n\r\n`;
const length = (body: string | Uint8Array): string => `Content-Length: ${Buffer.byteLength(body)}`;
const post = (path: string, body: string | Uint8Array, ...headers: readonly string[]): Buffer =>
  Buffer.concat([
    Buffer.from(head(`POST ${path} HTTP/1.1`, length(body), ...headers)),
    Buffer.from(body as string),
  ]);
const get = (target: string, ...headers: readonly string[]): string =>
  head(`GET ${target} HTTP/1.1`, ...headers);
const chunked = (chunks: readonly string[], more = ''): string =>
  `${chunks.map((chunk) => `${Buffer.byteLength(chunk).toString(16)}${more}\r\n${chunk}\r\n`).join('')}0\r\n\r\n`;
const halves = [BODY.slice(0, 30), BODY.slice(30)];
const CHUNKED = 'Transfer-Encoding: chunked';

const VERSIONS: readonly ReferenceCase[] = [
  raw('HTTP/1.0', head('GET /v2/health/live HTTP/1.0')),
  raw('HTTP/1.0 without a host', 'GET /v2/health/live HTTP/1.0\r\n\r\n'),
  raw('HTTP/1.0 that stays', head('GET /v2/health/live HTTP/1.0', 'Connection: keep-alive')),
  raw('HTTP/1.0 with a body', head(`POST ${INFER} HTTP/1.0`, length(BODY)), BODY),
  raw(
    'HTTP/1.0 that stays, twice',
    head('GET /v2/health/live HTTP/1.0', 'Connection: keep-alive'),
    100,
    head('GET /v2/health/ready HTTP/1.0'),
  ),
  raw('HTTP/1.0, a failure', head('GET /v2/models/nope HTTP/1.0')),
  raw('HTTP/1.1 that closes', get('/v2/health/live', 'Connection: close')),
  raw('HTTP/1.1 that closes, a body', post(INFER, BODY, 'Connection: close')),
  raw('two requests at once', get('/v2/health/live') + get('/v2/models/echo/ready')),
  raw('three inferences at once', Buffer.concat([post(INFER, BODY), post(INFER, BODY), post(INFER, BODY)])),
  raw('good, bad and good at once', Buffer.concat([post(INFER, BODY), post(INFER, '{'), post(INFER, BODY)])),
  raw('an unknown path and a good one at once', get('/nothing') + get('/v2/health/live')),
  raw('a blank line before', `\r\n${get('/v2/health/live')}`),
  raw('byte by byte', ...[...get('/v2/health/live')].flatMap((letter): Part[] => [letter, 2])),
  raw('head and body apart', head(`POST ${INFER} HTTP/1.1`, length(BODY)), 150, BODY),
  raw(
    'body in halves',
    head(`POST ${INFER} HTTP/1.1`, length(BODY)),
    60,
    halves[0] ?? '',
    60,
    halves[1] ?? '',
  ),
  raw(
    'lower-case header names',
    `POST ${INFER} HTTP/1.1\r\nhost: localhost\r\ncontent-length: ${BODY.length}\r\n\r\n${BODY}`,
  ),
  raw(
    'no blank behind the colon',
    `POST ${INFER} HTTP/1.1\r\nHost:localhost\r\nContent-Length:${BODY.length}\r\n\r\n${BODY}`,
  ),
  raw(
    'many blanks around values',
    `POST ${INFER} HTTP/1.1\r\nHost:   localhost  \r\nContent-Length:   ${BODY.length}  \r\n\r\n${BODY}`,
  ),
  raw('lines that end with a line feed alone', `GET /v2/health/live HTTP/1.1\nHost: localhost\n\n`),
];

const BODIES: readonly ReferenceCase[] = [
  raw('expects 100', head(`POST ${INFER} HTTP/1.1`, length(BODY), 'Expect: 100-continue'), 200, BODY),
  raw(
    'expects 100, with the body at once',
    head(`POST ${INFER} HTTP/1.1`, length(BODY), 'Expect: 100-continue') + BODY,
  ),
  raw(
    'expects 100 in capitals',
    head(`POST ${INFER} HTTP/1.1`, length(BODY), 'Expect: 100-Continue'),
    200,
    BODY,
  ),
  raw(
    'expects 100 of an unknown model',
    head('POST /v2/models/nope/infer HTTP/1.1', length(BODY), 'Expect: 100-continue'),
    200,
    BODY,
  ),
  raw(
    'expects 100 of an unknown path',
    head('POST /v2/nothing HTTP/1.1', length(BODY), 'Expect: 100-continue'),
    200,
    BODY,
  ),
  raw(
    'expects 100, chunked',
    head(`POST ${INFER} HTTP/1.1`, CHUNKED, 'Expect: 100-continue'),
    200,
    chunked(halves),
  ),
  raw('chunked', head(`POST ${INFER} HTTP/1.1`, CHUNKED) + chunked(halves)),
  raw('one chunk', head(`POST ${INFER} HTTP/1.1`, CHUNKED) + chunked([BODY])),
  raw('chunks of one byte', head(`POST ${INFER} HTTP/1.1`, CHUNKED) + chunked([...BODY])),
  raw(
    'chunks with pauses',
    head(`POST ${INFER} HTTP/1.1`, CHUNKED),
    50,
    ...chunked(halves)
      .split('\r\n')
      .flatMap((line, at, all): Part[] => [at < all.length - 1 ? `${line}\r\n` : line, 20]),
  ),
  raw('chunks with extensions', head(`POST ${INFER} HTTP/1.1`, CHUNKED) + chunked(halves, ';name=value')),
  raw(
    'chunk sizes in capitals with zeros',
    head(`POST ${INFER} HTTP/1.1`, CHUNKED) +
      `00${BODY.length.toString(16).toUpperCase()}\r\n${BODY}\r\n0\r\n\r\n`,
  ),
  raw(
    'chunked with a trailer',
    head(`POST ${INFER} HTTP/1.1`, CHUNKED) + chunked(halves).replace(/0\r\n\r\n$/, '0\r\nX-Sum: 5\r\n\r\n'),
  ),
  raw('chunked, nothing', head(`POST ${INFER} HTTP/1.1`, CHUNKED) + chunked([])),
  raw(
    'Chunked with a capital',
    head(`POST ${INFER} HTTP/1.1`, 'Transfer-Encoding: Chunked') + chunked(halves),
  ),
  raw(
    'chunked, and another request',
    head(`POST ${INFER} HTTP/1.1`, CHUNKED) + chunked(halves) + get('/v2/health/live'),
  ),
  raw('no length', head(`POST ${INFER} HTTP/1.1`) + get('/v2/health/live')),
  raw('length 0', post(INFER, '')),
  raw(
    'a length with zeros before',
    `POST ${INFER} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 000${BODY.length}\r\n\r\n${BODY}`,
  ),
  raw(
    'GET with a body',
    head('GET /v2/health/live HTTP/1.1', length('{}')) + '{}' + get('/v2/models/echo/ready'),
  ),
  raw('index with a body of blanks', post('/v2/repository/index', '   ')),
  raw('a body behind a byte order mark', post(INFER, `\ufeff${BODY}`)),
  raw('a body with blanks around', post(INFER, `\r\n\t ${BODY} \n`)),
  raw('a body with something behind', post(INFER, `${BODY}x`)),
  raw('two bodies in one', post(INFER, BODY + BODY)),
  raw('a body with comments', post(INFER, `/* x */${BODY}`)),
  raw('a zero byte behind the body', post(INFER, `${BODY}\0`)),
  raw('a form', post(INFER, BODY, 'Content-Type: application/x-www-form-urlencoded')),
  raw('content type with a charset', post(INFER, BODY, 'Content-Type: application/json; charset=utf-8')),
  raw('accepts plain text only', post(INFER, BODY, 'Accept: text/plain')),
];

const TARGETS: readonly ReferenceCase[] = [
  '/v2/health/live/',
  '/v2/health/live?a=b',
  '/v2/health/live?',
  '/v2/health/live#part',
  '/v2/health//live',
  '/v2/./health/live',
  '/v2/x/../health/live',
  '/v2/health/live%20',
  '/v2/health/l%69ve',
  '/%76%32/health/live',
  '/v2/models/ech%6f/ready',
  '/v2/models/ech%6F/config/',
  '/v2/models/echo%20/ready',
  '/v2/models/echo%2fready',
  '/v2/models/echo/ready?x=%2F',
  '/v2/models/a+b/ready',
  '/v2/models/a%2Bb/ready',
  '/v2/models/with%20blank/ready',
  '/v2/models/with+blank/ready',
  '/v2/models/%C3%BCml/ready',
  '/v2/models/%FC/ready',
  '/v2/models/%zz/ready',
  '/v2/models/%/ready',
  '/v2/models/a.b/ready',
  '/v2/models/a-b/versions/1/ready',
  '/v2/models/UPPER/ready',
  '/v2/models/upper/ready',
  '/v2/models/1/ready',
  '/v2/models/versions/versions/1/ready',
  '/v2/models/versions/ready',
  '/v2/models/infer/ready',
  '/v2/models/echo/versions/1/',
  '/v2/models/echo/versions/+1/ready',
  '/v2/models/echo/versions/1.0/ready',
  '/v2/models/echo/versions/ 1/ready',
  '/v2/models/echo/versions/%31/ready',
  '/v2/models//ready',
  '/v2/models/UPPER/stats?verbose=1',
  '/v2/models/stats/',
  '/v2/models/echo/infer/',
  '/v2/repository/index/',
  '/v2/logging/',
  '/v2/trace/setting/',
  '/v2/systemsharedmemory/status/',
  '/v2/systemsharedmemory/region/a%20b/status',
  '/v2/systemsharedmemory/region/a/b/status',
  '/v2/systemsharedmemory/region//status',
  '*',
  'v2/health/live',
  'http://localhost/v2/models/echo/ready',
  'http://elsewhere:80/v2/health/live?x',
  'https://localhost/v2/health/live',
].map((target) => raw(`GET ${target}`, get(target)));

const POSTS: readonly ReferenceCase[] = [
  '/v2/models/echo/infer/',
  '/v2/models/echo/infer?timeout=5',
  '/v2/models/ech%6f/infer',
  '/v2/models/echo/versions/1/infer/',
  '/v2/models/echo/versions/01/infer',
  '/v2/models/with%20blank/infer',
  '/v2/models/%C3%BCml/infer',
  '/v2/models/a+b/infer',
  '/v2/models/a%2Bb/infer',
  '/v2/models/echo/Infer',
  '/v2/models/echo/generate/',
].map((target) => raw(`POST ${target}`, post(target, BODY)));

const METHODS: readonly ReferenceCase[] = ['PUT', 'DELETE', 'OPTIONS', 'PATCH', 'TRACE', 'BREW', 'get'].map(
  (method) => raw(`${method} of health`, head(`${method} /v2/health/live HTTP/1.1`)),
);

/** What was compressed is inflated before it is compared: each library packs in its own way. */
const packed = (name: string, body: string | Uint8Array, ...headers: readonly string[]): ReferenceCase =>
  raw(`compressed, ${name}`, post(INFER, body, ...headers));

const COMPRESSION: readonly ReferenceCase[] = [
  packed('gzip', gzipSync(BODY), 'Content-Encoding: gzip'),
  packed('deflate', deflateSync(BODY), 'Content-Encoding: deflate'),
  packed('deflate without a frame', deflateRawSync(BODY), 'Content-Encoding: deflate'),
  packed('gzip called deflate', gzipSync(BODY), 'Content-Encoding: deflate'),
  packed('deflate called gzip', deflateSync(BODY), 'Content-Encoding: gzip'),
  packed('GZIP in capitals', gzipSync(BODY), 'Content-Encoding: GZIP'),
  packed('identity', BODY, 'Content-Encoding: identity'),
  packed('an empty encoding', BODY, 'Content-Encoding:'),
  packed('gzip, gzip', gzipSync(gzipSync(BODY)), 'Content-Encoding: gzip, gzip'),
  packed(
    'gzip twice in a row',
    Buffer.concat([gzipSync(BODY.slice(0, 20)), gzipSync(BODY.slice(20))]),
    'Content-Encoding: gzip',
  ),
  packed('gzip of a fault', gzipSync('{'), 'Content-Encoding: gzip'),
  packed('gzip of nothing', gzipSync(''), 'Content-Encoding: gzip'),
  raw(
    'compressed, gzip in chunks',
    head(`POST ${INFER} HTTP/1.1`, CHUNKED, 'Content-Encoding: gzip'),
    (() => {
      const bytes = gzipSync(BODY);
      const at = 20;
      const chunk = (part: Uint8Array): Buffer =>
        Buffer.concat([Buffer.from(`${part.byteLength.toString(16)}\r\n`), part, Buffer.from('\r\n')]);
      return Buffer.concat([
        chunk(bytes.subarray(0, at)),
        chunk(bytes.subarray(at)),
        Buffer.from('0\r\n\r\n'),
      ]);
    })(),
  ),
];

/** What comes back is packed by each server in its own way: its encoding is compared, and what it says. */
const accepting = (encoding: string): ReferenceCase => ({
  name: `client accepts '${encoding}'`,
  run: async ({ httpPort }) => {
    const headers = { 'Accept-Encoding': encoding };
    const reply = await fetch(`http://127.0.0.1:${httpPort}${INFER}`, {
      method: 'POST',
      body: BODY,
      headers,
    });
    return {
      status: reply.status,
      encoding: reply.headers.get('content-encoding'),
      text: await reply.text(),
    };
  },
});
const ACCEPTED: readonly ReferenceCase[] = [
  'gzip',
  'deflate',
  'gzip, deflate',
  'deflate, gzip',
  'gzip;q=0',
  'gzip;q=0.5, deflate;q=0.8',
  'deflate;q=0.3,gzip;q=0.3',
  'gzip;q=x',
  '*',
  'identity',
  'identity;q=0',
  'identity;q=0, *;q=0',
  'identity, gzip',
  'GZIP',
  'br',
  'br, gzip',
  'x-gzip',
  'gzip ,deflate',
].map(accepting);

/** Names that no process of a Python model could take. */
const named = (name: string): RepositoryFiles => ({
  [`${name}/config.pbtxt`]: `platform: "ensemble"\n${ONE_TO_ONE}
ensemble_scheduling { step [ { model_name: "echo" model_version: -1 input_map { key: "INPUT0" value: "INPUT0" } output_map { key: "OUTPUT0" value: "OUTPUT0" } } ] }\n`,
  [`${name}/1/`]: '',
});

const models: RepositoryFiles = {
  ...pythonFiles('echo', ECHO_MODEL),
  ...named('with blank'),
  ...named('üml'),
  ...named('a+b'),
  ...named('a.b'),
  ...named('a-b'),
  ...named('UPPER'),
  ...named('1'),
  ...named('versions'),
};

export const CLIENT_SCENE: Scene = {
  name: 'clients',
  repositories: () => [models],
  args: ['--exit-on-error=false'],
  atOnce: 4,
  cases: [...VERSIONS, ...BODIES, ...TARGETS, ...POSTS, ...METHODS, ...COMPRESSION, ...ACCEPTED],
};
