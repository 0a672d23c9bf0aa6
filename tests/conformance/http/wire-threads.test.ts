// Threads that read sockets in front of the event loop: what they do not hand on, how they come and go, and that nobody
// but their own connections notices. That answers are the same is compared in own-wire.test.ts. Linux.

import { readdirSync, readFileSync } from 'node:fs';
import http from 'node:http';
import type { Worker } from 'node:worker_threads';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';

import type { InferenceRequest } from '../../../src-main/inference/inference-request.ts';
import { HttpFixture, echoConfig } from '../../../src-main/testing/http-fixture.ts';
import { RawSocket } from '../../hostile/raw-socket.ts';

/** Threads of this process that live, the oldest first. */
const living = new Set<Worker>();
function note(worker: Worker): void {
  living.add(worker);
  worker.once('exit', () => living.delete(worker));
}
beforeAll(() => void process.on('worker', note));
afterAll(() => void process.off('worker', note));

const AT_START = { count: 2, waitForLoad: false };
const UNDER_LOAD = { count: 2, waitForLoad: true };

/** Threads of this process that read sockets. The system shows one for a moment after its end. */
function threadCount(): number {
  const folder = '/proc/self/task';
  return readdirSync(folder).filter(
    (id) => readFileSync(`${folder}/${id}/comm`, 'utf8').trim() === 'http-wire',
  ).length;
}

