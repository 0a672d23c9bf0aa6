import { once } from 'node:events';
import http from 'node:http';
import net from 'node:net';
import { expect, test } from 'vitest';

import { listenOn } from './listen-port.ts';
import type { DrainSteps } from './open-connections.ts';
import { OpenConnections } from './open-connections.ts';

/** What was written before has come, and this loop has read it where anybody reads: something written later has. */
async function everythingRead(): Promise<void> {
  const echo = net.createServer((socket) => socket.pipe(socket));
  const client = net.connect(await listenOn(echo, { address: '127.0.0.1', port: 0 }), '127.0.0.1');
  client.write('x');
  await once(client, 'data');
  client.destroy();
  echo.close();
}

test('a listener closes without reading on: what comes meanwhile is answered once all have closed', async () => {
  const server = http.createServer((_req, res) => void res.end('done'));
  const connections = new OpenConnections(server);
  const port = await listenOn(server, { address: '127.0.0.1', port: 0 });
  const client = net.connect(port, '127.0.0.1');
  await once(client, 'connect');
  let answer = '';
  client.on('data', (chunk: Buffer) => (answer += chunk.toString()));

  const steps = await new Promise<DrainSteps>((resolve) => connections.drain(resolve));
  // It comes in time: nobody has said that the listener closes.
  const late = net.connect(port, '127.0.0.1');
  await steps.closeListener();
  client.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  const refused = net.connect(port, '127.0.0.1');
  const [reason] = (await once(refused, 'error')) as [NodeJS.ErrnoException];
  expect(reason.code).toBe('ECONNREFUSED');
  await everythingRead();
  expect([answer, connections.isDraining, connections.count]).toEqual(['', false, 2]);

  steps.readOn();
  expect(connections.isDraining).toBe(true);
  late.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  const [chunk] = (await once(late, 'data')) as [Buffer];
  expect(chunk.toString()).toContain('200 OK');
  if (!answer.includes('done')) await once(client, 'data');
  expect(answer).toContain('done');
  // Idle connections end by themselves.
  await once(server, 'close');
  await expect.poll(() => connections.count).toBe(0);
});
