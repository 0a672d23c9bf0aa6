// HTTP/2 by the frame on the gRPC port: right frames in wrong order, on wrong streams, with wrong lengths, flags and
// contents, compressed headers of random bytes; and bent messages of every rpc.

import net from 'node:net';

import { Client, credentials } from '@grpc/grpc-js';

import { serviceMethods } from '../../../src-main/grpc-wire/messages.ts';
import type { Random } from '../../../src-main/testing/http-fuzz.ts';
import { bendMessage, FUZZ_STATUSES, fuzzSeeds, rawCall } from '../../../src-main/testing/grpc-fuzz.ts';
import { int32Request } from '../../../tests/conformance/checklist/grpc-caller.ts';
import {
  callHeaders,
  FLAG,
  FRAME,
  frame,
  grpcMessage,
  headerBlock,
  PREFACE,
} from '../../../tests/hostile/http2-frames.ts';
import { attackClass } from '../attack-class.ts';

const TYPES = Object.values(FRAME);
const RPCS = ['ServerLive', 'ModelInfer', 'ModelStreamInfer', 'ModelStatistics', 'NoSuchCall'];
const STRANGE_HEADERS: readonly (readonly [string, string])[] = [
  ['grpc-timeout', '99999999S'],
  ['grpc-timeout', '1n'],
  ['grpc-timeout', '-1S'],
  ['grpc-encoding', 'gzip'],
  ['grpc-encoding', 'nothing'],
  ['content-length', '5'],
  ['content-type', 'text/plain'],
  [':path', '//'],
  [':authority', ''],
  ['te', 'gzip'],
  ['A-Large', 'x'],
  ['bin-bin', '%%%'],
  ['x', 'y'.repeat(9000)],
];

const INFER = serviceMethods('inference.GRPCInferenceService')
  .get('ModelInfer')
  ?.request.encode(int32Request('sure', [1, 2]));
const MESSAGE = grpcMessage(INFER ?? Buffer.alloc(0));

function randomBytes(random: Random, limit: number): Buffer {
  return Buffer.from(Array.from({ length: random.below(limit) }, () => random.below(256)));
}

function headers(random: Random): Buffer {
  if (random.below(6) === 0) return randomBytes(random, 80);
  const more = random.below(3) === 0 ? [random.pick(STRANGE_HEADERS)] : [];
  const all = callHeaders(random.pick(RPCS), more);
  if (random.below(8) === 0) all.splice(random.below(all.length), 1);
  return headerBlock(all);
}

function payload(random: Random, type: number): Buffer {
  switch (type) {
    case FRAME.headers:
    case FRAME.continuation:
      return headers(random);
    case FRAME.data:
      return random.below(3) > 0
        ? MESSAGE.subarray(0, random.pick([MESSAGE.length, MESSAGE.length, 3, 7]))
        : randomBytes(random, 60);
    case FRAME.settings:
      return Buffer.concat(
        Array.from({ length: random.below(4) }, () => {
          const setting = Buffer.alloc(6);
          setting.writeUInt16BE(random.below(10), 0);
          setting.writeUInt32BE(random.pick([0, 1, 100, 16_384, 2 ** 24, 2 ** 31 - 1, 2 ** 32 - 1]), 2);
          return setting;
        }),
      );
    case FRAME.window:
    case FRAME.reset: {
      const word = Buffer.alloc(4);
      word.writeUInt32BE(random.pick([0, 1, 8, 65_535, 2 ** 31 - 1, 2 ** 32 - 1]));
      return word;
    }
    case FRAME.ping:
      return Buffer.alloc(8, random.below(256));
    default:
      return randomBytes(random, 40);
  }
}

function frames(random: Random): Buffer {
  const parts: Buffer[] = random.below(30) === 0 ? [] : [PREFACE];
  if (random.below(10) > 0) parts.push(frame(FRAME.settings, 0, 0));
  const usual = [FRAME.headers, FRAME.data, FRAME.headers, FRAME.data];
  let stream = 1;
  for (let count = 1 + random.below(12); count > 0; count -= 1) {
    const type =
      random.below(3) > 0
        ? random.pick(usual)
        : random.below(12) === 0
          ? random.below(256)
          : random.pick(TYPES);
    if (type === FRAME.headers && random.below(3) > 0) stream += 2;
    const on = random.below(8) === 0 ? random.pick([0, 2, stream + 2, stream - 2, 2 ** 31 - 1]) : stream;
    const isUsual = random.below(4) > 0;
    const flags = isUsual ? (type === FRAME.headers ? FLAG.endHeaders : random.below(2)) : random.below(256);
    const content = payload(random, type);
    const length = random.below(40) === 0 ? random.below(2 ** 24) : content.length;
    parts.push(frame(type, flags, Math.max(0, on), content, length));
  }
  const whole = Buffer.concat(parts);
  return random.below(12) === 0 ? whole.subarray(0, random.below(whole.length)) : whole;
}

export const http2Frames = attackClass<Buffer>({
  name: 'http2-frames',
  sends: 'connections of random HTTP/2 frames, half-closed behind them',
  inputs: 60_000,
  width: 24,
  make: frames,
  send: (bytes, { ports }) =>
    new Promise((resolve) => {
      const socket = net.connect({ port: ports.grpc, host: '127.0.0.1' }, () => socket.end(bytes));
      socket.on('error', () => undefined);
      socket.on('close', () => resolve(undefined));
      socket.resume();
    }),
});

let shared: Client | undefined;

export const grpcMessages = attackClass<{ readonly rpc: string; readonly bytes: Buffer }>({
  name: 'grpc-messages',
  sends: 'bent messages of the gRPC calls',
  inputs: 70_000,
  width: 16,
  prepare: ({ ports }) => {
    shared = new Client(`127.0.0.1:${ports.grpc}`, credentials.createInsecure(), {
      'grpc.enable_http_proxy': 0,
    });
    return Promise.resolve(() => Promise.resolve(shared?.close()));
  },
  make: (random) => {
    const [rpc, bytes] = random.pick(fuzzSeeds());
    return { rpc, bytes: bendMessage(bytes, random) };
  },
  send: async ({ rpc, bytes }) => {
    const method = serviceMethods('inference.GRPCInferenceService').get(rpc);
    if (shared === undefined || method === undefined) return `no rpc ${rpc}`;
    const code = await rawCall(shared, method, bytes);
    return FUZZ_STATUSES.has(code) ? undefined : `status ${code}`;
  },
});
