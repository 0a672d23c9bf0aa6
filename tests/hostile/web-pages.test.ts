// What a page of another origin can make a browser send, with the headers that browsers add, against every port.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { echo } from '../conformance/checklist/checklist-models.ts';
import { rawExchange } from './raw-socket.ts';
import { Target } from './target.ts';
import type { TargetPorts } from './target-facts.ts';
import { UI_TOKEN } from './target-facts.ts';

let target: Target;
beforeAll(async () => {
  target = await Target.start(echo('m', 'INT32', [1]));
});
afterAll(() => target[Symbol.asyncDispose]());

type Headers = Readonly<Record<string, string>>;

const fetchOf = (site: string, mode: string, dest: string): Headers => ({
  'Sec-Fetch-Site': site,
  'Sec-Fetch-Mode': mode,
  'Sec-Fetch-Dest': dest,
});

async function status(
  port: number,
  line: string,
  headers: Headers,
  body?: string,
): Promise<number | undefined> {
  const lines = Object.entries({
    Host: `127.0.0.1:${port}`,
    Connection: 'close',
    ...(body === undefined ? {} : { 'Content-Length': String(body.length) }),
    ...headers,
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  const { received } = await rawExchange(port, `${line} HTTP/1.1\r\n${lines.join('')}\r\n${body ?? ''}`, {
    until: /\r\n\r\n/,
  });
  const code = /^HTTP\/1\.1 (\d+)/.exec(received)?.[1];
  return code === undefined ? undefined : Number(code);
}

const FOREIGN: readonly (readonly [what: string, headers: Headers])[] = [
  ['an image', fetchOf('cross-site', 'no-cors', 'image')],
  ['an image of a page on another port of this machine', fetchOf('same-site', 'no-cors', 'image')],
  ['a script', fetchOf('cross-site', 'no-cors', 'script')],
  ['a frame', fetchOf('cross-site', 'navigate', 'iframe')],
  ['an object', fetchOf('cross-site', 'navigate', 'object')],
  ['fetch without cors', fetchOf('cross-site', 'no-cors', 'empty')],
  ['fetch with cors', { ...fetchOf('cross-site', 'cors', 'empty'), Origin: 'http://evil.example' }],
  ['a page without an origin', { ...fetchOf('cross-site', 'cors', 'empty'), Origin: 'null' }],
  ['an old browser', { Origin: 'http://evil.example' }],
  ['a name bound to this address anew', { Host: 'evil.example', ...fetchOf('same-origin', 'cors', 'empty') }],
];

const PATHS: readonly (readonly [port: keyof TargetPorts, path: string])[] = [
  ['http', '/v2'],
  ['http', '/v2/models/m/stats'],
  ['http', '//'],
  ['http', '/nowhere'],
  ['metrics', '/metrics'],
  ['sagemaker', '/ping'],
  ['sagemaker', '/models'],
  ['openai', '/v1/models'],
  ['openai', '/nowhere'],
  ['ui', '/'],
  ['ui', '//'],
  ['ui', '/upload'],
];

describe.each(FOREIGN)('%s of a foreign page is refused', (_, headers) => {
  test.each(PATHS)('on the port %s: %s', async (port, path) => {
    expect(await status(target.ports[port], `GET ${path}`, headers)).toBe(403);
  });

  test('and so is what changes something', async () => {
    const { http, ui } = target.ports;
    expect(await status(http, 'POST /v2/repository/models/m/unload', headers, '')).toBe(403);
    expect(await status(http, 'POST /v2/models/m/infer', headers, '{}')).toBe(403);
    expect(await status(ui, 'POST /upload', { ...headers, Authorization: `Bearer ${UI_TOKEN}` })).toBe(403);
    const upgrade = {
      ...headers,
      Connection: 'Upgrade',
      Upgrade: 'websocket',
      'Sec-WebSocket-Version': '13',
      'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
    };
    expect(await status(ui, `GET /rpc?token=${UI_TOKEN}`, upgrade)).toBe(403);
  });
});

test('a form of a foreign page is refused, with and without its origin', async () => {
  const form = fetchOf('cross-site', 'navigate', 'document');
  const { http } = target.ports;
  const line = 'POST /v2/repository/models/m/unload';
  expect(await status(http, line, form, '')).toBe(403);
  expect(await status(http, line, { ...form, Origin: 'http://evil.example' }, '')).toBe(403);
  expect(await status(http, 'GET /v2/models/m/ready', {})).toBe(200);
});

test('a link to a page of ours works, and so does the page itself', async () => {
  const { ui, http } = target.ports;
  const page = `GET /?token=${UI_TOKEN}`;
  expect(await status(ui, page, fetchOf('cross-site', 'navigate', 'document'))).toBe(200);
  expect(await status(ui, page, fetchOf('none', 'navigate', 'document'))).toBe(200);
  expect(await status(ui, 'GET /index.html', fetchOf('same-origin', 'no-cors', 'script'))).toBe(200);
  const own = { ...fetchOf('same-origin', 'cors', 'empty'), Origin: `http://127.0.0.1:${ui}` };
  expect(await status(ui, 'GET /index.html', own)).toBe(200);
  expect(await status(http, 'GET /v2', fetchOf('none', 'navigate', 'document'))).toBe(200);
});

test('programs notice nothing', async () => {
  const { http, metrics } = target.ports;
  expect(await status(http, 'GET /v2', { 'User-Agent': 'python' })).toBe(200);
  expect(await status(metrics, 'GET /metrics', { 'User-Agent': 'Prometheus' })).toBe(200);
});

test('the gRPC port makes no call of what a page can send', async () => {
  const { grpc, http } = target.ports;
  const line = 'POST /inference.GRPCInferenceService/RepositoryModelUnload';
  const body = '\0\0\0\0\x05\x12\x03m';
  for (const [, headers] of FOREIGN) {
    expect(await status(grpc, line, { ...headers, 'Content-Type': 'text/plain' }, body)).toBe(undefined);
  }
  expect(await status(http, 'GET /v2/models/m/ready', {})).toBe(200);
});
