// gRPC calls as other clients and tools make them: unknown services, bytes that are no message, compression, metadata,
// the health service, streams that fail as a whole.

import type { ServiceError } from '@grpc/grpc-js';
import { Client, compressionAlgorithms, credentials, Metadata } from '@grpc/grpc-js';
import type { PlainMessage } from '../../src-main/grpc-wire/messages.ts';
import { serviceMethods } from '../../src-main/grpc-wire/messages.ts';
import { identityModel } from '../../src-main/testing/onnx-test-models.ts';
import type { RepositoryFiles } from '../../src-main/testing/temp-repository.ts';
import { CLASS_CASES } from './class-cases.ts';
import { within } from './http-calls.ts';
import type { ReferenceCase } from './reference-case.ts';
import type { Scene } from './scene.ts';
import { sameFor } from './scene.ts';

const models: RepositoryFiles = {
  'echo/config.pbtxt':
    'backend: "onnxruntime" input [ { name: "INPUT" data_type: TYPE_FP32 dims: [ -1 ] } ] output [ { name: "OUTPUT" data_type: TYPE_FP32 dims: [ -1 ] } ]',
  'echo/1/model.onnx': identityModel('FP32', ['n']),
};

const SERVICE = '/inference.GRPCInferenceService';
const methods = serviceMethods('inference.GRPCInferenceService');
const asIs = (bytes: Buffer): Buffer => bytes;

interface RawCall {
  readonly path: string;
  readonly bytes?: Buffer;
  readonly metadata?: Readonly<Record<string, string>>;
  readonly options?: Readonly<Record<string, string | number>>;
  readonly deadlineMs?: number;
}

/** Bytes there and back, with what a client sees of the call: headers and trailers of the application included. */
function rawCall(port: number, { path, bytes = Buffer.alloc(0), ...more }: RawCall): Promise<unknown> {
  const client = new Client(`127.0.0.1:${port}`, credentials.createInsecure(), more.options ?? {});
  const metadata = new Metadata();
  for (const [key, value] of Object.entries(more.metadata ?? {})) metadata.set(key, value);
  const seen: { headers?: unknown; trailers?: unknown } = {};
  const answer = new Promise((resolve) => {
    const done = (error: ServiceError | null, reply?: Buffer): void =>
      resolve({ code: error?.code ?? 0, details: error?.details ?? '', reply: reply?.toString('hex') });
    const call = client.makeUnaryRequest(
      path,
      asIs,
      asIs,
      bytes,
      metadata,
      more.deadlineMs === undefined ? {} : { deadline: Date.now() + more.deadlineMs },
      done,
    );
    call.on('metadata', (headers: Metadata) => (seen.headers = compared(headers)));
    call.on('status', ({ metadata: trailers }) => (seen.trailers = compared(trailers)));
  });
  return within(answer, 10_000)
    .then((given) => ({ ...(given as object), ...seen }))
    .finally(() => client.close());
}

/** Names and values but for the server's name and the date. */
const compared = (metadata: Metadata): unknown =>
  Object.fromEntries(
    Object.entries(metadata.getMap())
      .filter(([name]) => !['date', 'server', 'user-agent'].includes(name))
      .map(([name, value]) => [name, String(value)]),
  );
const raw = (title: string, call: RawCall): ReferenceCase => ({
  name: `call ${title}`,
  run: ({ grpcPort }) => rawCall(grpcPort, call),
});
const encoded = (rpc: string, message: PlainMessage): Buffer => {
  const method = methods.get(rpc);
  if (method === undefined) throw new Error(`unknown rpc ${rpc}`);
  return Buffer.from(method.request.encode(message));
};
const infer = (more: PlainMessage = {}, count = 2): PlainMessage => ({
  model_name: 'echo',
  id: 'i',
  inputs: [{ name: 'INPUT', datatype: 'FP32', shape: [count] }],
  raw_input_contents: [Buffer.alloc(4 * count)],
  ...more,
});
const INFER = `${SERVICE}/ModelInfer`;
const health = (name: string): Buffer => Buffer.concat([Buffer.from([10, name.length]), Buffer.from(name)]);
const gzip = { 'grpc.default_compression_algorithm': compressionAlgorithms.gzip };
const deflate = { 'grpc.default_compression_algorithm': compressionAlgorithms.deflate };

