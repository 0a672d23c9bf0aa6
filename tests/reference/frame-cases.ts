// gRPC calls that no library would send: headers, frames of messages and bytes of messages that are wrong or odd, over plain
// HTTP/2 streams. Compared are the headers and trailers that clients act on, and the messages.

import { once } from 'node:events';
import http2 from 'node:http2';
import { gzipSync } from 'node:zlib';
import { serviceMethods } from '../../src-main/grpc-wire/messages.ts';
import { ECHO_MODEL, ONE_TO_ONE, pythonFiles } from './python-models.ts';
import type { ReferenceCase } from './reference-case.ts';
import type { Scene } from './scene.ts';

const SERVICE = '/inference.GRPCInferenceService';
const SHOWN = [':status', 'content-type', 'grpc-status', 'grpc-message', 'grpc-encoding'] as const;
const QUIET_MS = 1500;

interface Sent {
  readonly headers?: http2.OutgoingHttpHeaders;
  readonly body?: Uint8Array;
  readonly rpc?: string;
  /** Once both sides have heard the settings of the other: limits of the server hold from then on. */
  readonly isSettled?: true;
  /** The stream is left open behind the body. */
  readonly isOpen?: true;
}

/** What came back until the stream ended, or until it was quiet for long. */
async function exchange(
  port: number,
  { headers = {}, body, rpc = 'ServerLive', isOpen, isSettled }: Sent,
): Promise<object> {
  const session = http2.connect(`http://127.0.0.1:${port}`, { maxSendHeaderBlockLength: 2 ** 20 });
  if (isSettled === true) await once(session, 'remoteSettings');
  return new Promise((resolve) => {
    const seen: Record<string, unknown> = {};
    const chunks: Buffer[] = [];
    const finish = (how: string): void => {
      session.destroy();
      resolve({ ...seen, how, body: Buffer.concat(chunks).toString('hex').slice(0, 400) });
    };
    session.on('error', () => finish('the connection failed'));
    const all = {
      ':method': 'POST',
      ':path': rpc.startsWith('/') ? rpc : `${SERVICE}/${rpc}`,
      'content-type': 'application/grpc',
      te: 'trailers',
      ...headers,
    };
    const given = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== ''));
    const stream = session.request(given, { endStream: body === undefined && isOpen === undefined });
    const timer = setTimeout(() => finish('quiet'), QUIET_MS);
    const note = (found: http2.IncomingHttpHeaders): void => {
      for (const name of SHOWN) if (found[name] !== undefined) seen[name] = found[name];
    };
    stream.on('response', note);
    stream.on('trailers', note);
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.on('error', () => undefined);
    stream.on('close', () => {
      clearTimeout(timer);
      finish(`code ${stream.rstCode}`);
    });
    if (body !== undefined) stream.write(body);
    if (body !== undefined && isOpen === undefined) stream.end();
  });
}

const framed = (bytes: Uint8Array, flag = 0, length = bytes.byteLength): Buffer => {
  const head = Buffer.alloc(5);
  head[0] = flag;
  head.writeUInt32BE(length, 1);
  return Buffer.concat([head, bytes]);
};
const methods = serviceMethods('inference.GRPCInferenceService');
const encoded = (rpc: string, message: object): Buffer =>
  Buffer.from(methods.get(rpc)?.request.encode(message as never) ?? []);
const NOTHING = framed(Buffer.alloc(0));
const GOOD = encoded('ModelInfer', {
  model_name: 'echo',
  id: 'r',
  inputs: [{ name: 'INPUT0', datatype: 'FP32', shape: [1] }],
  raw_input_contents: [Buffer.from(Float32Array.from([1]).buffer)],
});
const hex = (text: string): Buffer => Buffer.from(text.replaceAll(' ', ''), 'hex');

const asked = (name: string, sent: Sent): ReferenceCase => ({
  name: `frames: ${name}`,
  run: ({ grpcPort }) => exchange(grpcPort, sent),
});
const live = (name: string, headers: http2.OutgoingHttpHeaders): ReferenceCase =>
  asked(name, { headers, body: NOTHING });
const settled = (name: string, headers: http2.OutgoingHttpHeaders): ReferenceCase =>
  asked(name, { headers, body: NOTHING, isSettled: true });
const inferred = (name: string, body: Uint8Array, headers: http2.OutgoingHttpHeaders = {}): ReferenceCase =>
  asked(name, { headers, body, rpc: 'ModelInfer' });

