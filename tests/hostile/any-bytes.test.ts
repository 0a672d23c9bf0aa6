// Request lines, upgrades and torn connections, on every port: nothing that a client sends ends the server.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { RawSocket, rawExchange } from './raw-socket.ts';
import { Target } from './target.ts';
import { LARGE_FILE, PORTS, UI_TOKEN } from './target-facts.ts';

let target: Target;
beforeAll(async () => {
  target = await Target.start();
});
afterAll(() => target[Symbol.asyncDispose]());

const head = (line: string, ...headers: string[]): string =>
  [`${line} HTTP/1.1`, 'Host: localhost', ...headers, '', ''].join('\r\n');
const UPGRADE = ['Connection: Upgrade', 'Upgrade: websocket'];
const HANDSHAKE = [...UPGRADE, 'Sec-WebSocket-Version: 13', 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=='];

const TARGETS = [
  '//',
  '///',
  '//:',
  '//[',
  '//\\',
  '/\\',
  '/%',
  '/%zz%00',
  '/?',
  '/#',
  '/upload/%ff',
  '/upload?path=%',
  '/rpc?token=%ff',
  '//rpc?token=right',
  'http://x:99999/',
  'http://[::1',
  'http://',
  'https://a@b:1:2/',
  'ws://x:y/rpc',
  '*',
  'x',
  `/${'a'.repeat(20_000)}`,
  '/\u00ff\u0080',
];

describe.each(PORTS)('on the port %s', (name) => {
  test.each(['GET', 'POST', 'HEAD', 'OPTIONS', 'CONNECT', 'DELETE'])(
    '%s of any target is answered or closed',
    async (method) => {
      await Promise.all(
        TARGETS.map(async (path) => {
          await rawExchange(target.ports[name], head(`${method} ${path}`, 'Connection: close'));
        }),
      );
      await target.expectAlive();
    },
  );

  test('an upgrade of any target is answered or closed', async () => {
    for (const headers of [UPGRADE, HANDSHAKE]) {
      await Promise.all(
        TARGETS.map(async (path) => {
          await rawExchange(target.ports[name], head(`GET ${path}`, ...headers), {
            until: /\r\n\r\n/,
            timeoutMs: 1000,
          });
        }),
      );
    }
    await target.expectAlive();
  });

  test('connections torn down at every moment of an upgrade or a request do no harm', async () => {
    const wholes = [
      head('GET /rpc?token=wrong', ...HANDSHAKE),
      head(`GET /rpc?token=${UI_TOKEN}`, ...HANDSHAKE),
      head('GET /nowhere', ...UPGRADE),
      head('CONNECT /v2'),
      head('POST /v2/models/x/infer', 'Content-Length: 10') + 'abc',
      'nonsense\r\n\r\n',
    ];
    for (let round = 0; round < 12; round += 1) {
      await Promise.all(
        wholes.flatMap((whole) =>
          [whole.length, whole.length - 3].map(async (length) => {
            const socket = await RawSocket.connect(target.ports[name]);
            await socket.write(whole.slice(0, length));
            if (round % 3 === 1) await new Promise(setImmediate);
            if (round % 3 === 2) await socket.until(/\r\n/, 20);
            socket.reset();
          }),
        ),
      );
    }
    await target.expectAlive();
  });
});

test('the window port answers a target that names nothing with 400', async () => {
  for (const path of ['//', '//x/y', 'http://x:99999/', '*']) {
    const { received } = await rawExchange(target.ports.ui, head(`GET ${path}`, 'Connection: close'));
    expect([path, received.slice(0, 12)]).toEqual([path, 'HTTP/1.1 400']);
  }
  const { received } = await rawExchange(target.ports.ui, head('GET //', ...HANDSHAKE));
  expect(received).toMatch(/^HTTP\/1\.1 400 /);
});

test('files of the page are closed when the client leaves in the middle', async () => {
  const before = await target.facts();
  for (let round = 0; round < 20; round += 1) {
    const socket = await RawSocket.connect(target.ports.ui);
    await socket.write(head(`GET /${LARGE_FILE}`));
    expect(await socket.until(/\r\n\r\n/)).toMatch(/^HTTP\/1\.1 200 /);
    socket.socket.pause();
    socket[round % 2 === 0 ? 'reset' : Symbol.dispose]();
  }
  await expect.poll(async () => (await target.facts()).descriptors).toBeLessThan(before.descriptors + 5);
});

test('WebSocket frames that break the protocol close their connection only', async () => {
  const frames = [
    Buffer.from([0xff, 0xff, 0xff, 0xff, 0xff]),
    Buffer.from([0x81, 0x05, 0x61]),
    Buffer.from([0x81, 0xff, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0]),
    Buffer.from([0x88, 0x80 | 126, 0, 1]),
    Buffer.from([0x82, 0x81, 0, 0, 0, 0, 1]),
    Buffer.from([0x81, 0x81, 0, 0, 0, 0, 0xff]),
  ];
  for (const frame of frames) {
    using socket = await RawSocket.connect(target.ports.ui);
    await socket.write(head(`GET /rpc?token=${UI_TOKEN}`, ...HANDSHAKE));
    expect(await socket.until(/\r\n\r\n/)).toMatch(/^HTTP\/1\.1 101 /);
    await socket.write(frame);
    await socket.closed(300);
    socket.reset();
  }
  await target.expectAlive();
});
