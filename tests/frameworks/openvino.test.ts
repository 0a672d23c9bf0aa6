// OpenVINO models, on a Python that has openvino.
import { availableParallelism } from 'node:os';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeOnnx } from '../../src-main/onnx/onnx-writer.ts';
import { isRunning } from '../../src-main/testing/is-running.ts';
import { needsPython, testPython } from '../../src-main/testing/test-python.ts';
import { floats, FrameworkWorld, tensor } from './framework-world.ts';

const FP32 = 'TYPE_FP32';
const both = (dims: string, type = FP32): string =>
  `input [ ${tensor('INPUT0', type, dims)}, ${tensor('INPUT1', type, dims)} ]
   output [ ${tensor('OUTPUT0', type, dims)}, ${tensor('OUTPUT1', type, dims)} ]`;
const one = (dims: string, out = dims, type = FP32): string =>
  `input [ ${tensor('x', type, dims)} ] output [ ${tensor('y', type, out)} ]`;
const parameter = (key: string, value: string): string =>
  `parameters { key: "${key}" value { string_value: "${value}" } }`;
const OV = 'backend: "openvino"';

describe.skipIf(testPython('openvino') === undefined)(needsPython('openvino', 'openvino'), () => {
  let world: FrameworkWorld;
  beforeAll(async () => {
    world = await FrameworkWorld.create('openvino_models.py', 'openvino', 'openvino');
  }, 120_000);
  afterAll(() => world[Symbol.asyncDispose]());

  const load = (name: string, made: string, config?: string) =>
    world.load(name, { made, at: '1', ...(config === undefined ? {} : { config }) });

  it('answers with sum and difference', async () => {
    expect(await load('addsub', 'addsub', `${OV} ${both('-1, 4')}`)).toBe('');
    const { outputs } = await world.infer('addsub', [
      floats('INPUT0', [5, 6, 7, 8, 1, 1, 1, 1], [2, 4]),
      floats('INPUT1', [1, 2, 3, 4, 1, 1, 1, 1], [2, 4]),
    ]);
    expect(outputs).toEqual({
      OUTPUT0: { shape: [2, 4], data: [6, 8, 10, 12, 2, 2, 2, 2] },
      OUTPUT1: { shape: [2, 4], data: [4, 4, 4, 4, 0, 0, 0, 0] },
    });
  });

  describe('completion', () => {
    it('row 43: a layout with a batch dimension', async () => {
      expect(await load('layout', 'layout')).toBe('');
      expect(await world.config('layout')).toMatchObject({
        backend: 'openvino',
        max_batch_size: 4,
        input: [
          { name: 'INPUT0', data_type: FP32, dims: [4] },
          { name: 'INPUT1', data_type: FP32, dims: [4] },
        ],
        dynamic_batching: {},
      });
    });

    it('row 44: without a layout, complete dims', async () => {
      expect(await load('plain', 'fixed')).toBe('');
      expect(await world.config('plain')).toMatchObject({
        max_batch_size: 0,
        input: [{ dims: [1, 4] }, { dims: [1, 4] }],
        output: [{ dims: [1, 4] }, { dims: [1, 4] }],
      });
    });

    it('row 45: one dynamic dimension makes all of them so', async () => {
      expect(await load('dynamic', 'dynamic')).toBe('');
      expect(await world.config('dynamic')).toMatchObject({
        input: [{ dims: [-1, -1] }],
        output: [{ dims: [-1, -1] }],
      });
    });
  });

  it('a dynamic batch dimension with a layout loads, and any size up to the limit is a batch', async () => {
    expect(await load('growing', 'growing', `${OV} ${parameter('ENABLE_BATCH_PADDING', 'YES')}`)).toBe('');
    const reply = await world.infer('growing', [
      floats('INPUT0', [1, 2, 3, 4]),
      floats('INPUT1', [1, 1, 1, 1]),
    ]);
    expect(reply.outputs['OUTPUT0']).toEqual({ shape: [1, 4], data: [2, 3, 4, 5] });
  });

  describe('refused when loaded', () => {
    const KINDS = 'Triton OpenVINO backend supports only Kind CPU and AUTO';
    const onKind = (kind: string): string => `${both('1, 4')} instance_group [ { kind: ${kind} } ]`;
    it.each([
      [
        'row 1',
        'fixed',
        both('1, 4').replace('dims: [ 1, 4 ] ', 'dims: [ 1, 4 ] optional: true '),
        "'optional' is set to true for input 'INPUT0' while the backend model doesn't support optional input",
      ],
      ['row 42', 'fixed', onKind('KIND_GPU gpus: [ 0 ]'), KINDS],
      ['row 42 any', 'fixed', onKind('KIND_GPU'), KINDS],
      ['row 42 by model', 'fixed', onKind('KIND_MODEL'), KINDS],
      [
        'row 46 too many',
        'fixed',
        both('1, 4').replace('input [', `input [ ${tensor('NOWHERE', FP32, '1, 4')},`),
        'configuration expects 3 inputs, model provides 2',
      ],
      [
        'row 46 count',
        'fixed',
        `input [ ${tensor('INPUT0', FP32, '1, 4')} ] output [ ${tensor('OUTPUT0', FP32, '1, 4')} ]`,
        'configuration expects 1 inputs, model provides 2',
      ],
      [
        'row 46 name',
        'fixed',
        both('1, 4').replace('"INPUT1"', '"OTHER"'),
        "unexpected inference input 'OTHER', allowed inputs are: INPUT0, INPUT1",
      ],
      [
        'row 46 output',
        'fixed',
        both('1, 4').replace('"OUTPUT1"', '"OTHER"'),
        "unexpected inference output 'OTHER', allowed outputs are: OUTPUT0, OUTPUT1",
      ],
      [
        'row 47',
        'fixed',
        both('1, 256'),
        "tensor 'INPUT0': the model expects 2 dimensions (shape [1,4]) but the model configuration specifies 2 dimensions (shape [1,256])",
      ],
      [
        'row 49',
        'fixed',
        both('1, 4', 'TYPE_FP64'),
        "unsupported datatype TYPE_FP64 for input 'INPUT0' for model 'refused'",
      ],
      ['row 49 strings', 'fixed', both('1, 4', 'TYPE_STRING'), 'unsupported datatype TYPE_STRING'],
      [
        'row 53',
        'fixed',
        `${both('1, 4')} ${parameter('NUM_STREAMS', 'Many')}`,
        "expected the parameter 'NUM_STREAMS' to be either AUTO/NUMA/<int_value>, got many",
      ],
      [
        'row 54',
        'fixed',
        `${both('1, 4')} ${parameter('HINT_BF16', 'no')}`,
        "expected the parameter 'HINT_BF16' to be YES, got no",
      ],
      ['row 55', 'broken', both('1, 4'), 'openvino error in reading model : '],
    ])('%s', async (_row, made, text, refusal) => {
      expect(await load('refused', made, `${OV} ${text}`)).toContain(refusal);
    });
  });

  describe('running', () => {
    it('row 48: a configured type that differs is converted', async () => {
      expect(await load('converted', 'integers', `${OV} ${one('1, 4')}`)).toBe('');
      expect((await world.infer('converted', [floats('x', [1, 2, 3, 4])])).outputs['y']?.data).toEqual([
        2, 3, 4, 5,
      ]);
    });

    it('rows 50, 51: batches are full, or filled up', async () => {
      const text = `${OV} max_batch_size: 4 ${one('4')}`;
      expect(await load('full', 'dynamic', text)).toBe('');
      const refused = await world.infer('full', [floats('x', [1, -2, 3, -4])]);
      expect([refused.status, refused.error]).toEqual([
        500,
        expect.stringContaining("expected requests with batch size '4', got '1'... "),
      ]);
      expect(await load('padded', 'dynamic', `${text} ${parameter('ENABLE_BATCH_PADDING', 'yes')}`)).toBe('');
      const padded = await world.infer('padded', [floats('x', [1, -2, 3, -4])]);
      expect(padded.outputs['y']).toEqual({ shape: [1, 4], data: [1, 0, 3, 0] });
    });

    it('row 50: several requests do not fill a batch, and one alone does', async () => {
      const text = `${OV} max_batch_size: 4 ${one('4')}
        dynamic_batching { preferred_batch_size: [ 4 ] max_queue_delay_microseconds: 10000000 }`;
      expect(await load('halves', 'dynamic', text)).toBe('');
      const rows = (count: number) => floats('x', new Array<number>(count * 4).fill(2), [count, 4]);
      const halves = await Promise.all([1, 2].map(() => world.infer('halves', [rows(2)])));
      for (const { error } of halves)
        expect(error).toContain("expected requests with batch size '4', got '2'...");
      expect((await world.infer('halves', [rows(4)])).outputs['y']?.shape).toEqual([4, 4]);
    });

    it('inputs that are called ragged are not, and do not share a batch in other shapes', async () => {
      const text = `${OV} max_batch_size: 2 ${one('-1').replace('dims: [ -1 ]', 'dims: [ -1 ] allow_ragged_batch: true')}
        ${parameter('RESHAPE_IO_LAYERS', 'YES')} ${parameter('ENABLE_BATCH_PADDING', 'YES')}
        dynamic_batching { preferred_batch_size: [ 2 ] max_queue_delay_microseconds: 10000000 }`;
      expect(await load('ragged', 'dynamic', text)).toBe('');
      const replies = await Promise.all(
        [
          [1, 2, 3, 4],
          [1, 2],
        ].map((data) => world.infer('ragged', [floats('x', data)])),
      );
      for (const { status, error } of replies) {
        expect([status, error]).toEqual([
          501,
          expect.stringMatching(/^expected (32|16) bytes of data in input buffer, got 24 bytes\.$/),
        ]);
      }
    });

    it('answers in the order of the configuration', async () => {
      const text = `${OV} ${both('1, 4')}`
        .replace('"OUTPUT0"', '"?"')
        .replace('"OUTPUT1"', '"OUTPUT0"')
        .replace('"?"', '"OUTPUT1"');
      expect(await load('turned', 'fixed', text)).toBe('');
      const { outputs } = await world.infer('turned', [
        floats('INPUT0', [5, 0, 0, 0]),
        floats('INPUT1', [1, 0, 0, 0]),
      ]);
      expect(Object.entries(outputs).map(([name, { data }]) => [name, data[0]])).toEqual([
        ['OUTPUT1', 4],
        ['OUTPUT0', 6],
      ]);
    });

    it('row 52: configured dims are taken, several sizes are answered', async () => {
      const text = `${OV} ${one('-1, 3, -1, -1', '-1, 3')} ${parameter('RESHAPE_IO_LAYERS', 'YES')}`;
      expect(await load('reshaped', 'pooled', text)).toBe('');
      for (const size of [4, 6]) {
        const data = new Array<number>(3 * size * size).fill(size);
        const reply = await world.infer('reshaped', [floats('x', data, [1, 3, size, size])]);
        expect(reply.outputs['y']).toEqual({ shape: [1, 3], data: [size, size, size] });
      }
    });

    it('row 56: an ONNX file by its name', async () => {
      const value = (name: string) => ({ name, datatype: 'FP32' as const, shape: ['batch', 4] });
      const onnx = writeOnnx({
        graph: {
          name: 'negated',
          nodes: [{ opType: 'Neg', inputs: ['x'], outputs: ['y'] }],
          inputs: [value('x')],
          outputs: [value('y')],
        },
      });
      await world.repository.write({ 'from_onnx/1/model.onnx': onnx });
      const config = `${OV} default_model_filename: "model.onnx" ${one('-1, 4', '-1, 4')}`;
      expect(await world.load('from_onnx', { config })).toBe('');
      const reply = await world.infer('from_onnx', [floats('x', [1, -2, 3, -4])]);
      expect(reply.outputs['y']).toEqual({ shape: [1, 4], data: [-1, 2, -3, 4] });
    });

    it('row 57: three instances', async () => {
      const before = world.logged('Target device CPU').length;
      expect(
        await load('three', 'fixed', `${OV} ${both('1, 4')} instance_group [ { count: 3 kind: KIND_CPU } ]`),
      ).toBe('');
      const replies = await Promise.all(
        [1, 2, 3].map((value) =>
          world.infer('three', [floats('INPUT0', [value, 0, 0, 0]), floats('INPUT1', [1, 0, 0, 0])]),
        ),
      );
      expect(replies.map(({ outputs }) => outputs['OUTPUT0']?.data[0])).toEqual([2, 3, 4]);
      // They run what one process compiled once, and its memory is told once.
      const [first, ...others] = await world.hosts('three');
      expect(others.map(({ pid }) => pid)).toEqual([first?.pid, first?.pid]);
      expect(others.map(({ memoryBytes }) => memoryBytes)).toEqual([undefined, undefined]);
      expect(world.logged('Target device CPU').length - before).toBe(1);
    });

    it('row 57: runs at the same time, as many as OpenVINO has streams', async ({ skip }) => {
      if (availableParallelism() < 2) skip('OpenVINO has as many streams as processors, here one');
      const config = `${OV} input [ ${tensor('x', 'TYPE_INT32', '1')} ] output [ ${tensor('y', FP32, '1')} ]
        instance_group [ { count: 3 kind: KIND_CPU } ] ${parameter('NUM_STREAMS', '2')}`;
      expect(await load('counted', 'counted', config)).toBe('');
      const ended: number[] = [];
      const count = async (rounds: number): Promise<void> => {
        await world.infer('counted', [{ name: 'x', datatype: 'INT32', shape: [1], data: [rounds] }]);
        ended.push(rounds);
      };
      // One takes seconds; the other answers meanwhile, which it could not behind it.
      const long = count(1_500_000);
      await world.call('models/counted/ready');
      await count(1);
      await long;
      expect(ended).toEqual([1, 1_500_000]);
      await world.unload('counted');
    });

    it('row 83: a process that is killed is started again with all of its instances', async () => {
      const [{ pid } = { pid: 0 }] = await world.hosts('three');
      process.kill(pid, 'SIGKILL');
      for (const instance of ['three_0_0', 'three_0_1', 'three_0_2']) {
        await expect
          .poll(() => world.logged(`starts the code of instance '${instance}' again`))
          .toHaveLength(1);
      }
      await expect.poll(async () => (await world.call('models/three/ready')).status).toBe(200);
      const hosts = await world.hosts('three');
      expect(new Set(hosts.map((host) => host.pid)).size).toBe(1);
      expect(hosts.map(({ restartCount }) => restartCount)).toEqual([1, 1, 1]);
      expect(hosts[0]?.pid).not.toBe(pid);
      const reply = await world.infer('three', [
        floats('INPUT0', [5, 0, 0, 0]),
        floats('INPUT1', [1, 0, 0, 0]),
      ]);
      expect(reply.outputs['OUTPUT0']?.data[0]).toBe(6);
    });

    it('row 88: each version has its own file and its own statistics', async () => {
      const text = `${OV} ${one('-1, 4')} version_policy { all { } }`;
      for (const version of [1, 2, 3]) {
        await world.write('versions', { made: `times${version}`, at: String(version), config: text });
      }
      expect(await world.load('versions')).toBe('');
      const version3 = await world.infer('versions/versions/3', [floats('x', [1, 2, 3, 4])]);
      expect(version3.outputs['y']?.data).toEqual([3, 6, 9, 12]);
      const version2 = await world.infer('versions/versions/2', [floats('x', [1, 2, 3, 4])]);
      expect(version2.outputs['y']?.data).toEqual([2, 4, 6, 8]);
      const { body } = await world.call('models/versions/stats');
      const { model_stats } = body as { readonly model_stats: readonly Record<string, unknown>[] };
      expect(model_stats.map((of) => [of['version'], of['inference_count']])).toEqual([
        ['1', 0],
        ['2', 1],
        ['3', 1],
      ]);
    });

    it('row 89: as a step of an ensemble', async () => {
      const ensemble = `platform: "ensemble" input [ ${tensor('A', FP32, '1, 4')} ] output [ ${tensor('B', FP32, '1, 4')} ]
        ensemble_scheduling { step [
          { model_name: "three" model_version: -1
            input_map [ { key: "INPUT0" value: "A" }, { key: "INPUT1" value: "A" } ] output_map { key: "OUTPUT0" value: "sum" } },
          { model_name: "three" model_version: -1
            input_map [ { key: "INPUT0" value: "sum" }, { key: "INPUT1" value: "A" } ] output_map { key: "OUTPUT1" value: "B" } }
        ] }`;
      const before = await world.inferenceCount('three');
      expect(await world.load('both_steps', { config: ensemble })).toBe('');
      const reply = await world.infer('both_steps', [floats('A', [1, 2, 3, 4])]);
      expect(reply.outputs).toEqual({ B: { shape: [1, 4], data: [1, 2, 3, 4] } });
      expect((await world.inferenceCount('three')) - before).toBe(2);
      await world.unload('both_steps');
    });

    it('row 87: an unload ends the processes', async () => {
      const [{ pid } = { pid: 0 }] = await world.hosts('three');
      await world.unload('three');
      await expect.poll(() => isRunning(pid), { timeout: 30_000 }).toBe(false);
      expect((await world.infer('three', [floats('INPUT0', [1, 0, 0, 0])])).status).toBe(404);
    });
  });
});
