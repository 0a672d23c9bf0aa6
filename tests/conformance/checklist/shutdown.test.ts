// Checklist: shutdown. New connections and calls are refused at the socket, what was accepted finishes, and the log
// says once a second what is still there.

import { once } from 'node:events';
import http from 'node:http';
import net from 'node:net';
import { afterEach, beforeEach, expect } from 'vitest';

import { addLogSink } from '../../../src-main/base/log.ts';
import type { InferenceRequest } from '../../../src-main/inference/inference-request.ts';
import { copyInputs, FakeBackend } from '../../../src-main/testing/fake-backend.ts';
import { checklist } from './checklist.ts';
import { echo } from './checklist-models.ts';
import { ChecklistServer } from './checklist-server.ts';
import { GrpcCaller, int32Request } from './grpc-caller.ts';

const BODY = JSON.stringify({ inputs: [{ name: 'INPUT0', datatype: 'INT32', shape: [1], data: [7] }] });

/** More than any machine needs to finish what these tests begin. */
const BUDGET_SEC = 60;

let backend: FakeBackend;
let server: ChecklistServer;
let held: InferenceRequest[];
let arrived: () => void;
let logged: string[];
let stopLogging: () => void;

beforeEach(async () => {
  held = [];
  arrived = () => undefined;
  logged = [];
  backend = new FakeBackend();
  backend.scripts.set('held', {
    execute: (payload) => {
      held.push(...payload.requests);
      arrived();
      return Promise.resolve();
    },
  });
  server = await serve(BUDGET_SEC);
  stopLogging = addLogSink(({ message }) => logged.push(message));
});

afterEach(async () => {
  stopLogging();
  await server.close();
});

function serve(exitTimeoutSec: number): Promise<ChecklistServer> {
  const files = { ...echo('held', 'INT32', [1], { backend: 'fake' }), ...echo('m', 'INT32', [1]) };
  return ChecklistServer.start(files, { server: { exitTimeoutSec } }, { backends: [backend] });
}

async function holding(count: number): Promise<void> {
  while (held.length < count) await new Promise<void>((resolve) => (arrived = resolve));
}

function answerHeld(): void {
  for (const request of held.splice(0)) {
    void request.respondOutputs(copyInputs(request), true);
    request.release();
  }
}

async function isRefused(port: number): Promise<boolean> {
  const socket = net.connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return false;
  } catch (thrown) {
    return (thrown as NodeJS.ErrnoException).code === 'ECONNREFUSED';
  } finally {
    socket.destroy();
  }
}

/** Resolves once the port refuses. */
async function becomesRefused(port: number): Promise<void> {
  await expect.poll(() => isRefused(port)).toBe(true);
}

function post(model: string, agent?: http.Agent): Promise<http.IncomingMessage> {
  return new Promise((resolve, reject) => {
    const path = `/v2/models/${model}/infer`;
    http
      .request({ port: server.httpPort, host: '127.0.0.1', method: 'POST', path, agent }, (reply) => {
        reply.resume();
        reply.on('end', () => resolve(reply));
      })
      .on('error', reject)
      .end(BODY);
  });
}

