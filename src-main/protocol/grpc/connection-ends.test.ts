// How a connection ends that is too old, silent or pings too often, frame by frame: what its client and its calls are
// told, and what is still taken.

import net from 'node:net';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { encodeGrpcRequest } from '../../client/grpc-client.ts';
import { FLAG, FRAME, PREFACE } from '../../http2/codes.ts';
import { frame, settingsFrame } from '../../http2/frame-writer.ts';
import { encodeHeaderBlock } from '../../http2/header-block.ts';
import { EchoService } from '../../testing/echo-service.ts';
import { FakeClock } from '../../testing/fake-clock.ts';
import { grpcFrame } from '../../testing/plain-grpc.ts';
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

/** Frames of the server as words; SETTINGS and window updates are left out. */
class RawClient {
  readonly seen: string[] = [];
  readonly #socket: net.Socket;
  readonly #answersPings: boolean;
  #rest = Buffer.alloc(0);
  #lastPing: Buffer | undefined;

  constructor(port: number, answersPings = true) {
    this.#answersPings = answersPings;
    this.#socket = net.connect(port, '127.0.0.1');
    this.#socket.on('data', (chunk) => this.#read(chunk));
    this.#socket.on('error', () => undefined);
    this.#socket.on('close', () => this.seen.push('closed'));
    this.send(PREFACE, settingsFrame([]));
  }

  send(...frames: readonly Uint8Array[]): void {
    for (const one of frames) this.#socket.write(one);
  }

  ping(): void {
    this.send(frame(FRAME.ping, 0, 0, Buffer.alloc(8)));
  }

  answerPing(): void {
    this.send(frame(FRAME.ping, FLAG.ack, 0, this.#lastPing ?? Buffer.alloc(8)));
  }

  call(stream: number, rpc: string, message: Uint8Array): void {
    const head = [':method', 'POST', ':scheme', 'http', ':authority', 'localhost', 'te', 'trailers'];
    const path = [':path', `/inference.GRPCInferenceService/${rpc}`, 'content-type', 'application/grpc'];
    // Pseudo fields come first.
    const block = encodeHeaderBlock([
      ...head.slice(0, 6),
      ...path.slice(0, 2),
      ...head.slice(6),
      ...path.slice(2),
    ]);
    this.send(
      frame(FRAME.headers, FLAG.endHeaders, stream, block),
      frame(FRAME.data, FLAG.endStream, stream, grpcFrame(message)),
    );
  }

  close(): void {
    this.#socket.destroy();
  }

  #read(chunk: Buffer): void {
    this.#rest = Buffer.concat([this.#rest, chunk]);
    while (this.#rest.length >= 9) {
      const end = 9 + this.#rest.readUIntBE(0, 3);
      if (this.#rest.length < end) return;
      const [type, flags] = [this.#rest[3] ?? 0, this.#rest[4] ?? 0];
      this.#take(type, flags, this.#rest.readUInt32BE(5), this.#rest.subarray(9, end));
      this.#rest = this.#rest.subarray(end);
    }
  }

  #take(type: number, flags: number, stream: number, payload: Buffer): void {
    const isLast = (flags & FLAG.endStream) !== 0;
    if (type === FRAME.goaway)
      this.seen.push(`goaway ${payload.readUInt32BE(0)} ${payload.toString('latin1', 8)}`.trim());
    if (type === FRAME.headers && isLast) {
      const text = /grpc-message.(.*)/s.exec(payload.toString('latin1'))?.[1] ?? 'ok';
      this.seen.push(`end of ${stream}: ${text}`);
    }
    if (type !== FRAME.ping) return;
    if ((flags & FLAG.ack) !== 0) this.seen.push('pong');
    else {
      this.seen.push('ping');
      this.#lastPing = Buffer.from(payload);
      if (this.#answersPings) this.answerPing();
    }
  }
}

const clock = new FakeClock();
let service: EchoService;
let server: GrpcServer;
let client: RawClient | undefined;

beforeEach(() => {
  service = new EchoService();
});
afterEach(async () => {
  client?.close();
  service.answerHeld();
  await server.close();
});

async function connect(options: Partial<GrpcServerOptions>, answersPings = true): Promise<RawClient> {
  server = new GrpcServer({ service, clock }, { ...defaultGrpcServerOptions, port: 0, ...options });
  const made = new RawClient(await server.start(), answersPings);
  client = made;
  // The first answer says that the server has the connection.
  made.call(1, 'ServerLive', new Uint8Array());
  await vi.waitFor(() => expect(made.seen).toEqual(['end of 1: ok']));
  made.seen.length = 0;
  return made;
}

/** A request that runs until it is told otherwise. */
async function hold(raw: RawClient): Promise<void> {
  service.holdsRequests = true;
  raw.call(3, 'ModelInfer', REQUEST);
  await vi.waitFor(() => expect(service.requests).toHaveLength(1));
}

const sees = (raw: RawClient, ...frames: readonly string[]): Promise<void> =>
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
