// The HTTP rows that need a real model: validation and results through the engine over models like those of the quick start.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Engine } from '../../../src-main/engine.ts';
import { fixture } from '../../../src-main/testing/fixtures.ts';
import { startTestEngine } from '../../../src-main/testing/start-test-engine.ts';
import { splitInferReply, wireCall } from '../../../src-main/testing/wire-http.ts';

let engine: Engine;

interface Tensor {
  readonly name: string;
  readonly datatype: string;
  readonly shape: readonly number[];
  readonly data: readonly unknown[];
}

const ones = Array<number>(16).fill(1);
const input = (name: string, change: Partial<Tensor> = {}): Tensor => ({
  name,
  datatype: 'INT32',
  shape: [1, 16],
  data: ones,
  ...change,
});
const both = (change: Partial<Tensor> = {}): object => ({
  inputs: [input('INPUT0', change), input('INPUT1', change)],
});

const call = (path: string, body?: object) =>
  wireCall(engine.ports.http ?? 0, { path, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });

const strings = (name: string, count: number, shape = [1, 16]): Tensor => ({
  name,
  datatype: 'BYTES',
  shape,
  data: Array<string>(count).fill('1'),
});

describe('models of the quick start over HTTP', () => {
  beforeAll(async () => {
    engine = await startTestEngine(fixture('models'), {
      repository: { startupModels: ['simple', 'simple_string', 'simple_int8', 'simple_sequence'] },
      metrics: { enabled: false },
    });
  });

  afterAll(() => engine.close());

  test('adds and subtracts, as JSON and as binary', async () => {
    const json = await call('/v2/models/simple/infer', {
      inputs: [input('INPUT0', { data: ones.map((_, i) => i) }), input('INPUT1')],
    });
    const { outputs } = JSON.parse(json.text) as { outputs: Tensor[] };
    expect(outputs.find(({ name }) => name === 'OUTPUT0')?.data).toEqual(ones.map((_, i) => i + 1));
    expect(outputs.find(({ name }) => name === 'OUTPUT1')?.data).toEqual(ones.map((_, i) => i - 1));
    const binary = await call('/v2/models/simple/infer', {
      ...both(),
      parameters: { binary_data_output: true },
    });
    expect(splitInferReply(binary).binary).toHaveLength(128);
    const strange = await call('/v2/models/simple_string/infer', {
      inputs: [strings('INPUT0', 16), strings('INPUT1', 16)],
    });
    expect(strange.text).toContain('"data":["2","2"');
  });

  test.each<[string, string, object, number, string]>([
    [
      'simple',
      'no inputs',
      { inputs: [] },
      400,
      "expected 2 inputs but got 0 inputs for model 'simple'. Got input(s) [], but missing required input(s) ['INPUT0','INPUT1']. Please provide all required input(s).",
    ],
    [
      'simple',
      'one input',
      { inputs: [input('INPUT1')] },
      400,
      "Got input(s) ['INPUT1'], but missing required input(s) ['INPUT0']",
    ],
    [
      'simple',
      'wrong name',
      { inputs: [input('INPUT0'), input('OTHER')] },
      400,
      "unexpected inference input 'OTHER' for model 'simple'",
    ],
    [
      'simple',
      'wrong output',
      { ...both(), outputs: [{ name: 'NO' }] },
      400,
      "unexpected inference output 'NO' for model 'simple'",
    ],
    [
      'simple',
      'wrong datatype',
      both({ datatype: 'FP32' }),
      400,
      "inference input 'INPUT1' data-type is 'FP32', but model 'simple' expects 'INT32'",
    ],
    [
      'simple',
      'wrong shape',
      both({ shape: [1, 4], data: [1, 2, 3, 4] }),
      400,
      "unexpected shape for input 'INPUT1' for model 'simple'. Expected [-1,16], got [1,4]",
    ],
    [
      'simple',
      'batch too large',
      both({ shape: [9, 16], data: Array(144).fill(1) }),
      400,
      "inference request batch-size must be <= 8 for 'simple'",
    ],
    [
      'simple',
      'batches differ',
      { inputs: [input('INPUT0'), input('INPUT1', { shape: [2, 16], data: Array(32).fill(1) })] },
      400,
      "input 'INPUT0' batch size does not match other inputs for 'simple'",
    ],
    [
      'simple_string',
      'too few strings',
      { inputs: [strings('INPUT0', 16), strings('INPUT1', 14)] },
      400,
      "expected 16 string elements for inference input 'INPUT1' for model 'simple_string', got 14",
    ],
    [
      'simple_string',
      'too many strings',
      { inputs: [strings('INPUT0', 16), strings('INPUT1', 17)] },
      400,
      "unexpected number of string elements 17 for inference input 'INPUT1' for model 'simple_string', expecting 16",
    ],
    [
      'simple_sequence',
      'no sequence',
      { inputs: [input('INPUT', { shape: [1, 1], data: [1] })] },
      400,
      "inference request to model 'simple_sequence' must specify a non-zero or non-empty correlation ID",
    ],
    [
      'simple_sequence',
      'no start',
      { parameters: { sequence_id: 5 }, inputs: [input('INPUT', { shape: [1, 1], data: [1] })] },
      400,
      "inference request for sequence 5 to model 'simple_sequence' must specify the START flag on the first request of the sequence",
    ],
  ])('%s: %s', async (model, _, body, status, message) => {
    const reply = await call(`/v2/models/${model}/infer`, body);
    expect([reply.status, (JSON.parse(reply.text) as { error: string }).error]).toEqual([
      status,
      expect.stringContaining(message),
    ]);
  });

  test('keeps a sequence together', async () => {
    const step = (value: number, flags: object) =>
      call('/v2/models/simple_sequence/infer', {
        parameters: { sequence_id: 42, ...flags },
        inputs: [input('INPUT', { shape: [1, 1], data: [value] })],
      });
    const replies = [
      await step(3, { sequence_start: true }),
      await step(4, {}),
      await step(5, { sequence_end: true }),
    ];
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200]);
  });

  test('refuses a raw body for a model with two inputs', async () => {
    const reply = await wireCall(engine.ports.http ?? 0, {
      path: '/v2/models/simple/infer',
      body: Buffer.alloc(64),
      headers: { 'Inference-Header-Content-Length': 0 },
    });
    expect([reply.status, reply.text]).toEqual([
      400,
      expect.stringContaining(
        "Raw request must only have 1 input (found 1) to be deduced but got 2 inputs in 'simple' model configuration",
      ),
    ]);
  });

  test('goes through the life of a model', async () => {
    const path = '/v2/repository/models/simple_int8';
    expect((await call('/v2/models/simple_int8/ready')).status).toBe(200);
    expect((await call(`${path}/unload`, {})).status).toBe(200);
    expect((await call('/v2/models/simple_int8/ready')).status).toBe(400);
    const named = await call('/v2/models/simple_int8/versions/1/infer', both({ datatype: 'INT8' }));
    expect([named.status, named.text]).toEqual([
      503,
      expect.stringContaining('version 1 is not at ready state'),
    ]);
    const unnamed = await call('/v2/models/simple_int8/infer', both({ datatype: 'INT8' }));
    expect([unnamed.status, unnamed.text]).toEqual([
      404,
      expect.stringContaining('has no available versions'),
    ]);
    await engine.repository.settled();
    const index = await call('/v2/repository/index', {});
    expect(JSON.parse(index.text)).toContainEqual({
      name: 'simple_int8',
      version: '1',
      state: 'UNAVAILABLE',
      reason: 'unloaded',
    });
    const bad = await call(`${path}/load`, { parameters: { config: 'no json' } });
    expect([bad.status, bad.text]).toEqual([
      500,
      expect.stringContaining("failed to load 'simple_int8', failed to poll from model repository"),
    ]);
    expect((await call(`${path}/load`, { parameters: { config: '{"max_batch_size":"16"}' } })).status).toBe(
      200,
    );
    const config = JSON.parse((await call('/v2/models/simple_int8/config')).text) as {
      max_batch_size: number;
    };
    expect(config.max_batch_size).toBe(16);
    expect((await call('/v2/repository/models/nope/unload', {})).status).toBe(200);
    const unknown = await call('/v2/repository/models/nope/load', {});
    expect([unknown.status, unknown.text]).toEqual([
      500,
      expect.stringContaining("failed to load 'nope', failed to poll from model repository"),
    ]);
  });
});
