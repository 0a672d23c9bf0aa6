// Traces of the window in a whole engine: the same facts through HTTP and gRPC, JSON and binary, batches and why they were
// closed, steps of an ensemble; and the trace setting of the protocol stays what it was.

import { Client, credentials } from '@grpc/grpc-js';
import { afterEach, expect, test } from 'vitest';

import type { TraceRow } from '../../../src-shared/contract/trace-row.ts';
import type { Clock } from '../../../src-main/base/clock.ts';
import { systemClock } from '../../../src-main/base/clock.ts';
import { encodeGrpcRequest } from '../../../src-main/client/grpc-client.ts';
import type { Engine } from '../../../src-main/engine.ts';
import { FakeClock } from '../../../src-main/testing/fake-clock.ts';
import { startTestEngine } from '../../../src-main/testing/start-test-engine.ts';
import { TempRepository } from '../../../src-main/testing/temp-repository.ts';
import { wireCall } from '../../../src-main/testing/wire-http.ts';

const io = (kind: string, name: string): string =>
  `${kind} [ { name: "${name}" data_type: TYPE_FP32 dims: [ 4 ] } ]`;
const identity = (more: string): string =>
  `backend: "identity" ${io('input', 'INPUT0')} ${io('output', 'OUTPUT0')} ${more}`;
const FILES = {
  'plain/1/': '',
  'plain/config.pbtxt': identity(''),
  'batching/1/': '',
  'batching/config.pbtxt': identity(
    'max_batch_size: 4 dynamic_batching { max_queue_delay_microseconds: 300000 }',
  ),
  'both/1/': '',
  'both/config.pbtxt': `platform: "ensemble" ${io('input', 'A')} ${io('output', 'C')}
    ensemble_scheduling { step [
      { model_name: "plain" model_version: -1 input_map { key: "INPUT0" value: "A" } output_map { key: "OUTPUT0" value: "B" } },
      { model_name: "plain" model_version: -1 input_map { key: "INPUT0" value: "B" } output_map { key: "OUTPUT0" value: "C" } } ] }`,
};
const MOMENTS = [
  ...['receiveStart', 'receiveEnd', 'requestStart', 'queueStart', 'computeStart', 'inputEnd', 'outputStart'],
  ...['computeEnd', 'requestEnd', 'sendStart', 'sendEnd'],
];

let engine: Engine;
let repository: TempRepository;

afterEach(async () => {
  await engine.close();
  await repository[Symbol.asyncDispose]();
});

async function start(clock: Clock = systemClock): Promise<void> {
  repository = await TempRepository.create(FILES);
  engine = await startTestEngine(repository.path, {}, { clock });
}

const ports = (): { readonly http: number; readonly grpc: number } => ({
  http: engine.ports.http ?? 0,
  grpc: engine.ports.grpc ?? 0,
});

function infer(model: string, input: string, shape = [4], id = 'r'): ReturnType<typeof wireCall> {
  const data = Array.from({ length: shape.reduce((a, b) => a * b, 1) }, () => 1);
  const body = JSON.stringify({ id, inputs: [{ name: input, datatype: 'FP32', shape, data }] });
  return wireCall(ports().http, { path: `/v2/models/${model}/infer`, body });
}

function inferBinary(): ReturnType<typeof wireCall> {
  const head = JSON.stringify({
    id: 'r',
    inputs: [{ name: 'INPUT0', datatype: 'FP32', shape: [4], parameters: { binary_data_size: 16 } }],
    outputs: [{ name: 'OUTPUT0', parameters: { binary_data: true } }],
  });
  return wireCall(ports().http, {
    path: '/v2/models/plain/infer',
    body: Buffer.concat([Buffer.from(head), Buffer.alloc(16)]),
    headers: { 'Inference-Header-Content-Length': String(head.length) },
  });
}

async function inferGrpc(): Promise<void> {
  const client = new Client(`127.0.0.1:${ports().grpc}`, credentials.createInsecure());
  const body = encodeGrpcRequest({
    model: 'plain',
    version: '',
    id: 'r',
    inputs: [{ name: 'INPUT0', datatype: 'FP32', shape: [4], bytes: new Uint8Array(16) }],
    outputs: [],
    parameters: new Map(),
  });
  const asIs = (bytes: Buffer): Buffer => bytes;
  await new Promise<void>((done, fail) => {
    client.makeUnaryRequest('/inference.GRPCInferenceService/ModelInfer', asIs, asIs, body, (error) =>
      error === null ? done() : fail(error),
    );
  });
  client.close();
}

