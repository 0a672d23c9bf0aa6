// Python models served over HTTP and gRPC: the usual life of a model, and what it prints.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { needsPython, testPython } from '../../../src-main/testing/test-python.ts';
import { executing, PythonWorld } from './python-world.ts';

const IDENTITY = executing(
  'return [InferenceResponse([Tensor("OUTPUT0", request.inputs()[0].as_numpy())]) for request in requests]',
);

const ADD_SUB = `
class TritonPythonModel:
    def initialize(self, args):
        print("initialize of", args["model_instance_name"])
        self.config = json.loads(args["model_config"])

    def execute(self, requests):
        responses = []
        for request in requests:
            a = pb_utils.get_input_tensor_by_name(request, "INPUT0").as_numpy()
            b = pb_utils.get_input_tensor_by_name(request, "INPUT1").as_numpy()
            responses.append(InferenceResponse([Tensor("OUTPUT0", a + b), Tensor("OUTPUT1", a - b)]))
        return responses

    def finalize(self):
        print("finalize")
`;

const TWO_TO_TWO = `max_batch_size: 8
input [ { name: "INPUT0" data_type: TYPE_INT32 dims: [ 2 ] }, { name: "INPUT1" data_type: TYPE_INT32 dims: [ 2 ] } ]
output [ { name: "OUTPUT0" data_type: TYPE_INT32 dims: [ 2 ] }, { name: "OUTPUT1" data_type: TYPE_INT32 dims: [ 2 ] } ]
instance_group [ { kind: KIND_CPU count: 2 } ]`;

const ints = (name: string, data: readonly number[]) => ({ name, datatype: 'INT32', shape: [1, 2], data });

describe.skipIf(testPython() === undefined)(needsPython('python models'), () => {
  let world: PythonWorld;

  beforeAll(async () => {
    world = await PythonWorld.create({
      identity: { code: IDENTITY },
      add_sub: { code: ADD_SUB, config: TWO_TO_TWO },
    });
  });

  afterAll(async () => {
    await world[Symbol.asyncDispose]();
    expect(world.logged('finalize')).toHaveLength(2);
  });

  test('are told that they run on the CPU where their configuration names GPUs that are not there', async () => {
    const code = `
class TritonPythonModel:
    def initialize(self, args):
        print("place", args["model_instance_kind"], args["model_instance_device_id"])

    def execute(self, requests):
        return []
`;
    const config = `instance_group [ { count: 1 kind: KIND_GPU gpus: [ 0, 1 ] } ]
input [ { name: "INPUT0" data_type: TYPE_FP32 dims: [ 1 ] } ]
output [ { name: "OUTPUT0" data_type: TYPE_FP32 dims: [ 1 ] } ]`;
    expect(await world.load('far', { code, config })).toBe('');
    expect(world.logged('place CPU 0')).toHaveLength(2);
    expect(world.logged('place GPU')).toHaveLength(0);
    await world.call('repository/models/far/unload', {});
  });

  test('take time in each part of an execution, as the statistics tell', async () => {
    await world.infer('add_sub', { inputs: [ints('INPUT0', [5, 6]), ints('INPUT1', [1, 2])] });
    const { body } = await world.call('models/add_sub/stats');
    const part = { ns: expect.toSatisfy((ns: number) => ns > 0) as number };
    expect(body).toMatchObject({
      model_stats: [
        { inference_stats: { queue: part, compute_input: part, compute_infer: part, compute_output: part } },
      ],
    });
  });

  test('answer over HTTP', async () => {
    const reply = await world.infer('add_sub', { inputs: [ints('INPUT0', [5, 6]), ints('INPUT1', [1, 2])] });
    expect(reply).toMatchObject({
      status: 200,
      outputs: [
        { name: 'OUTPUT0', shape: [1, 2], data: [6, 8] },
        { name: 'OUTPUT1', shape: [1, 2], data: [4, 4] },
      ],
    });
  });

  test('answer over gRPC', async () => {
    const { responses } = await world.grpc.infer({
      model: 'identity',
      version: '',
      id: '7',
      inputs: [
        {
          name: 'INPUT0',
          datatype: 'FP32',
          shape: [3],
          bytes: new Uint8Array(Float32Array.of(1, 2, 3).buffer),
        },
      ],
      outputs: [],
      parameters: new Map(),
    });
    const bytes = Uint8Array.from(responses[0]?.outputs[0]?.bytes ?? []);
    expect([...new Float32Array(bytes.buffer)]).toEqual([1, 2, 3]);
  });

  test('have one process for each instance, and their prints in the log by instance', () => {
    const lines = world.logs.filter(({ message }) => message.startsWith('initialize of'));
    expect(lines.map(({ fields }) => fields?.['instance']).sort()).toEqual(['add_sub_0_0', 'add_sub_0_1']);
  });

  test.each([0, 1, 16_383, 16_384, 16_385, 300_000])(
    'carry a tensor of %d elements unchanged',
    async (count) => {
      const values = Array.from({ length: count }, (_, index) => index);
      const { outputs } = await world.ask('identity', values);
      expect(outputs[0]?.shape).toEqual([count]);
      expect(outputs[0]?.data).toEqual(values);
    },
  );

  test('answer many requests at once, each with its own', async () => {
    const replies = await Promise.all(
      Array.from({ length: 40 }, (_, index) => world.ask('identity', [index, 0.5])),
    );
    expect(replies.map(({ outputs }) => outputs[0]?.data[0])).toEqual(
      Array.from({ length: 40 }, (_, index) => index),
    );
  });
});