const HEADERS: readonly ReferenceCase[] = [
  ...[
    'application/grpc+proto',
    'application/grpc+json',
    'application/grpc;charset=utf-8',
    'application/grpcx',
    'application/grpc-web',
    'Application/GRPC',
    'application/json',
    'text/plain',
    '',
  ].map((type) => live(`content type '${type}'`, { 'content-type': type })),
  ...['GET', 'PUT', 'OPTIONS', 'HEAD'].map((method) => live(`method ${method}`, { ':method': method })),
  live('no te', { te: '' }),
  live('another te', { te: 'gzip' }),
  ...[
    '1S',
    '1n',
    '10m',
    '0S',
    '0m',
    '99999999H',
    '100000000S',
    '1',
    'S',
    '-1S',
    '1.5S',
    ' 1S',
    '1s',
    'x',
    '1x',
  ].map((timeout) => live(`timeout '${timeout}'`, { 'grpc-timeout': timeout })),
  ...['identity', 'gzip', 'deflate', 'snappy', 'nonsense', 'gzip,deflate'].map((encoding) =>
    live(`encoding '${encoding}', a plain message`, { 'grpc-encoding': encoding }),
  ),
  ...['identity', 'gzip', 'nonsense', 'deflate, gzip', ''].map((encoding) =>
    live(`accepts '${encoding}'`, { 'grpc-accept-encoding': encoding }),
  ),
  live('a binary header that is none', { 'x-bin': '%%%' }),
  live('a large header', { x: 'y'.repeat(7000) }),
  // From 8 KiB on the reference refuses by chance.
  ...[16_400, 60_000, 70_000, 200_000].map((size) =>
    settled(`a header of ${size} bytes`, { x: 'y'.repeat(size) }),
  ),
  settled(
    'headers of 20,000 bytes',
    Object.fromEntries(Array.from({ length: 10 }, (_, at) => [`x-${at}`, 'y'.repeat(2000)])),
  ),
  live('many headers', Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`x-${at}`, String(at)]))),
  live('a reserved header', { 'grpc-x': 'y' }),
  live('a status among the headers', { 'grpc-status': '5' }),
  live('no user agent', { 'user-agent': '' }),
  live('another scheme', { ':scheme': 'https' }),
  live('another authority', { ':authority': 'elsewhere' }),
  live('a length', { 'content-length': '5' }),
  live('a wrong length', { 'content-length': '9' }),
];

const PATHS: readonly ReferenceCase[] = [
  '/',
  '//',
  '/inference.GRPCInferenceService',
  '/inference.GRPCInferenceService/',
  '/inference.GRPCInferenceService/serverlive',
  '/inference.GRPCInferenceService/ServerLive/',
  '/inference.GRPCInferenceService/ServerLive?x',
  '/inference.GRPCInferenceService/Server%4Cive',
  '/inference.GRPCInferenceService//ServerLive',
  '/inference.grpcInferenceService/ServerLive',
  '/nothing/ServerLive',
  '/inference.GRPCInferenceService/Nothing',
  '/grpc.health.v1.Health/Check',
  '/grpc.health.v1.Health/Watch',
  '/grpc.health.v1.Health/List',
  '/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo',
].map((rpc) => asked(`path ${rpc}`, { rpc, body: NOTHING }));

const HEALTH: readonly ReferenceCase[] = [
  '',
  '0a00',
  '0a1e696e666572656e63652e47525043496e666572656e636553657276696365',
  '0a0178',
  '0a01ff',
  '1001',
].map((bytes) =>
  asked(`health of ${bytes}`, { rpc: '/grpc.health.v1.Health/Check', body: framed(hex(bytes)) }),
);

const FRAMES: readonly ReferenceCase[] = [
  asked('no message', {}),
  asked('no bytes', { body: Buffer.alloc(0) }),
  asked('half a head', { body: hex('0000') }),
  asked('a message that is shorter than its head', { body: framed(hex('0a0178'), 0, 9) }),
  asked('a message that is longer than its head', { body: framed(hex('0a0178'), 0, 1) }),
  asked('two messages', { body: Buffer.concat([NOTHING, NOTHING]) }),
  asked('a message and half a head', { body: Buffer.concat([NOTHING, hex('0000')]) }),
  asked('a flag of 2', { body: framed(Buffer.alloc(0), 2) }),
  asked('a flag of 255', { body: framed(Buffer.alloc(0), 255) }),
  asked('compressed, no encoding', { body: framed(gzipSync(''), 1) }),
  asked('compressed, an unknown encoding', {
    body: framed(gzipSync(''), 1),
    headers: { 'grpc-encoding': 'nonsense' },
  }),
  asked('compressed by gzip', { body: framed(gzipSync(''), 1), headers: { 'grpc-encoding': 'gzip' } }),
  asked('gzip that is none', { body: framed(hex('00112233'), 1), headers: { 'grpc-encoding': 'gzip' } }),
  asked('an empty one, compressed by gzip', {
    body: framed(Buffer.alloc(0), 1),
    headers: { 'grpc-encoding': 'gzip' },
  }),
  asked('a huge length', { body: framed(hex('0a'), 0, 0xffffffff) }),
  asked('a message, and the stream stays open', { body: NOTHING, isOpen: true }),
  asked('half a message, and the stream stays open', { body: hex('000000'), isOpen: true }),
  inferred('an inference', framed(GOOD)),
  inferred('two inferences in a unary call', Buffer.concat([framed(GOOD), framed(GOOD)])),
  inferred('an inference by gzip', framed(gzipSync(GOOD), 1), { 'grpc-encoding': 'gzip' }),
  asked('a stream of two inferences', {
    rpc: 'ModelStreamInfer',
    body: Buffer.concat([framed(GOOD), framed(GOOD)]),
  }),
  asked('a stream of nothing', { rpc: 'ModelStreamInfer' }),
  asked('a stream of a broken message', { rpc: 'ModelStreamInfer', body: framed(hex('0aff')) }),
  asked('a stream with a good and a broken one', {
    rpc: 'ModelStreamInfer',
    body: Buffer.concat([framed(GOOD), framed(hex('0aff'))]),
  }),
  asked('a stream with half a message', { rpc: 'ModelStreamInfer', body: framed(GOOD).subarray(0, 20) }),
  asked('a stream with a timeout', {
    rpc: 'ModelStreamInfer',
    headers: { 'grpc-timeout': '300m' },
    isOpen: true,
  }),
];

