// Closing the listeners while a request is still arriving, and the book of clients, over real sockets.

import { once } from 'node:events';
import net from 'node:net';

import { afterAll, beforeAll, expect, test } from 'vitest';

import type { ControlWorld } from './testing/control-world.ts';
import { playgroundRequest, startControlWorld, typedInput } from './testing/control-world.ts';

let world: ControlWorld;

beforeAll(async () => {
  world = await startControlWorld(['simple']);
}, 60_000);

afterAll(async () => {
  await world[Symbol.asyncDispose]();
});

test('clients are listed by protocol and user agent with their errors', async () => {
  const { engine, httpAddress, client } = world;
  const headers = { 'user-agent': 'listener-test/1' };
  await fetch(`http://${httpAddress}/v2`, { headers });
  await fetch(`http://${httpAddress}/v2/models/nobody`, { headers });
  const numbers = Array.from({ length: 16 }, (_, index) => index);
  const inputs = ['INPUT0', 'INPUT1'].map((name) => typedInput(name, 'INT32', [1, 16], numbers));
  await client.call('playground/send', playgroundRequest('simple', inputs, { protocol: 'grpc' }));
  await client.call(
    'playground/send',
    playgroundRequest('simple', inputs, { protocol: 'grpc', version: '9' }),
  );
  const listed = engine.clients.map((entry) => [entry.protocol, entry.requestCount, entry.errorCount]);
  expect(engine.clients.find(({ userAgent }) => userAgent === 'listener-test/1')).toMatchObject({
    protocol: 'HTTP',
    requestCount: 2,
    errorCount: 1,
  });
  expect(listed).toContainEqual(['gRPC', 2, 1]);
});

test('a stop that waits for a request can be cut short, and the listeners open again', async () => {
  const { engine } = world;
  const { http: port = 0 } = engine.ports;
  const socket = net.connect(port, '127.0.0.1');
  await once(socket, 'connect');
  socket.write('POST /v2/models/simple/infer HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{');
  const answered = await fetch(`http://127.0.0.1:${port}/v2/health/live`);
  expect(answered.status).toBe(200);
  const stopNow = new AbortController();
  let isClosed = false;
  const closed = engine.closeListeners(stopNow.signal).then(() => {
    isClosed = true;
  });
  const connects = (): Promise<string> =>
    new Promise((resolve) => {
      const other = net.connect(port, '127.0.0.1', () => {
        other.destroy();
        resolve('connected');
      });
      other.once('error', (error) => resolve(error.message));
    });
  await expect.poll(connects).toContain('ECONNREFUSED');
  expect(isClosed).toBe(false);
  const ended = once(socket, 'close');
  stopNow.abort();
  await closed;
  await ended;
  expect(engine.ports.http).toBeUndefined();
  const again = await engine.openListeners();
  expect((await fetch(`http://127.0.0.1:${again.http}/v2/health/live`)).status).toBe(200);
});
