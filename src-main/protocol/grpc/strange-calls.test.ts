// Calls of clients that know other services, or send bytes that are no message.

import http2 from 'node:http2';

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
let port: number;
let client: Client;

beforeEach(async () => {
  server = new GrpcServer(
    { service: new EchoService(), clock: systemClock },
    { ...defaultGrpcServerOptions, port: 0 },
  );
  port = await server.start();
  client = new Client(`127.0.0.1:${port}`, credentials.createInsecure());
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
  ['field 0', Buffer.concat([GOOD, Buffer.from([0, 5])])],
  [
    'a number of eleven bytes',
    Buffer.concat([GOOD, Buffer.from([0xc0, 0x3e, ...Array<number>(10).fill(0xff), 1])]),
  ],
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

test('a dimension of another wire type is none', async () => {
  const bytes = Buffer.concat([GOOD, Buffer.from([42, 5, 29, 1, 0, 0, 0])]);
  // The input that it stands in is read: it has no data.
  expect(await call(`${SERVICE}/ModelInfer`, bytes)).toMatchObject({ code: 3 });
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

const framed = (bytes: Uint8Array, flag = 0): Buffer =>
  Buffer.concat([Buffer.from([flag, 0, 0, 0, bytes.byteLength]), bytes]);
const NONE = framed(Buffer.alloc(0));
const HEADERS = { 'content-type': 'application/grpc', te: 'trailers' };

/** A call of ServerLive written by hand: all header fields and trailers, and the bytes of the answer. */
function byHand(headers: http2.OutgoingHttpHeaders, body: Buffer): Promise<Record<string, unknown>> {
  return new Promise((resolve) => {
    const session = http2.connect(`http://127.0.0.1:${port}`);
    const stream = session.request({ ':method': 'POST', ':path': `${SERVICE}/ServerLive`, ...headers });
    const seen: Record<string, unknown> = {};
    const chunks: Buffer[] = [];
    stream.on('response', (fields) => Object.assign(seen, fields));
    stream.on('trailers', (fields) => Object.assign(seen, fields));
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.on('close', () => {
      session.destroy();
      resolve({ ...seen, body: Buffer.concat(chunks).toString('hex') });
    });
    stream.end(body);
  });
}
const LIVE = { ':status': 200, 'grpc-status': '0', body: '00000000020801' };

test('an answer that is not compressed names no encoding', async () => {
  const seen = await byHand(HEADERS, NONE);
  expect(seen).toMatchObject(LIVE);
  expect(seen).not.toHaveProperty('grpc-encoding');
});

test('the content type may be missing', async () => {
  expect(await byHand({ te: 'trailers' }, NONE)).toMatchObject(LIVE);
});

test('of several messages of a unary call the first one counts', async () => {
  const broken = framed(Buffer.from([10, 9]));
  expect(await byHand(HEADERS, Buffer.concat([NONE, broken]))).toMatchObject(LIVE);
});

test('no message cannot be parsed', async () => {
  expect(await byHand(HEADERS, Buffer.alloc(0))).toMatchObject({
    'grpc-status': '13',
    'grpc-message': 'Unable to parse request',
  });
});

test('an empty message may be marked as compressed', async () => {
  const marked = framed(Buffer.alloc(0), 1);
  expect(await byHand({ ...HEADERS, 'grpc-encoding': 'gzip' }, marked)).toMatchObject(LIVE);
});

test.each(['0S', '0n'])('a deadline of %s has passed', async (timeout) => {
  expect(await byHand({ ...HEADERS, 'grpc-timeout': timeout }, NONE)).toMatchObject({
    'grpc-status': '4',
    'grpc-message': 'Deadline Exceeded',
  });
});

function refusedFor(session: http2.ClientHttp2Session, headers: Record<string, string>): Promise<object> {
  return new Promise((resolve, reject) => {
    const stream = session.request({
      ':method': 'POST',
      ':path': `${SERVICE}/ServerLive`,
      'content-type': 'application/grpc',
      te: 'trailers',
      ...headers,
    });
    const seen: Record<string, unknown> = {};
    const note = (found: http2.IncomingHttpHeaders): void => void Object.assign(seen, found);
    stream.on('response', note);
    stream.on('trailers', note);
    stream.on('error', reject);
    stream.on('close', () => resolve({ status: seen['grpc-status'], message: seen['grpc-message'] }));
    stream.resume();
    stream.end(Buffer.alloc(5));
  });
}

test('more than 16 KiB of metadata is refused by name, and the connection goes on', async () => {
  const session = http2.connect(`http://127.0.0.1:${port}`, { maxSendHeaderBlockLength: 2 ** 20 });
  try {
    const [one, several] = [{ x: 'y'.repeat(200_000) }, { a: 'y'.repeat(15_900), b: 'y'.repeat(900) }];
    expect(await refusedFor(session, { ...several, b: 'z' })).toEqual({ status: '0', message: undefined });
    expect(await refusedFor(session, one)).toMatchObject({
      status: '8',
      message: expect.stringMatching(
        /^received metadata size exceeds hard limit \(200\d{3} vs\. 16384\); adding x \(length 200033B\) to {2}:/,
      ) as string,
    });
    expect(await refusedFor(session, several)).toMatchObject({
      status: '8',
      message: expect.stringMatching(
        /hard limit \(1\d{4} vs\. 16384\); adding b \(length 933B\) to {2}:path:\d+B :authority:\d+B :method:43B :scheme:43B content-type:60B te:42B a:15933B$/,
      ) as string,
    });
    expect(await refusedFor(session, {})).toEqual({ status: '0', message: undefined });
  } finally {
    session.close();
  }
});

test('a request without a content type that breaks its own announcement is told so, not that its method is unknown', async () => {
  const session = http2.connect(`http://127.0.0.1:${port}`);
  const stream = session.request({ ':method': 'POST', ':path': '/', 'content-length': '1' });
  stream.on('error', () => undefined);
  let isAnswered = false;
  stream.on('response', () => (isAnswered = true));
  await new Promise((resolve) => session.ping(resolve));
  stream.end('longer');
  await new Promise((resolve) => stream.once('close', resolve));
  session.destroy();

  expect({ isAnswered, code: stream.rstCode }).toEqual({
    isAnswered: false,
    code: http2.constants.NGHTTP2_PROTOCOL_ERROR,
  });
});

test('a request without a content type is answered once it is complete', async () => {
  const session = http2.connect(`http://127.0.0.1:${port}`);
  const stream = session.request({ ':method': 'POST', ':path': '/' });
  const seen = new Promise<http2.IncomingHttpHeaders>((resolve) => stream.once('response', resolve));
  stream.end('abc');

  expect((await seen)['grpc-status']).toBe('12');
  session.destroy();
});