checklist('Shutdown', {
  'running calls finish, new connections are refused on both ports': async () => {
    const { http: httpPort = 0, grpc: grpcPort = 0, metrics: metricsPort = 0 } = server.engine.ports;
    const call = server.grpc.call('ModelInfer', int32Request('held', [7]));
    const reply = post('held');
    await holding(2);
    const closed = server.engine.close();
    await becomesRefused(grpcPort);
    await becomesRefused(httpPort);
    expect(await isRefused(metricsPort)).toBe(false);
    const late = new GrpcCaller(`127.0.0.1:${grpcPort}`);
    const refused = await Promise.all([late, server.grpc].map((caller) => caller.call('ServerLive', {})));
    expect(refused.map(({ code }) => code)).toEqual([14, 14]);
    late.close();
    answerHeld();
    expect((await call).code).toBe(0);
    expect((await reply).statusCode).toBe(200);
    expect(await closed).toEqual({ isClean: true });
  },
  'requests on a stream that was open are refused by message, its running ones finish': async () => {
    const stream = server.grpc.stream();
    stream.send(int32Request('held', [1]));
    await holding(1);
    const closed = server.engine.close();
    stream.send(int32Request('m', [2]));
    await new Promise((resolve) => setTimeout(resolve, 50));
    answerHeld();
    await stream.received(2);
    expect(stream.messages[0]?.error_message).toBe('');
    expect(stream.messages[1]?.error_message).toBe(
      'GRPC server is shutting down and has stopped accepting new requests.',
    );
    stream.end();
    expect((await stream.status).code).toBe(0);
    expect(await closed).toEqual({ isClean: true });
  },
  'the log counts connections and handlers once a second, then models': async () => {
    const stream = server.grpc.stream();
    stream.send(int32Request('held', [1]));
    const call = server.grpc.call('ModelInfer', int32Request('held', [2]));
    const reply = post('held');
    await holding(3);
    const closed = server.engine.close();
    const counts = (): readonly string[] => logged.filter((line) => /Found \d+ (HTTP|GRPC)/.test(line));
    await expect.poll(counts).toHaveLength(4);
    answerHeld();
    await stream.received(1);
    stream.end();
    await Promise.all([call, reply, closed]);
    const [first, second] = [0, 2].map((at) => Number(/\d+/.exec(counts()[at] ?? '')?.[0]));
    expect(first).toBe(BUDGET_SEC);
    // The one after it, unless this machine had no time for it.
    expect(second).toBeLessThan(BUDGET_SEC);
    expect(counts().slice(0, 4)).toEqual(
      [first, second].flatMap((seconds) => [
        `Timeout ${seconds}: Found 1 HTTP service connections`,
        `Timeout ${seconds}: Found 3 GRPC service connections and inference handlers`,
      ]),
    );
    const all = logged.filter((line) => /^(Timeout|Waiting|All models)/.test(line));
    const models = all.slice(counts().length);
    expect(models.slice(0, 4)).toEqual([
      'Waiting for in-flight requests to complete.',
      expect.stringMatching(/^Timeout \d+: Found 0 model versions that have in-flight inferences$/),
      'All models are stopped, unloading models',
      expect.stringMatching(/^Timeout \d+: Found 2 live models and 0 in-flight non-inference requests$/),
    ]);
    expect(models.slice(4).at(-1)).toMatch(
      /^Timeout \d+: Found 0 live models and 0 in-flight non-inference requests$/,
    );
  },
  'a connection that was busy may ask once more, one that was quiet is closed': async () => {
    const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
    expect((await post('m', agent)).statusCode).toBe(200);
    const reply = post('held');
    await holding(1);
    const closed = server.engine.close();
    const more = await post('m', agent);
    expect([more.statusCode, more.headers.connection]).toEqual([200, 'close']);
    answerHeld();
    expect((await reply).headers.connection).toBe('close');
    expect(await closed).toEqual({ isClean: true });
    agent.destroy();
  },
  'a client that stays connected without a request holds nothing up': async () => {
    const socket = net.connect(server.httpPort, '127.0.0.1');
    await once(socket, 'connect');
    expect(await server.engine.close()).toEqual({ isClean: true });
    socket.destroy();
  },
  'an open stream uses the budget up, and the server still ends cleanly': async () => {
    await using hasty = await serve(2);
    const stream = hasty.grpc.stream();
    stream.send(int32Request('m', [1]));
    await stream.received(1);
    expect(await hasty.engine.close()).toEqual({ isClean: true });
    expect((await stream.status).code).not.toBe(0);
    expect(logged).toContain('Timeout 2: Found 1 GRPC service connections and inference handlers');
  },
});
