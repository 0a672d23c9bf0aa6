// Traces of a whole engine: the file's records and their order as the reference writes them, and the spans that a
// collector gets.

import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Client, credentials, Metadata } from '@grpc/grpc-js';
import { afterEach, expect, onTestFinished, test } from 'vitest';

import type { ClientTensor } from '../../../src-main/client/infer-client.ts';
import { encodeGrpcRequest } from '../../../src-main/client/grpc-client.ts';
import type { Engine } from '../../../src-main/engine.ts';
import { identityModel } from '../../../src-main/testing/onnx-test-models.ts';
import { OtlpReceiver } from '../../../src-main/testing/otlp-receiver.ts';
import { startTestEngine } from '../../../src-main/testing/start-test-engine.ts';
import { TempRepository } from '../../../src-main/testing/temp-repository.ts';
import { wireCall } from '../../../src-main/testing/wire-http.ts';

const io = (kind: string, name: string): string =>
  `${kind} [ { name: "${name}" data_type: TYPE_FP32 dims: [ 4 ] } ]`;
const FILES = {
  'onnx/1/model.onnx': identityModel('FP32', [4]),
  'onnx/config.pbtxt': `backend: "onnxruntime" instance_group [ { kind: KIND_CPU } ]`,
  'custom/1/': '',
  'custom/config.pbtxt': `backend: "identity" ${io('input', 'INPUT0')} ${io('output', 'OUTPUT0')}
    parameters { key: "enable_custom_tracing" value { string_value: "true" } }
    parameters { key: "nested_span_count" value { string_value: "2" } }
    parameters { key: "single_activity_frequency" value { string_value: "2" } }`,
  'both/1/': '',
  'both/config.pbtxt': `platform: "ensemble" ${io('input', 'A')} ${io('output', 'C')}
    ensemble_scheduling { step [
      { model_name: "onnx" model_version: -1 input_map { key: "INPUT" value: "A" } output_map { key: "OUTPUT" value: "B" } },
      { model_name: "custom" model_version: -1 input_map { key: "INPUT0" value: "B" } output_map { key: "OUTPUT0" value: "C" } } ] }`,
};
const PARENT = { traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`, tracestate: 'vendor=1' };
const tensor = (name: string) => ({ name, datatype: 'FP32', shape: [4], data: [1, 2, 3, 4] });

let engine: Engine | undefined;
let repository: TempRepository | undefined;
let receiver: OtlpReceiver | undefined;

afterEach(async () => {
  await engine?.close();
  await receiver?.close();
  await repository?.[Symbol.asyncDispose]();
});

async function start(
  settings: readonly (readonly [mode: string, key: string, value: string])[],
): Promise<void> {
  repository = await TempRepository.create(FILES);
  const all = [['', 'level', 'TIMESTAMPS'], ['', 'rate', '1'], ...settings];
  engine = await startTestEngine(repository.path, {
    trace: { settings: all.map(([mode = '', key = '', value = '']) => ({ mode, key, value })) },
  });
}

async function infer(model: string, input: string, headers: Record<string, string> = {}): Promise<void> {
  const body = JSON.stringify({ id: 'r', inputs: [tensor(input)] });
  const reply = await wireCall(engine?.ports.http ?? 0, { path: `/v2/models/${model}/infer`, body, headers });
  expect(reply.status).toBe(200);
}

/** What a record says, without times. */
type TraceRecord = {
  readonly id: number;
  readonly model_name?: string;
  readonly parent_id?: number;
  readonly activity?: string;
  readonly timestamps?: readonly { readonly name: string; readonly ns: number }[];
};

const said = (record: TraceRecord): string =>
  record.timestamps?.[0]?.name ?? record.activity ?? `model ${record.model_name ?? ''}`;

test('the file holds each stamp once, in the order of the reference', async () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'conch-trace-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = path.join(folder, 'trace.json');
  await start([
    ['', 'level', 'TENSORS'],
    ['triton', 'file', file],
  ]);
  await infer('onnx', 'INPUT');
  await infer('custom', 'INPUT0');
  await engine?.close();
  const records = JSON.parse(readFileSync(file, 'utf8')) as TraceRecord[];
  const ids = [...new Set(records.map(({ id }) => id))];
  const of = (id = 0): string[] => records.filter((record) => record.id === id).map(said);
  const before = ['HTTP_RECV_START', 'HTTP_RECV_END'];
  const queued = ['REQUEST_START', 'QUEUE_START', 'TENSOR_QUEUE_INPUT'];
  const answered = [
    'TENSOR_BACKEND_OUTPUT',
    'INFER_RESPONSE_COMPLETE',
    'COMPUTE_START',
    'COMPUTE_INPUT_END',
    'COMPUTE_OUTPUT_START',
    'COMPUTE_END',
    'REQUEST_END',
    'HTTP_SEND_START',
    'HTTP_SEND_END',
  ];
  expect(of(ids[0])).toEqual([...before, 'model onnx', ...queued, ...answered]);
  expect(of(ids[1])).toEqual([
    ...before,
    'model custom',
    ...queued,
    'CUSTOM_ACTIVITY_START',
    'CUSTOM_ACTIVITY_END',
    'CUSTOM_SINGLE_ACTIVITY',
    'CUSTOM_ACTIVITY0_START',
    'CUSTOM_SINGLE_ACTIVITY',
    'CUSTOM_ACTIVITY1_START',
    'CUSTOM_ACTIVITY1_END',
    'CUSTOM_ACTIVITY0_END',
    ...answered,
  ]);
});

/** "child < parent < ..." of each span, outermost last. */
function lines(spans: OtlpReceiver['spans']): string[] {
  const path = (id: string): string[] => {
    const span = spans.find(({ spanId }) => spanId === id);
    return span === undefined ? [] : [span.name, ...path(span.parentSpanId)];
  };
  return spans.map(({ spanId }) => path(spanId).join(' < ')).sort();
}

test('a collector gets the spans of an ensemble below the span of the client', async () => {
  receiver = await OtlpReceiver.start();
  await start([
    ['', 'mode', 'opentelemetry'],
    ['', 'rate', '0'],
    ['opentelemetry', 'url', `localhost:${receiver.port}/v1/traces`],
    ['opentelemetry', 'resource', 'team=a'],
  ]);
  await infer('both', 'A');
  await infer('both', 'A', PARENT);
  await engine?.close();
  expect(lines(receiver.spans)).toEqual([
    'CUSTOM_ACTIVITY < custom < both < InferRequest',
    'CUSTOM_ACTIVITY0 < custom < both < InferRequest',
    'CUSTOM_ACTIVITY1 < CUSTOM_ACTIVITY0 < custom < both < InferRequest',
    'InferRequest',
    'both < InferRequest',
    'compute < custom < both < InferRequest',
    'compute < onnx < both < InferRequest',
    'custom < both < InferRequest',
    'onnx < both < InferRequest',
  ]);
  const named = (name: string) => receiver?.spans.find((span) => span.name === name);
  expect(new Set(receiver.spans.map(({ traceId }) => traceId))).toEqual(new Set(['a'.repeat(32)]));
  expect(named('InferRequest')).toMatchObject({ parentSpanId: 'b'.repeat(16), traceState: 'vendor=1' });
  expect(named('InferRequest')?.events.map(({ name }) => name)).toEqual([
    'HTTP_RECV_START',
    'HTTP_RECV_END',
    'INFER_RESPONSE_COMPLETE',
    'HTTP_SEND_START',
    'HTTP_SEND_END',
  ]);
  expect(named('both')?.events.map(({ name }) => name)).toEqual([
    'REQUEST_START',
    'QUEUE_START',
    'REQUEST_END',
  ]);
  expect(named('both')?.attributes).toMatchObject({ 'triton.model_version': '1', 'triton.request_id': 'r' });
  expect(receiver.resources[0]).toMatchObject({ 'service.name': 'triton-inference-server', team: 'a' });
  const age = Date.now() - Number(BigInt(named('compute')?.startTimeUnixNano ?? '0') / 1_000_000n);
  expect(age).toBeGreaterThanOrEqual(0);
  expect(age).toBeLessThan(60_000);
});

/** Resolves with the message of what refused it, "" for an answer. */
async function inferOverGrpc(
  inputs: readonly ClientTensor[],
  headers: Record<string, string> = {},
): Promise<string> {
  const client = new Client(`127.0.0.1:${engine?.ports.grpc ?? 0}`, credentials.createInsecure());
  const metadata = new Metadata();
  for (const [key, value] of Object.entries(headers)) metadata.set(key, value);
  const body = encodeGrpcRequest({
    model: 'onnx',
    version: '',
    id: '',
    inputs,
    outputs: [],
    parameters: new Map(),
  });
  const asIs = (bytes: Buffer): Buffer => bytes;
  const path = '/inference.GRPCInferenceService/ModelInfer';
  const refused = await new Promise<string>((done) => {
    client.makeUnaryRequest(path, asIs, asIs, body, metadata, (error) => done(error?.details ?? ''));
  });
  client.close();
  return refused;
}

const ROW: ClientTensor = { name: 'INPUT', datatype: 'FP32', shape: [4], bytes: new Uint8Array(16) };

test('a gRPC call names its parent in its metadata', async () => {
  receiver = await OtlpReceiver.start();
  await start([
    ['', 'mode', 'opentelemetry'],
    ['opentelemetry', 'url', `localhost:${receiver.port}/v1/traces`],
  ]);
  expect(await inferOverGrpc([ROW], PARENT)).toBe('');
  await engine?.close();
  expect(lines(receiver.spans)).toEqual([
    'InferRequest',
    'compute < onnx < InferRequest',
    'onnx < InferRequest',
  ]);
  const root = receiver.spans.find(({ name }) => name === 'InferRequest');
  expect(root).toMatchObject({ traceId: 'a'.repeat(32), parentSpanId: 'b'.repeat(16) });
  expect(root?.events.map(({ name }) => name)).toEqual([
    'GRPC_WAITREAD_START',
    'GRPC_WAITREAD_END',
    'INFER_RESPONSE_COMPLETE',
    'GRPC_SEND_START',
    'GRPC_SEND_END',
  ]);
});

test('a gRPC request that is refused before it is whole takes no trace from those that follow', async () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'conch-trace-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  await start([
    ['', 'count', '1'],
    ['triton', 'file', path.join(folder, 'trace.json')],
  ]);
  expect(await inferOverGrpc([ROW, ROW])).toContain('INPUT');
  expect(await inferOverGrpc([ROW])).toBe('');
  await engine?.close();
  const [file = ''] = readdirSync(folder);
  const records = JSON.parse(readFileSync(path.join(folder, file), 'utf8')) as TraceRecord[];
  expect(new Set(records.map(({ id }) => id)).size).toBe(1);
  expect(records.map(said)).toContain('COMPUTE_END');
});
