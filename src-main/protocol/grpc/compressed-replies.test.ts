// Answers of inference that are compressed for clients that take it.

import zlib from 'node:zlib';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { systemClock } from '../../base/clock.ts';
import { decodeInferResponse, decodeStreamResponse } from '../../grpc-wire/infer-response-decoder.ts';
import { encodeInferRequest } from '../../grpc-wire/infer-request-encoder.ts';
import { EchoService } from '../../testing/echo-service.ts';
import type { PlainGrpcAnswer, PlainGrpcMessage } from '../../testing/plain-grpc.ts';
import { grpcFrame, plainGrpcCall } from '../../testing/plain-grpc.ts';
import type { CompressionLevel } from './calls/compress-message.ts';
import { replyEncoding } from './calls/compress-message.ts';
import { defaultGrpcServerOptions } from './grpc-options.ts';
import { GrpcServer } from './grpc-server.ts';

const SMALL = 64;
/** Above what the loop compresses itself. */
const LARGE = 64 * 1024;

/** A request whose only input is so many bytes that compress well, unless they are noise. */
function framed(model: string, byteSize: number, { first = 1, isNoise = false } = {}): Buffer {
  const bytes = new Uint8Array(byteSize);
  if (isNoise) crypto.getRandomValues(bytes);
  new DataView(bytes.buffer).setInt32(0, first, true);
  const message = encodeInferRequest({
    modelName: model,
    modelVersion: '',
    id: String(byteSize),
    parameters: new Map(),
    inputs: [{ name: 'INPUT', datatype: 'INT32', shape: [byteSize / 4], parameters: new Map(), bytes }],
    outputs: [],
  });
  return grpcFrame(message);
}

const plain = ({ encoding }: PlainGrpcAnswer, { isCompressed, bytes }: PlainGrpcMessage): Buffer =>
  !isCompressed ? bytes : encoding === 'gzip' ? zlib.gunzipSync(bytes) : zlib.inflateSync(bytes);

async function serve(
  responseCompression: CompressionLevel,
): Promise<{ readonly port: number; close(): Promise<void> }> {
  const options = { ...defaultGrpcServerOptions, port: 0, responseCompression };
  const server = new GrpcServer({ service: new EchoService(), clock: systemClock }, options);
  return { port: await server.start(), close: () => server.close() };
}

test.each([
  ['none', 'identity, deflate, gzip', undefined],
  ['low', 'identity, deflate, gzip', 'gzip'],
  ['low', 'deflate', 'deflate'],
  ['medium', 'gzip,deflate', 'deflate'],
  ['high', 'identity, deflate, gzip', 'deflate'],
  ['high', 'gzip', 'gzip'],
  ['high', 'identity', undefined],
  ['high', '', undefined],
] as const)('level %s for a client that takes "%s" is %s', (level, accepted, encoding) => {
  expect(replyEncoding(level, accepted === '' ? [] : [accepted])).toBe(encoding);
});

describe('at level low', () => {
  let server: Awaited<ReturnType<typeof serve>>;
  beforeAll(async () => {
    server = await serve('low');
  });
  afterAll(() => server.close());

  test.each([SMALL, LARGE])('an answer of %i bytes comes compressed', async (byteSize) => {
    const reply = await plainGrpcCall(server.port, {
      rpc: 'ModelInfer',
      accepted: 'gzip',
      body: framed('echo', byteSize),
    });
    expect(reply).toMatchObject({ encoding: 'gzip', status: '0', messages: [{ isCompressed: true }] });
    const [message] = reply.messages;
    expect(message?.bytes.length).toBeLessThan(byteSize * 2);
    const response = message === undefined ? undefined : decodeInferResponse(plain(reply, message));
    expect(response?.outputs[0]?.bytes.byteLength).toBe(byteSize);
  });

  test('what would not become smaller goes as it is', async () => {
    const noise = framed('echo', LARGE, { isNoise: true });
    const reply = await plainGrpcCall(server.port, { rpc: 'ModelInfer', accepted: 'gzip', body: noise });
    expect(reply).toMatchObject({ encoding: 'gzip', status: '0', messages: [{ isCompressed: false }] });
  });

  test('a client that says nothing of encodings gets none', async () => {
    const reply = await plainGrpcCall(server.port, {
      rpc: 'ModelInfer',
      accepted: undefined,
      body: framed('echo', LARGE),
    });
    expect(reply).toMatchObject({ encoding: 'identity', messages: [{ isCompressed: false }] });
  });

  test('messages of a stream keep their order, however long each takes to compress', async () => {
    const sizes = [LARGE * 16, SMALL, LARGE, SMALL, LARGE * 4, SMALL];
    const body = Buffer.concat(sizes.map((byteSize) => framed('echo', byteSize)));
    const reply = await plainGrpcCall(server.port, { rpc: 'ModelStreamInfer', accepted: 'gzip', body });
    expect(reply.status).toBe('0');
    const responses = reply.messages.map((message) => decodeStreamResponse(plain(reply, message)));
    expect(responses.map(({ response }) => response.id)).toEqual(sizes.map(String));
    expect(responses.map(({ response }) => response.outputs[0]?.bytes.byteLength)).toEqual(sizes);
  });

  test('a stream of many answers of one request ends with all of them', async () => {
    const body = framed('burst', LARGE, { first: 50 });
    const reply = await plainGrpcCall(server.port, { rpc: 'ModelStreamInfer', accepted: 'gzip', body });
    expect(reply.status).toBe('0');
    expect(reply.messages).toHaveLength(50);
  });

  test('other calls are not compressed', async () => {
    const empty = Buffer.alloc(5);
    const reply = await plainGrpcCall(server.port, { rpc: 'ServerMetadata', accepted: 'gzip', body: empty });
    expect(reply).toMatchObject({ encoding: 'identity', messages: [{ isCompressed: false }] });
  });
});
