import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { systemClock } from '../../src-main/base/clock.ts';
import { GrpcInferClient } from '../../src-main/client/grpc-client.ts';
import { HttpInferClient } from '../../src-main/client/http-client.ts';
import type { InferClient } from '../../src-main/client/infer-client.ts';
import type { Engine } from '../../src-main/engine.ts';
import { writeOnnx } from '../../src-main/onnx/onnx-writer.ts';
import { startTestEngine } from '../../src-main/testing/start-test-engine.ts';
import { TempRepository } from '../../src-main/testing/temp-repository.ts';

// Memory of large messages and results is freed as soon as they were sent: no answer may be made of another one's bytes,
// nor of freed ones, whatever is under way beside it.

const tensor = (name: string) => ({ name, datatype: 'UINT8' as const, shape: ['count'] });
const IDENTITY = writeOnnx({
  graph: {
    name: 'same',
    nodes: [{ opType: 'Identity', inputs: ['INPUT'], outputs: ['OUTPUT'] }],
    inputs: [tensor('INPUT')],
    outputs: [tensor('OUTPUT')],
  },
});
const SAME = `name: "same"
backend: "onnxruntime"
max_batch_size: 0
input { name: "INPUT" data_type: TYPE_UINT8 dims: [ -1 ] }
output { name: "OUTPUT" data_type: TYPE_UINT8 dims: [ -1 ] }
response_cache { enable: CACHE }
`;
const TWICE = `name: "twice"
platform: "ensemble"
max_batch_size: 0
input { name: "INPUT" data_type: TYPE_UINT8 dims: [ -1 ] }
output { name: "MIDDLE" data_type: TYPE_UINT8 dims: [ -1 ] }
output { name: "OUTPUT" data_type: TYPE_UINT8 dims: [ -1 ] }
ensemble_scheduling { step [
  { model_name: "same" model_version: -1 input_map { key: "INPUT" value: "INPUT" } output_map { key: "OUTPUT" value: "MIDDLE" } },
  { model_name: "same" model_version: -1 input_map { key: "INPUT" value: "MIDDLE" } output_map { key: "OUTPUT" value: "OUTPUT" } }
] }
`;

let repository: TempRepository;
let engine: Engine;
let clients: Record<'http' | 'grpc', InferClient>;

beforeAll(async () => {
  repository = await TempRepository.create({
    'same/config.pbtxt': SAME.replace('CACHE', 'false'),
    'same/1/model.onnx': IDENTITY,
    'cached/config.pbtxt': SAME.replace('CACHE', 'true').replace('"same"', '"cached"'),
    'cached/1/model.onnx': IDENTITY,
    'twice/config.pbtxt': TWICE,
    'twice/1/': '',
  });
  engine = await startTestEngine(repository.path, {
    cache: { name: 'local', settings: [['size', '67108864']] },
  });
  clients = {
    http: new HttpInferClient(`127.0.0.1:${engine.ports.http}`, { clock: systemClock, encoding: 'binary' }),
    grpc: new GrpcInferClient(`127.0.0.1:${engine.ports.grpc}`, { clock: systemClock }),
  };
});
afterAll(async () => {
  await Promise.all(Object.values(clients).map((client) => client.close()));
  await engine.close();
  await repository[Symbol.asyncDispose]();
});

async function echo(client: InferClient, model: string, bytes: Uint8Array): Promise<void> {
  const { error, responses } = await client.infer({
    model,
    version: '',
    id: '',
    inputs: [{ name: 'INPUT', datatype: 'UINT8', shape: [bytes.byteLength], bytes }],
    outputs: [],
    parameters: new Map(),
  });
  expect(error).toBeUndefined();
  const outputs = responses[0]?.outputs ?? [];
  expect(outputs).toHaveLength(model === 'twice' ? 2 : 1);
  for (const output of outputs) expect(Buffer.from(output.bytes).equals(bytes)).toBe(true);
}

test.each(['http', 'grpc'] as const)('over %s every client gets its own bytes back', async (protocol) => {
  const models = ['same', 'twice', 'cached'];
  const sizes = [9000, 300_000, 1_500_000, 3_000_000];
  const work = Array.from({ length: 36 }, (_, index) => {
    const bytes = randomBytes(sizes[index % sizes.length] ?? 0);
    return { model: models[index % models.length] ?? '', bytes };
  });
  for (let round = 0; round < 2; round += 1) {
    await Promise.all(work.map(({ model, bytes }) => echo(clients[protocol], model, bytes)));
  }
});
