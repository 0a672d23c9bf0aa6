// How a connection ends that is too old, silent or pings too often, frame by frame: what its client and its calls are
// told, and what is still taken.

import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { encodeGrpcRequest } from '../../client/grpc-client.ts';
import { EchoService } from '../../testing/echo-service.ts';
import { FakeClock } from '../../testing/fake-clock.ts';
import { RawGrpcClient } from '../../testing/raw-grpc.ts';
import type { GrpcServerOptions } from './grpc-options.ts';
import { defaultGrpcServerOptions } from './grpc-options.ts';
import { GrpcServer } from './grpc-server.ts';

const AGED = { maxConnectionAgeMs: 10_000 };
const ANY = 2 ** 31 - 1;
const REQUEST = encodeGrpcRequest({
  model: 'echo',
  version: '',
  id: '',
  inputs: [{ name: 'INPUT', datatype: 'INT32', shape: [1, 2], bytes: new Uint8Array(8) }],
  outputs: [],
  parameters: new Map(),
});

const clock = new FakeClock();
let service: EchoService;
let server: GrpcServer;
let client: RawGrpcClient | undefined;

beforeEach(() => {
  service = new EchoService();
});
afterEach(async () => {
  client?.close();
  service.answerHeld();
  await server.close();
});

async function connect(options: Partial<GrpcServerOptions>, answersPings = true): Promise<RawGrpcClient> {
  server = new GrpcServer({ service, clock }, { ...defaultGrpcServerOptions, port: 0, ...options });
  const made = new RawGrpcClient(await server.start(), answersPings);
  client = made;
  // The first answer says that the server has the connection.
  made.call(1, 'ServerLive', new Uint8Array());
  await vi.waitFor(() => expect(made.seen).toEqual(['end of 1: ok']));
  made.seen.length = 0;
  return made;
}

/** A request that runs until it is told otherwise. */
async function hold(raw: RawGrpcClient): Promise<void> {
  service.holdsRequests = true;
  raw.call(3, 'ModelInfer', REQUEST);
  await vi.waitFor(() => expect(service.requests).toHaveLength(1));
}

const sees = (raw: RawGrpcClient, ...frames: readonly string[]): Promise<void> =>
  vi.waitFor(() => expect(raw.seen).toEqual(frames));

test('a connection of some age: calls on their way are taken until the client has heard of its end', async () => {
  const raw = await connect(AGED, false);
  await clock.advance(11_001);
  await sees(raw, `goaway ${ANY}`, 'ping');
  raw.call(3, 'ServerLive', new Uint8Array());
  await sees(raw, `goaway ${ANY}`, 'ping', 'end of 3: ok');
  raw.answerPing();
  await sees(raw, `goaway ${ANY}`, 'ping', 'end of 3: ok', 'goaway 3', 'closed');
});

test('a connection of some age stays until its last call has its answer', async () => {
  const raw = await connect(AGED);
  await hold(raw);
  await clock.advance(11_001);
  await sees(raw, `goaway ${ANY}`, 'ping', 'goaway 3');
  service.answerHeld();
  await sees(raw, `goaway ${ANY}`, 'ping', 'goaway 3', 'end of 3: ok', 'closed');
});

test('a client that does not answer is given 20 seconds', async () => {
  const raw = await connect(AGED, false);
  await clock.advance(11_001);
  await sees(raw, `goaway ${ANY}`, 'ping');
  await clock.advance(20_000);
  await sees(raw, `goaway ${ANY}`, 'ping', 'goaway 1', 'closed');
});

test('calls that run beyond the time of grace get a status', async () => {
  const raw = await connect({ ...AGED, maxConnectionAgeGraceMs: 5000 });
  await hold(raw);
  await clock.advance(11_001);
  await sees(raw, `goaway ${ANY}`, 'ping', 'goaway 3');
  await clock.advance(5000);
  await sees(raw, `goaway ${ANY}`, 'ping', 'goaway 3', 'end of 3: enter idle', 'closed');
  await vi.waitFor(() => expect(service.requests[0]?.isCancelled).toBe(true));
});

test('calls of a client that answers no ping get a status', async () => {
  const raw = await connect({ keepaliveTimeMs: 1000, keepaliveTimeoutMs: 500 }, false);
  await hold(raw);
  await clock.advance(1001);
  await sees(raw, 'ping');
  await clock.advance(500);
  await sees(raw, 'ping', 'end of 3: keepalive watchdog timeout', 'closed');
});

test('the ping that is one too many is answered, and calls are told', async () => {
  const raw = await connect({ maxPingStrikes: 1 });
  await hold(raw);
  for (let count = 0; count < 4; count += 1) raw.ping();
  await sees(raw, 'pong', 'pong', 'pong', 'goaway 3 too_many_pings', 'end of 3: Too many pings', 'closed');
});
