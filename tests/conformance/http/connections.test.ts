// Connections: slow clients, clients that leave, a server that drains, a port that is taken.

import http from 'node:http';
import net from 'node:net';
import { describe, expect, test } from 'vitest';
import { FakeClock } from '../../../src-main/testing/fake-clock.ts';
import { HttpFixture, echoConfig } from '../../../src-main/testing/http-fixture.ts';
import { wireCall, wireRaw } from '../../../src-main/testing/wire-http.ts';
import type { InferenceRequest } from '../../../src-main/inference/inference-request.ts';
import { BODY, MODELS, PATH, echoServer } from './echo-server.ts';

const fixture = await echoServer();

describe('slow and leaving clients', () => {
  test('cuts off a body that stops arriving, and keeps one that moves', async () => {
    const clock = new FakeClock();
    await using slow = await HttpFixture.start({ models: MODELS, clock });
    const head = `POST ${PATH} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\n\r\n`;
    const arrives = (): Promise<void> =>
      new Promise((resolve) => {
        const poll = (): void => void (slow.server.readingCount === 2 ? resolve() : setImmediate(poll));
        poll();
      });
    const stalled = wireRaw(slow.server.port, `${head}{`);
    const moving = wireRaw(slow.server.port, head + 'x'.repeat(900_000), /./);
    await arrives();
    await clock.advance(70_000);
    expect(await stalled).toMatch(/^HTTP\/1\.1 400 [\s\S]*request body arrives too slowly/);
    expect(slow.server.readingCount).toBe(1);
    await slow.close();
    expect(await moving.catch(() => 'cut')).not.toContain('too slowly');
  });

  test('cancels a request whose client goes away', async () => {
    let held: InferenceRequest | undefined;
    const cancelled = new Promise<void>((resolve) => {
      void HttpFixture.start({
        models: [
          {
            config: echoConfig('m', ['TYPE_INT32']),
            respond: (request) => {
              held = request;
              request.onCancel(resolve);
              socket?.destroy();
            },
          },
        ],
      }).then((started) => {
        slow = started;
        socket = net.connect(started.server.port, '127.0.0.1');
        socket.write(
          `POST ${PATH} HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${BODY.length}\r\n\r\n${BODY}`,
        );
      });
    });
    let socket: net.Socket | undefined;
    let slow: HttpFixture | undefined;
    await cancelled;
    expect(held?.isCancelled).toBe(true);
    void held?.respondOutputs([], true);
    expect(slow?.service.openUses).toBe(0);
    await slow?.close();
  });

  test('drains: open requests finish, their connections close, new ones are refused', async () => {
    let held: InferenceRequest | undefined;
    let arrived: () => void = () => undefined;
    const waiting = new Promise<void>((resolve) => (arrived = resolve));
    const draining = await HttpFixture.start({
      models: [
        {
          config: echoConfig('m', ['TYPE_INT32']),
          respond: (request) => {
            held = request;
            arrived();
          },
        },
      ],
    });
    const { port } = draining.server;
    const agent = new http.Agent({ keepAlive: true });
    const reply = new Promise<http.IncomingMessage>((resolve, reject) => {
      http
        .request({ port, host: '127.0.0.1', method: 'POST', path: PATH, agent }, resolve)
        .on('error', reject)
        .end(BODY);
    });
    await waiting;
    const closed = draining.server.close();
    // Whoever connects before the listener is gone is still answered.
    const call = (): Promise<unknown> => wireCall(port, { path: '/v2' }).then(() => 'answered', String);
    await expect.poll(call).toContain('ECONNREFUSED');
    expect(draining.server.connectionCount).toBe(1);
    void held?.respondOutputs([], true);
    const response = await reply;
    response.resume();
    expect([response.statusCode, response.headers.connection]).toEqual([200, 'close']);
    await closed;
    expect(draining.server.connectionCount).toBe(0);
    agent.destroy();
    await draining.close();
  });

  test('says when the port is taken', async () => {
    const { port } = fixture.server;
    await expect(HttpFixture.start({ port })).rejects.toThrow(`Socket '127.0.0.1:${port}' already in use`);
  });
});
