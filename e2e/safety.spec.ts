// What a web page of somebody else, or a name that was bound to this machine, must not reach. Over real sockets.

import http from 'node:http';
import { randomUUID } from 'node:crypto';

import { expect, test } from './harness/app-test.ts';
import type { ServedApp } from './harness/serve-app.ts';
import { serveApp } from './harness/serve-app.ts';

interface Ask {
  readonly path: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Status of a request whose path and headers are sent exactly as given. */
function ask(base: string, { path, method = 'GET', headers = {} }: Ask): Promise<number> {
  const { hostname, port } = new URL(base);
  return new Promise((resolve, reject) => {
    const request = http.request({ hostname, port, path, method, headers }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    request.on('upgrade', (_response, socket) => {
      socket.destroy();
      resolve(101);
    });
    request.on('error', reject);
    request.end();
  });
}

const UPGRADE = {
  connection: 'Upgrade',
  upgrade: 'websocket',
  'sec-websocket-version': '13',
  'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
};
const FOREIGN = [
  ['a foreign origin', { origin: 'https://evil.example' }],
  ['the origin null', { origin: 'null' }],
  ['a name that was bound to this machine', { host: 'evil.example' }],
] as const;

let served: ServedApp;
test.beforeAll(async ({ browserName: _browserName }, info) => {
  if (info.project.name === 'browser') served = await serveApp({ samples: ['simple'] });
});
test.afterAll(async ({ browserName: _browserName }, info) => {
  if (info.project.name === 'browser') await served[Symbol.asyncDispose]();
});
test.beforeEach(({ browserName: _browserName }, info) => {
  test.skip(info.project.name !== 'browser', 'the window of the desktop app has no port');
});

for (const [name, headers] of FOREIGN) {
  test(`${name} is refused on every port`, async () => {
    const { addresses } = served;
    const token = new URL(addresses.window).searchParams.get('token') ?? '';
    const refused = [
      await ask(addresses.http, { path: '/v2', headers }),
      await ask(addresses.http, { path: '/v2/repository/models/simple/unload', method: 'POST', headers }),
      await ask(addresses.metrics, { path: '/metrics', headers }),
      await ask(addresses.window, { path: '/', headers }),
      await ask(addresses.window, { path: `/rpc?token=${token}`, headers: { ...UPGRADE, ...headers } }),
    ];
    expect(refused).toEqual([403, 403, 403, 403, 403]);
  });
}

test('the same requests without those headers are answered', async () => {
  const { addresses } = served;
  const token = new URL(addresses.window).searchParams.get('token') ?? '';
  expect([
    await ask(addresses.http, { path: '/v2' }),
    await ask(addresses.metrics, { path: '/metrics' }),
    await ask(addresses.window, { path: '/' }),
    await ask(addresses.window, { path: `/rpc?token=${token}`, headers: UPGRADE }),
  ]).toEqual([200, 200, 200, 101]);
});

test('without the token there is neither contract nor upload', async () => {
  const { window } = served.addresses;
  for (const query of ['', '?token=', '?token=wrong']) {
    expect(await ask(window, { path: `/rpc${query}`, headers: UPGRADE })).toBe(401);
  }
  expect(await ask(window, { path: '/upload', method: 'POST' })).toBe(401);
  const headers = { authorization: 'Bearer wrong' };
  expect(await ask(window, { path: '/upload', method: 'POST', headers })).toBe(401);
});

test('no path leads out of the files of the window', async () => {
  const { window } = served.addresses;
  for (const path of [
    '/../../package.json',
    '/assets/../../../package.json',
    '/%2e%2e/%2e%2e/package.json',
    '/..%2f..%2fpackage.json',
    '//etc/passwd',
    '/assets/..%5c..%5cpackage.json',
  ]) {
    // 400 where the address itself is refused, 404 where there is nothing.
    expect([400, 404], path).toContain(await ask(window, { path }));
  }
});

test('no path leads out of the folder of an upload', async () => {
  const { window } = served.addresses;
  const token = new URL(window).searchParams.get('token') ?? '';
  const headers = { authorization: `Bearer ${token}`, 'upload-offset': '0' };
  const answer = await fetch(new URL('/upload', window), { method: 'POST', headers });
  const { upload } = (await answer.json()) as { upload: string };
  for (const file of ['../x', 'a/../../x', '/etc/x', '..%2fx', 'a%5c..%5c..%5cx', '%2e%2e/x', 'a%00b']) {
    const path = `/upload/${upload}?path=${file}`;
    expect([file, await ask(window, { path, method: 'PATCH', headers })]).toEqual([file, 409]);
  }
  const unknown = `/upload/${randomUUID()}x?path=a`;
  expect(await ask(window, { path: unknown, method: 'PATCH', headers })).toBe(404);
});