const CALLS: readonly ReferenceCase[] = [
  raw('of an unknown method', { path: `${SERVICE}/Nothing` }),
  raw('of an unknown service', { path: '/inference.Nothing/ModelInfer' }),
  raw('of a service in other letters', { path: '/inference.grpcinferenceservice/ServerLive' }),
  raw('of reflection', { path: '/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo' }),
  raw('of a path without a method', { path: `${SERVICE}/` }),
  raw('of an empty path', { path: '/' }),
  raw('health of the server', { path: '/grpc.health.v1.Health/Check' }),
  raw('health of the service', {
    path: '/grpc.health.v1.Health/Check',
    bytes: health('inference.GRPCInferenceService'),
  }),
  raw('health of nothing', { path: '/grpc.health.v1.Health/Check', bytes: health('nothing') }),
  raw('health of a model', { path: '/grpc.health.v1.Health/Check', bytes: health('echo') }),
  raw('with bytes that are no message', { path: INFER, bytes: Buffer.from('nonsense') }),
  raw('with half a message', { path: INFER, bytes: encoded('ModelInfer', infer()).subarray(0, 20) }),
  raw('with a text that is no UTF-8', { path: INFER, bytes: Buffer.from([10, 2, 0xff, 0xfe]) }),
  raw('with a field of another wire type', { path: INFER, bytes: Buffer.from([8, 5]) }),
  raw('with fields that are not known', {
    path: INFER,
    bytes: Buffer.concat([encoded('ModelInfer', infer()), Buffer.from([0xc0, 0x3e, 5])]),
  }),
  raw('with a name that comes twice', {
    path: INFER,
    bytes: Buffer.concat([Buffer.from([10, 1, 120]), encoded('ModelInfer', infer())]),
  }),
  raw('with nothing', { path: INFER }),
  raw('with nothing, ready', { path: `${SERVICE}/ModelReady` }),
  raw('with nothing, metadata', { path: `${SERVICE}/ModelMetadata` }),
  raw('with nothing, configuration', { path: `${SERVICE}/ModelConfig` }),
  raw('with nothing, load', { path: `${SERVICE}/RepositoryModelLoad` }),
  raw('with nothing, unload', { path: `${SERVICE}/RepositoryModelUnload` }),
  raw('with nothing, region', { path: `${SERVICE}/SystemSharedMemoryRegister` }),
  raw('of gzip', { path: INFER, bytes: encoded('ModelInfer', infer({}, 400)), options: gzip }),
  raw('of deflate', { path: INFER, bytes: encoded('ModelInfer', infer({}, 400)), options: deflate }),
  raw('of gzip that fails', {
    path: INFER,
    bytes: encoded('ModelInfer', infer({ model_name: 'nope' })),
    options: gzip,
  }),
  raw('with metadata', {
    path: INFER,
    bytes: encoded('ModelInfer', infer()),
    metadata: { 'x-one': 'a', 'x-two': 'b' },
  }),
  raw('with metadata of the reference', {
    path: INFER,
    bytes: encoded('ModelInfer', infer()),
    metadata: { triton_grpc_error: 'true', 'triton-grpc-compression': 'gzip' },
  }),
  raw('with much metadata', {
    path: INFER,
    bytes: encoded('ModelInfer', infer()),
    metadata: Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`x-${at}`, 'v'.repeat(50)])),
  }),
  raw('with a deadline far away', { path: INFER, bytes: encoded('ModelInfer', infer()), deadlineMs: 60_000 }),
  raw('of an unknown model that asks for a gRPC error', {
    path: INFER,
    bytes: encoded('ModelInfer', infer({ model_name: 'nope' })),
    metadata: { triton_grpc_error: 'true' },
  }),
];

/** A stream that asks for gRPC errors, or does not. */
function rawStream(
  port: number,
  messages: readonly Buffer[],
  given: Readonly<Record<string, string>>,
): Promise<unknown> {
  const client = new Client(`127.0.0.1:${port}`, credentials.createInsecure());
  const metadata = new Metadata();
  for (const [key, value] of Object.entries(given)) metadata.set(key, value);
  const answer = new Promise((resolve) => {
    const seen: unknown[] = [];
    const call = client.makeBidiStreamRequest(`${SERVICE}/ModelStreamInfer`, asIs, asIs, metadata);
    call.on('data', (reply: Buffer) => seen.push(reply.toString('hex')));
    call.on('error', () => undefined);
    call.on('status', ({ code, details, metadata: trailers }) =>
      resolve([...seen, { code, details, trailers: compared(trailers) }]),
    );
    for (const message of messages) call.write(message);
    call.end();
  });
  return within(answer, 10_000).finally(() => client.close());
}
const streamed = (
  title: string,
  messages: readonly Buffer[],
  metadata: Readonly<Record<string, string>> = {},
): ReferenceCase => ({
  name: `call as a stream ${title}`,
  run: ({ grpcPort }) => rawStream(grpcPort, messages, metadata),
});
const message = (more: PlainMessage = {}): Buffer => encoded('ModelInfer', infer(more));
const unknown = message({ model_name: 'nope' });
const short = message({ raw_input_contents: [Buffer.alloc(3)] });
const STREAMS: readonly ReferenceCase[] = (
  [
    ['', {}],
    ['with gRPC errors', { triton_grpc_error: 'true' }],
    ['with gRPC errors in capitals', { triton_grpc_error: 'True' }],
    ['with gRPC errors by number', { triton_grpc_error: '1' }],
  ] as const
).flatMap(([title, metadata]) => [
  streamed(`of nothing ${title}`, [], metadata),
  streamed(`of a good one ${title}`, [message()], metadata),
  streamed(`of an unknown model ${title}`, [unknown], metadata),
  streamed(`of a wrong input ${title}`, [short], metadata),
  streamed(`of bytes that are no message ${title}`, [Buffer.from('nonsense')], metadata),
  streamed(`of an empty message ${title}`, [Buffer.alloc(0)], metadata),
]);

export const CALL_SCENE: Scene = {
  name: 'calls',
  needs: 'onnxruntime',
  repositories: sameFor(models),
  cases: [...CALLS, ...STREAMS, ...CLASS_CASES],
};