const request = (model: string, data: string, id: number): string => {
  const count = data.split(',').length;
  const body = `{"id":"${id}","inputs":[{"name":"INPUT0","datatype":"INT32","shape":[${count}],"data":[${data}]}]}`;
  return `POST /v2/models/${model}/infer HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
};

const held: InferenceRequest[] = [];
const models = [
  { config: echoConfig('one', ['TYPE_INT32']) },
  {
    config: echoConfig('held', ['TYPE_INT32']),
    respond: (given: InferenceRequest) => void held.push(given),
  },
];

function answerHeld(): void {
  for (const one of held.splice(0)) {
    void one.respondOutputs([], true);
    one.release();
  }
}

describe.runIf(process.platform === 'linux')('threads in front of the event loop', () => {
  test('bodies and answers of every size are those that were sent', async () => {
    await using fixture = await HttpFixture.start({ models, wireThreads: AT_START, maxInputByteSize: 8e6 });
    // A record, a message, and what the loop reads itself: the limits are 64 KiB and 1 MiB.
    for (const count of [1, 1000, 5000, 30_000, 40_000, 200_000, 600_000, 2]) {
      const data = Array.from({ length: count }, (_, index) => index % 90);
      const input = { name: 'INPUT0', datatype: 'INT32', shape: [count], data };
      const { status, text } = await fixture.infer('one', { inputs: [input] });
      expect([status, text.includes(`"shape":[${count}],"data":[${data.join(',')}]`)]).toEqual([200, true]);
    }
    expect(fixture.service.openUses).toBe(0);
  });

  test('binary tensors, in packets of any size', async () => {
    await using fixture = await HttpFixture.start({ models, wireThreads: AT_START });
    for (const count of [3, 4000, 100_000]) {
      const values = Buffer.from(Int32Array.from({ length: count }, (_, index) => index * 3).buffer);
      const json = `{"inputs":[{"name":"INPUT0","datatype":"INT32","shape":[${count}],"parameters":{"binary_data_size":${values.length}}}],"parameters":{"binary_data_output":true}}`;
      const reply = await fixture.call({
        path: '/v2/models/one/infer',
        headers: { 'Inference-Header-Content-Length': String(json.length) },
        body: Buffer.concat([Buffer.from(json), values]),
      });
      const jsonLength = Number(reply.headers['inference-header-content-length']);
      expect(reply.body.subarray(jsonLength).equals(values)).toBe(true);
    }
  });

  test('the port is nobody else’s, and is free again afterwards', async () => {
    const fixture = await HttpFixture.start({ models, wireThreads: AT_START });
    const { port } = fixture.server;
    const taken = `Socket '127.0.0.1:${port}' already in use`;
    for (const wireThreads of [AT_START, UNDER_LOAD, { count: 0, waitForLoad: false }]) {
      await expect(HttpFixture.start({ port, wireThreads })).rejects.toThrow(taken);
    }
    expect(threadCount()).toBe(2);
    await fixture.close();
    await expect.poll(threadCount).toBe(0);
    await using again = await HttpFixture.start({ models, port, wireThreads: AT_START });
    expect(again.server.port).toBe(port);
  });

  test('a thread that dies takes its own connections with it, and another one comes', async () => {
    living.clear();
    await using fixture = await HttpFixture.start({ models, wireThreads: AT_START });
    const [doomed] = living;
    const sockets = await Promise.all(
      Array.from({ length: 24 }, () => RawSocket.connect(fixture.server.port)),
    );
    held.length = 0;
    for (const [index, socket] of sockets.entries()) await socket.write(request('held', '1', index));
    await vi.waitFor(() => expect(held).toHaveLength(24));
    await doomed?.terminate();
    await vi.waitFor(() => expect(held.some(({ isCancelled }) => isCancelled)).toBe(true));
    const lostCount = held.filter(({ isCancelled }) => isCancelled).length;
    expect(lostCount).toBeLessThan(24);
    answerHeld();
    const going = await vi.waitFor(async () => {
      const answered = sockets.filter(({ received }) => received.includes('HTTP/1.1 200'));
      expect(answered).toHaveLength(24 - lostCount);
      return answered;
    });
    // The others go on on the connections that they have.
    for (const socket of going) {
      await socket.write(request('one', '7', 77));
      await socket.until(/"id":"77"/);
    }
    for (const socket of sockets) socket[Symbol.dispose]();
    await vi.waitFor(() => expect(threadCount()).toBe(2));
    for (let turn = 0; turn < 20; turn += 1) {
      const reply = await fixture.infer('one', { inputs: [] }).catch((thrown: unknown) => String(thrown));
      expect(reply).toMatchObject({ status: expect.any(Number) as number });
    }
    expect(fixture.service.openUses).toBe(0);
  });

  test('under load they come beside the loop, and clients come anew', async () => {
    await using fixture = await HttpFixture.start({ models, wireThreads: UNDER_LOAD });
    const { port } = fixture.server;
    const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
    const send = async (model = 'one'): Promise<string | undefined> => {
      const path = `/v2/models/${model}/infer`;
      const body = '{"inputs":[{"name":"INPUT0","datatype":"INT32","shape":[1],"data":[1]}]}';
      const response = await new Promise<http.IncomingMessage>((resolve, reject) => {
        http
          .request({ port, host: '127.0.0.1', method: 'POST', path, agent }, resolve)
          .on('error', reject)
          .end(body);
      });
      expect(response.statusCode).toBe(200);
      for await (const chunk of response) void chunk;
      return response.headers.connection;
    };
    expect([await send(), await send()]).toEqual(['keep-alive', 'keep-alive']);
    expect(threadCount()).toBe(0);
    held.length = 0;
    const waiting = send('held');
    await vi.waitFor(() => expect(held).toHaveLength(1));
    await fixture.server.bringThreads();
    await fixture.server.bringThreads();
    expect([threadCount(), fixture.server.port]).toEqual([2, port]);
    answerHeld();
    // Once, and no more.
    expect([await waiting, await send(), await send()]).toEqual(['close', 'keep-alive', 'keep-alive']);
    const sockets = await Promise.all(Array.from({ length: 40 }, () => RawSocket.connect(port)));
    for (const [index, socket] of sockets.entries()) {
      await socket.write(request('one', '1', index));
      await socket.until(new RegExp(`"id":"${index}"`));
    }
    expect(fixture.server.connectionCount).toBe(41);
    for (const socket of sockets) socket[Symbol.dispose]();
    agent.destroy();
  });

  test('threads that are not wanted never come', async () => {
    await using fixture = await HttpFixture.start({ models, wireThreads: { count: 0, waitForLoad: true } });
    await fixture.server.bringThreads();
    expect(threadCount()).toBe(0);
  });

  test('a server that closes ends what it has, by all ways', async () => {
    for (const wireThreads of [AT_START, UNDER_LOAD]) {
      const fixture = await HttpFixture.start({ models, wireThreads });
      await fixture.server.bringThreads();
      const sockets = await Promise.all(
        Array.from({ length: 12 }, () => RawSocket.connect(fixture.server.port)),
      );
      held.length = 0;
      for (const [index, socket] of sockets.entries()) {
        if (index % 3 === 0) {
          await socket.write('GET /v2/health/live HTTP/1.1\r\nHost: localhost\r\n\r\n');
          await socket.until(/\r\n\r\n/);
        }
        if (index % 3 === 1) await socket.write(request('held', '1', index));
      }
      await vi.waitFor(() => expect(held).toHaveLength(4));
      expect(fixture.server.connectionCount).toBe(12);
      const closed = fixture.server.close();
      await expect
        .poll(() => RawSocket.connect(fixture.server.port).then(() => 'open', String))
        .toContain('ECONNREFUSED');
      // Who waits for an answer gets it, as the last one.
      answerHeld();
      await closed;
      for (const [index, socket] of sockets.entries()) {
        await socket.closed();
        const last = /HTTP\/1\.1 200[^]*\r\nConnection: close/.test(socket.received);
        expect(last).toBe(index % 3 === 1);
      }
      expect([fixture.server.connectionCount, fixture.service.openUses]).toEqual([0, 0]);
      await expect.poll(threadCount).toBe(0);
      await fixture.close();
    }
  });

  test('a server that has stopped accepting closes when the last connection has its answer', async () => {
    for (const [round, wireThreads] of [AT_START, UNDER_LOAD, UNDER_LOAD, UNDER_LOAD, UNDER_LOAD].entries()) {
      const fixture = await HttpFixture.start({ models, wireThreads });
      await fixture.server.bringThreads();
      // Which of those who listen has the last one is left to the system. Clients that never close their half are waited
      // for, so they are those of the first two rounds alone.
      const clients = { allowHalfOpen: round < 2 };
      const sockets = await Promise.all(
        Array.from({ length: 6 }, () => RawSocket.connect(fixture.server.port, clients)),
      );
      held.length = 0;
      for (const [index, socket] of sockets.entries()) await socket.write(request('held', '1', index));
      await vi.waitFor(() => expect(held).toHaveLength(6));
      const [last, ...others] = held.splice(0);
      fixture.server.stopAccepting();
      held.push(...others);
      answerHeld();
      await expect.poll(() => fixture.server.connectionCount).toBe(1);
      const closed = fixture.server.close();
      const first = await Promise.race([closed.then(() => 'closed'), pause(100).then(() => 'waits')]);
      held.push(last as InferenceRequest);
      answerHeld();
      await closed;
      expect(first).toBe('waits');
      for (const socket of sockets) {
        await socket.closed();
        expect(socket.received).toContain('HTTP/1.1 200');
      }
      expect(fixture.server.connectionCount).toBe(0);
      await expect.poll(threadCount).toBe(0);
      await fixture.close();
    }
  });
});
