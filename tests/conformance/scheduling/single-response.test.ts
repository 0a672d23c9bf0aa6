// A model that is not decoupled and does not answer exactly once, seen by clients of each kind.

import { afterAll, beforeAll, expect, test } from 'vitest';

import { systemClock } from '../../../src-main/base/clock.ts';
import { GrpcInferClient } from '../../../src-main/client/grpc-client.ts';
import type { ClientRequest } from '../../../src-main/client/infer-client.ts';
import type { Engine } from '../../../src-main/engine.ts';
import type { GrpcStreamResponse } from '../../../src-main/grpc-wire/infer-message.ts';
import { startTestEngine } from '../../../src-main/testing/start-test-engine.ts';
import { TempRepository } from '../../../src-main/testing/temp-repository.ts';
import { wireCall } from '../../../src-main/testing/wire-http.ts';

const REPEAT = `backend: "repeat" instance_group [ { kind: KIND_CPU } ]
  input [ { name: "IN" data_type: TYPE_INT32 dims: [ -1 ] }, { name: "DELAY" data_type: TYPE_UINT32 dims: [ -1 ] },
          { name: "WAIT" data_type: TYPE_UINT32 dims: [ 1 ] } ]
  output [ { name: "OUT" data_type: TYPE_INT32 dims: [ 1 ] } ]`;
const FAIL_THEN_ANSWER = `export async function execute([request]) {
  await request.send({ error: 'no' });
  await request.send({ outputs: { OUT: new Int32Array([1]) } });
}`;

let repository: TempRepository;
let engine: Engine;
let client: GrpcInferClient;

beforeAll(async () => {
  repository = await TempRepository.create({
    'm/1/': '',
    'm/config.pbtxt': REPEAT,
    'fails/1/model.js': FAIL_THEN_ANSWER,
    'fails/config.pbtxt': REPEAT.replace('"repeat"', '"javascript"'),
  });
  engine = await startTestEngine(repository.path);
  client = new GrpcInferClient(`127.0.0.1:${engine.ports.grpc ?? 0}`, { clock: systemClock });
});

afterAll(async () => {
  await client.close();
  await engine.close();
  await repository[Symbol.asyncDispose]();
});

const bytes = (...values: number[]): Uint8Array => new Uint8Array(Int32Array.from(values).buffer);

function request(values: number[], model = 'm'): ClientRequest {
  const shape = [values.length];
  return {
    model,
    version: '',
    id: String(values.length),
    inputs: [
      { name: 'IN', datatype: 'INT32', shape, bytes: bytes(...values) },
      { name: 'DELAY', datatype: 'UINT32', shape, bytes: bytes(...values.map(() => 0)) },
      { name: 'WAIT', datatype: 'UINT32', shape: [1], bytes: bytes(0) },
    ],
    outputs: [],
    parameters: new Map(),
  };
}

/** Everything that one stream answers to these requests. */
async function streamed(...requests: ClientRequest[]): Promise<GrpcStreamResponse[]> {
  const messages: GrpcStreamResponse[] = [];
  await new Promise<void>((resolve) => {
    const stream = client.stream({
      onMessage: (message) => void messages.push(message),
      onEnd: () => resolve(),
    });
    for (const one of requests) stream.send(one);
    stream.halfClose();
  });
  return messages;
}

const said = ({ errorMessage, response }: GrpcStreamResponse): unknown[] => [
  response?.id,
  errorMessage,
  ...(response?.outputs ?? []).map(({ bytes: { buffer, byteOffset } }) =>
    new DataView(buffer, byteOffset).getInt32(0, true),
  ),
  response?.parameters.get('triton_final_response'),
];

test.each([0, 2, 3])('unary calls refuse %i responses', async (count) => {
  const text = `expected a single response, got ${count}`;
  const values = Array<number>(count).fill(7);
  expect(await client.infer(request(values))).toMatchObject({
    ok: false,
    statusText: 'INTERNAL',
    error: text,
  });
  const tensor = (name: string, datatype: string, data: number[]) => {
    return { name, datatype, shape: [data.length], data };
  };
  const inputs = [
    tensor('IN', 'INT32', values),
    tensor(
      'DELAY',
      'UINT32',
      values.map(() => 0),
    ),
    tensor('WAIT', 'UINT32', [0]),
  ];
  const path = '/v2/models/m/infer';
  const reply = await wireCall(engine.ports.http ?? 0, { path, body: JSON.stringify({ inputs }) });
  expect([reply.status, reply.text]).toEqual([500, `{"error":"${text}"}`]);
});

test('a stream takes the first response and drops the others', async () => {
  const messages = await streamed(request([5]), request([7, 8]), request([1, 2, 3]));
  expect(messages.map(said)).toEqual([
    ['1', '', 5, false],
    ['2', '', 7, false],
    ['3', '', 1, false],
  ]);
});

test('a stream answers a request without a response by an error', async () => {
  expect((await streamed(request([]))).map(said)).toEqual([['0', 'expected a single response, got 0', true]]);
});

test('an error that comes first is the answer', async () => {
  expect((await streamed(request([4], 'fails'))).map(said)).toEqual([['1', 'no', false]]);
});