/** What was recorded, as soon as so much was. */
async function rows(count: number): Promise<TraceRow[]> {
  const { tracing } = engine;
  await expect.poll(() => tracing.state().nextRow).toBe(count);
  return Array.from({ length: count }, (_, number) => tracing.row(number)).filter((row) => row !== undefined);
}

test('a request has the same moments through every protocol and encoding', async () => {
  await start();
  engine.tracing.begin({ kind: 'sampled', rate: 1 });
  await infer('plain', 'INPUT0');
  await inferBinary();
  await inferGrpc();
  const [json, binary, grpc] = await rows(3);
  expect(Object.keys(json?.stamps ?? {})).toEqual(MOMENTS);
  expect(Object.keys(binary?.stamps ?? {})).toEqual(MOMENTS);
  expect(Object.keys(grpc?.stamps ?? {})).toEqual(MOMENTS);
  for (const row of [json, binary, grpc]) {
    expect(row).toMatchObject({
      ...{ model: 'plain', version: '1', requestId: 'r', parentId: 0, isFailed: false, runCount: 1 },
      execution: { instance: 'plain_0', requestCount: 1, batchSize: 1, closeReason: 'direct' },
    });
  }
  expect([json?.protocol, binary?.protocol, grpc?.protocol]).toEqual(['http', 'http', 'grpc']);
});

test('requests that ran together name the same execution, and why their batch was closed', async () => {
  const clock = new FakeClock();
  await start(clock);
  engine.tracing.begin({ kind: 'next', count: 7 });
  const full = [1, 2, 3, 4].map((id) => infer('batching', 'INPUT0', [1, 4], `full ${id}`));
  await Promise.all(full);
  const pair = [5, 6].map((id) => infer('batching', 'INPUT0', [1, 4], `late ${id}`));
  const waiting = (): number =>
    [...engine.repository.ready()].reduce((sum, { runtime }) => sum + runtime.inflightCount, 0);
  await expect.poll(waiting).toBe(2);
  await clock.advance(300);
  await Promise.all(pair);
  const seen = await rows(6);
  const [first, , , , late] = seen;
  expect(seen.slice(0, 4).map(({ execution }) => execution)).toEqual(Array(4).fill(first?.execution));
  expect(first?.execution).toMatchObject({ requestCount: 4, batchSize: 4, closeReason: 'full' });
  expect(late?.execution).toMatchObject({ requestCount: 2, batchSize: 2, closeReason: 'delay' });
  expect(engine.tracing.state().remainingCount).toBe(1);
  let isClosed = false;
  const closed = engine.close().then(() => (isClosed = true));
  while (!isClosed) await clock.advance(20);
  await closed;
});

test('steps of an ensemble are rows that name its request', async () => {
  await start();
  engine.tracing.begin({ kind: 'next', count: 1 });
  await infer('both', 'A');
  const [one, two, whole] = await rows(3);
  expect([one?.model, two?.model, whole?.model]).toEqual(['plain', 'plain', 'both']);
  expect([one?.parentId, two?.parentId]).toEqual([whole?.id, whole?.id]);
  expect(whole?.execution).toBeUndefined();
  expect(one?.stamps.computeEnd).toBeLessThanOrEqual(two?.stamps.queueStart ?? 0);
});

test('what is refused is a row with the words of the server', async () => {
  await start();
  engine.tracing.begin({ kind: 'next', count: 3 });
  const refused = await infer('plain', 'NOBODY');
  await wireCall(ports().http, { path: '/v2/models/plain/infer', body: '{' });
  const [wrongInput, noJson] = await rows(2);
  const said = (JSON.parse(refused.text) as { readonly error: string }).error;
  expect(wrongInput).toMatchObject({ isFailed: true, error: said, requestId: 'r' });
  expect(noJson).toMatchObject({ isFailed: true, version: undefined });
  expect(noJson?.error).toContain('failed to parse');
  expect(noJson?.stamps.requestStart).toBeUndefined();
});

test('the trace setting of the protocol is not touched', async () => {
  await start();
  const setting = (): Promise<string> =>
    wireCall(ports().http, { path: '/v2/trace/setting' }).then(({ text }) => text);
  const before = await setting();
  engine.tracing.begin({ kind: 'all', seconds: 30 });
  await infer('plain', 'INPUT0');
  expect(await setting()).toBe(before);
  await rows(1);
});
