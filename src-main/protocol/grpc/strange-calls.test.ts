// Calls of clients that know other services, or send bytes that are no message.

import { Client, credentials } from '@grpc/grpc-js';
import { afterEach, beforeEach, expect, test } from 'vitest';

import { systemClock } from '../../base/clock.ts';
import { encodeGrpcRequest } from '../../client/grpc-client.ts';
import { EchoService } from '../../testing/echo-service.ts';
import { defaultGrpcServerOptions } from './grpc-options.ts';
import { GrpcServer } from './grpc-server.ts';

const SERVICE = '/inference.GRPCInferenceService';
const asIs = (bytes: Buffer): Buffer => bytes;
const GOOD = encodeGrpcRequest({
  model: 'echo',
  version: '',
  id: 'good',
  inputs: [{ name: 'INPUT', datatype: 'INT32', shape: [1, 2], bytes: new Uint8Array(8) }],
  outputs: [],
  parameters: new Map(),
});

let server: GrpcServer;
let client: Client;

beforeEach(async () => {
  server = new GrpcServer(
    { service: new EchoService(), clock: systemClock },
    { ...defaultGrpcServerOptions, port: 0 },
  );
  client = new Client(`127.0.0.1:${await server.start()}`, credentials.createInsecure());
});
afterEach(async () => {
  client.close();
  await server.close();
});

interface Seen {
  readonly code: number;
  readonly details: string;
  readonly contentType: string;
}

function call(path: string, bytes: Buffer): Promise<Seen> {
  return new Promise((resolve) => {
    let contentType = '';
    const sent = client.makeUnaryRequest(path, asIs, asIs, bytes, (error) =>
      resolve({ code: error?.code ?? 0, details: error?.details ?? '', contentType }),
    );
    sent.on('metadata', (headers) => (contentType = String(headers.get('content-type')[0])));
  });
}

test('answers are of the plain content type', async () => {
  expect(await call(`${SERVICE}/ModelInfer`, GOOD)).toEqual({
    code: 0,
    details: '',
    contentType: 'application/grpc',
  });
});

test.each([`${SERVICE}/Nothing`, '/inference.Nothing/ModelInfer', '/'])(
  '%s is not implemented, without a word',
  async (path) => {
    expect(await call(path, Buffer.alloc(0))).toMatchObject({ code: 12, details: '' });
  },
);

test.each([
  ['a field that runs past the end', Buffer.from([10, 9, 120])],
  ['a text that is no UTF-8', Buffer.concat([GOOD, Buffer.from([26, 2, 0xff, 0xfe])])],
])('%s cannot be parsed', async (_, bytes) => {
  const seen = await call(`${SERVICE}/ModelInfer`, bytes);
  expect(seen).toMatchObject({ code: 13, details: 'Unable to parse request' });
});

test.each([
  ['a field of a higher number', [0xc0, 0x3e, 5]],
  ['a known field of another wire type', [8, 5]],
  ['the character that stands for others', [26, 3, 0xef, 0xbf, 0xbd]],
])('%s is no fault', async (_, more) => {
  const bytes = Buffer.concat([GOOD, Buffer.from(more)]);
  expect(await call(`${SERVICE}/ModelInfer`, bytes)).toMatchObject({ code: 0 });
});

test('what cannot be parsed ends the reading of a stream; what came before is answered', async () => {
  const stream = client.makeBidiStreamRequest(`${SERVICE}/ModelStreamInfer`, asIs, asIs);
  let answers = 0;
  stream.on('data', () => (answers += 1));
  const ended = new Promise((resolve) => stream.on('status', ({ code }) => resolve(code)));
  stream.write(GOOD);
  stream.write(Buffer.from([10, 9, 120]));
  stream.write(GOOD);
  expect(await ended).toBe(0);
  expect(answers).toBe(1);
});