const after = (more: string): Buffer => Buffer.concat([GOOD, hex(more)]);
/** Field numbers and wire types by hand. */
const BYTES: readonly ReferenceCase[] = [
  ['an unknown field', after('a03f05')],
  ['an unknown text', after('a23f0178')],
  ['an unknown group', after('a33f a43f')],
  ['an unknown group that does not end', after('a33f')],
  ['a group that ends without a beginning', after('a43f')],
  ['field 0', after('0005')],
  ['wire type 6', after('0e05')],
  ['wire type 7', after('0f05')],
  ['a number where a text is meant', after('0805')],
  ['the name of the model twice', after('0a04 6e6f7065')],
  ['an empty name behind it', after('0a00')],
  ['an id that is no UTF-8', after('1a01ff')],
  ['a surrogate in UTF-8', after('1a03eda080')],
  ['an overlong zero', after('1a02c080')],
  ['a zero in the id', after('1a03610062')],
  ['a version that is no UTF-8', after('1201ff')],
  ['a name that is no UTF-8', after('0a01ff')],
  ['a cut varint', after('a0')],
  ['a varint of eleven bytes', after('a03fffffffffffffffffffff01')],
  ['a length beyond the end', after('1a7f61')],
  ['a length below zero', after('1affffffffffffffffff01')],
  ['an empty input', after('2a00')],
  ['an empty output', after('3200')],
  ['one more raw tensor', after('3a0400000000')],
  ['an empty raw tensor', after('3a00')],
  ['an empty parameter', after('2200')],
  ['a parameter without a value', after('22030a0178')],
  ['a parameter without a name', after('220412020801')],
  ['a parameter with two values', after('22090a017812 04 0801 1005')],
  ['a parameter twice', after('22070a017812021005 22070a017812021006')],
  ['the message twice', Buffer.concat([GOOD, GOOD])],
  ['nothing', Buffer.alloc(0)],
].map(([name, bytes]) => inferred(`bytes of ${String(name)}`, framed(bytes as Buffer)));

/** Shapes by hand: packed, unpacked, both, beyond their type. The model is `echo`, the value one FP32. */
const SHAPES: readonly ReferenceCase[] = [
  ['unpacked', '1801'],
  ['packed', '1a0101'],
  ['both', '1801 1a0101'],
  ['packed in two parts', '1a0101 1a0101'],
  ['an empty packed one', '1a00'],
  ['none', ''],
  ['a varint of ten bytes', '18ffffffffffffffffff01'],
  ['a varint that begins with zeros', '18818000'],
  ['packed and cut', '1a0181'],
  ['as 32 bits', '1d01000000'],
].map(([name = '', shape = '']) => {
  const tensor = Buffer.concat([hex('0a06494e50555430 120446503332'), hex(shape)]);
  const body = Buffer.concat([
    hex('0a046563686f 2a'),
    Buffer.from([tensor.byteLength]),
    tensor,
    hex('3a040000803f'),
  ]);
  return inferred(`a shape, ${name}`, framed(body));
});

/** Values by hand, within the input. */
const CONTENTS: readonly ReferenceCase[] = [
  ['packed floats', '3204 0000803f'],
  ['one unpacked float', '350000803f'],
  ['both', '350000803f 3204 0000803f'],
  ['a packed float of three bytes', '3203 000080'],
  ['doubles', '3a08 000000000000f03f'],
  ['a text', '420131'],
  ['a varint in place of floats', '3001'],
  ['an empty list', '3200'],
  ['nothing', ''],
].flatMap(([name = '', values = '']) => {
  const inner = hex(values);
  const tensor = Buffer.concat([
    hex('0a06494e50555430 120446503332 1801 2a'),
    Buffer.from([inner.byteLength]),
    inner,
  ]);
  const body = Buffer.concat([hex('0a046563686f 2a'), Buffer.from([tensor.byteLength]), tensor]);
  return [
    inferred(`values, ${name}`, framed(body)),
    inferred(`values, ${name}, and raw ones`, framed(Buffer.concat([body, hex('3a0400004040')]))),
  ];
});

export const FRAME_SCENE: Scene = {
  name: 'frames',
  repositories: () => [pythonFiles('echo', ECHO_MODEL, ONE_TO_ONE)],
  cases: [...HEADERS, ...PATHS, ...HEALTH, ...FRAMES, ...BYTES, ...SHAPES, ...CONTENTS],
  atOnce: 4,
};
