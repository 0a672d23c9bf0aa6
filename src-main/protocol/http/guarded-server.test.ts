// The listener under all HTTP ports: what becomes of connections that go wrong.

import type { Server } from 'node:http';
import net from 'node:net';
import { afterEach, expect, test } from 'vitest';

import type { GuardedHandlers } from './guarded-server.ts';
import { createGuardedServer } from './guarded-server.ts';
import { boundPort, listenOn } from './listen-port.ts';
import { OriginGuard } from './origin-guard.ts';

let server: Server;
const sockets: net.Socket[] = [];

afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
  server.close();
});

async function start(handlers: Partial<GuardedHandlers>, limits = {}): Promise<void> {
  server = createGuardedServer(
    {
      guard: new OriginGuard({ address: '127.0.0.1', allowedOrigins: [] }),
      onRequest: (_, response) => response.end('ok'),
      onRefused: (_, response, message) => response.writeHead(403).end(message),
      ...handlers,
    },
    limits,
  );
  await listenOn(server, { address: '127.0.0.1', port: 0 });
}

/** Sends and never closes its half; resolves with what came until the server closed its half. */
function stubborn(bytes: string): Promise<string> {
  const socket = net.connect({ port: boundPort(server), host: '127.0.0.1', allowHalfOpen: true });
  sockets.push(socket);
  let received = '';
  socket.on('data', (chunk: Buffer) => (received += chunk.toString()));
  socket.on('error', () => undefined);
  socket.write(bytes);
  return new Promise((resolve) => {
    socket.on('end', () => resolve(received));
    socket.on('close', () => resolve(received));
  });
}

const openCount = (): Promise<number> =>
  new Promise((resolve) => server.getConnections((_, count) => resolve(count)));

test('headers that never end are answered, and their connection is gone for good', async () => {
  await start({}, { headersTimeout: 100, connectionsCheckingInterval: 20 });
  const replies = await Promise.all(
    Array.from({ length: 50 }, (_, i) => stubborn(i % 2 === 0 ? 'GET / HTTP/1.1\r\nX: ' : 'GET')),
  );
  expect(replies).toHaveLength(50);
  for (const reply of replies) expect(reply).toContain('request headers did not arrive in time');
  await expect.poll(openCount).toBe(0);
});

test('refused connections are gone for good, whatever the client does', async () => {
  await start({ onUpgrade: () => undefined });
  const replies = await Promise.all(
    [
      'nonsense\r\n\r\n',
      'GET / HTTP/1.1\r\nConnection: Upgrade\r\nUpgrade: x\r\nHost: evil.example\r\n\r\n',
      'CONNECT / HTTP/1.1\r\nHost: evil.example\r\n\r\n',
    ].map(stubborn),
  );
  for (const reply of replies) expect(reply).toMatch(/^HTTP\/1\.1 40/);
  await expect.poll(openCount).toBe(0);
});

test('what a handler throws ends its connection only', async () => {
  await start({
    onRequest: (request, response) => {
      if (request.url === '/bad') throw new Error('broken handler');
      response.end('ok');
    },
    onUpgrade: () => {
      throw new Error('broken upgrade');
    },
  });
  expect(await stubborn('GET /bad HTTP/1.1\r\n\r\n')).toBe('');
  expect(await stubborn('GET / HTTP/1.1\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n')).toBe('');
  expect(await stubborn('GET / HTTP/1.1\r\nConnection: close\r\n\r\n')).toMatch(/^HTTP\/1\.1 200 /);
});

test('a failure to accept a connection does not end the server', async () => {
  await start({});
  server.emit('error', new Error('accept ENOBUFS'));
  expect(await stubborn('GET / HTTP/1.1\r\nConnection: close\r\n\r\n')).toMatch(/^HTTP\/1\.1 200 /);
});
