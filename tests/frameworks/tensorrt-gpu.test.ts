// TensorRT plans that are built for the GPU of this machine and served: everything that `tensorrt.test.ts` does with a
// made-up package, with the real one. Skipped, and says so, without an NVIDIA GPU or without TensorRT's package.

import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ClientTensor } from '../../src-main/client/infer-client.ts';
import { testPython } from '../../src-main/testing/test-python.ts';
import { floats, FrameworkWorld, tensor } from './framework-world.ts';
import type { SentInput } from './framework-world.ts';

const hasGpu = spawnSync('nvidia-smi', ['-L']).status === 0;
const missing = [
  ...(hasGpu ? [] : ['an NVIDIA GPU']),
  ...(testPython('tensorrt') === undefined ? ['a python3 with tensorrt'] : []),
];
const title = `plans on a GPU${missing.length > 0 ? ` (skipped: no ${missing.join(', no ')})` : ''}`;

describe.skipIf(missing.length > 0)(title, () => {
  let world: FrameworkWorld;
  beforeAll(async () => {
    world = await FrameworkWorld.create('tensorrt_plans.py', 'tensorrt', 'tensorrt');
  }, 600_000);
  afterAll(() => world[Symbol.asyncDispose]());

  /** Loads what was built as `model.plan`; rejects with the builder's words when it was not. */
  async function load(plan: string, config?: string, name = plan): Promise<string> {
    const words = await world.madeText(`${plan}.error`).catch(() => '');
    if (words !== '') throw new Error(`the plan was not built: ${words}`);
    return world.load(name, {
      made: `${plan}.plan`,
      at: '1/model.plan',
      ...(config === undefined ? {} : { config }),
    });
  }

  async function expectedOf(plan: string): Promise<{ readonly sent: number[]; readonly answer: number[] }> {
    return JSON.parse(await world.madeText(`${plan}.json`)) as { sent: number[]; answer: number[] };
  }

  /** The bytes of the only output. */
  async function answerOf(model: string, input: ClientTensor): Promise<Uint8Array> {
    const parameters = new Map<string, never>();
    const exchange = await world.grpc.infer({
      model,
      version: '',
      id: '',
      inputs: [input],
      outputs: [],
      parameters,
    });
    expect(exchange.error).toBeUndefined();
    // A copy: what is received is a part of a larger memory.
    return Uint8Array.from(exchange.responses[0]?.outputs[0]?.bytes ?? []);
  }

  it('row 2: a plan without a configuration is completed and answers', async () => {
    expect(await load('twice')).toBe('');
    expect(await world.config('twice')).toMatchObject({
      backend: 'tensorrt',
      platform: 'tensorrt_plan',
      max_batch_size: 8,
      input: [{ name: 'A', data_type: 'TYPE_FP32', dims: [2] }],
      output: [{ name: 'O', data_type: 'TYPE_FP32', dims: [2] }],
      dynamic_batching: {},
    });
    const reply = await world.infer('twice', [floats('A', [1, 2, 3, 4], [2, 2])]);
    expect(reply).toMatchObject({ error: '', outputs: { O: { shape: [2, 2], data: [2, 4, 6, 8] } } });
  });

  it.each([
    ['fp32', 'FP32', [1.5, -2, 3]],
    ['fp16', 'FP16', [1.5, -2, 3]],
    ['bf16', 'BF16', [1.5, -2, 3]],
    ['int8', 'INT8', [-128, 5, 127]],
    ['uint8', 'UINT8', [0, 5, 255]],
    ['int32', 'INT32', [-2147483648, 5, 2147483647]],
    ['int64', 'INT64', [-9007199254740991, 5, 9007199254740991]],
    ['bool', 'BOOL', [true, false, true]],
  ] as const)('values of %s come back as they went', async (plan, datatype, values) => {
    expect(await load(plan)).toBe('');
    expect(await world.config(plan)).toMatchObject({ input: [{ data_type: `TYPE_${datatype}` }] });
    const sent = { name: 'X', datatype, shape: [1, 3], data: [...values] };
    // JSON has no form for these two.
    if (datatype === 'FP16' || datatype === 'BF16') {
      const bytes = new Uint8Array(
        datatype === 'FP16' ? [0, 0x3e, 0, 0xc0, 0, 0x42] : [0xc0, 0x3f, 0, 0xc0, 0x40, 0x40],
      );
      expect(await answerOf(plan, { ...sent, bytes })).toEqual(bytes);
      return;
    }
    const reply = await world.infer(plan, [sent]);
    expect(reply).toMatchObject({ error: '', outputs: { Y: { shape: [1, 3], data: [...values] } } });
  });

  it.each([
    ['layers', [3, 64]],
    ['convolution', [1, 3, 8, 8]],
  ] as const)('%s: the numbers of numpy', async (plan, shape) => {
    expect(await load(plan)).toBe('');
    const { sent, answer } = await expectedOf(plan);
    const reply = await world.infer(plan, [floats('X', sent, shape)]);
    expect(reply.error).toBe('');
    const largest = Math.max(...answer.map(Math.abs));
    const difference = Math.max(
      ...answer.map((value, at) => Math.abs(value - Number(reply.outputs['Y']?.data[at]))),
    );
    // TensorRT multiplies in TF32 unless it is told otherwise.
    expect(difference).toBeLessThan(0.01 * largest);
  });

  it('of several profiles the one that allows a request runs it', async () => {
    const config = `platform: "tensorrt_plan" max_batch_size: 4
      input [ ${tensor('X', 'TYPE_FP32', '-1')} ] output [ ${tensor('Y', 'TYPE_FP32', '-1')} ]
      instance_group [ { kind: KIND_GPU profile: [ "0", "1" ] } ]`;
    expect(await load('profiles', config)).toBe('');
    for (const width of [3, 40, 8, 9]) {
      const reply = await world.infer('profiles', [floats('X', Array<number>(width).fill(width))]);
      expect(reply.outputs).toEqual({ Y: { shape: [1, width], data: Array(width).fill(2 * width) } });
    }
    const refused = await world.infer('profiles', [floats('X', Array<number>(65).fill(1))]);
    expect(refused.status).toBe(500);
    expect(refused.error).toContain("request specifies invalid shape for input 'X'");
  });

  it('an output whose shape depends on the data', async () => {
    // The whole shapes of the engine: so there are no batches.
    const config = `platform: "tensorrt_plan"
      input [ ${tensor('X', 'TYPE_FP32', '-1')} ] output [ ${tensor('PLACES', 'TYPE_INT32', '1, -1')} ]`;
    expect(await load('nonzero', config)).toBe('');
    const places = async (values: number[]) =>
      (await world.infer('nonzero', [floats('X', values, [values.length])])).outputs['PLACES'];
    expect(await places([0, 3, 0, 0, 7])).toEqual({ shape: [1, 2], data: [1, 4] });
    expect(await places([0, 0])).toEqual({ shape: [1, 0], data: [] });
    const many = Array.from({ length: 64 }, (_, at) => at + 1);
    expect(await places(many)).toEqual({ shape: [1, 64], data: many.map((value) => value - 1) });
  });

  it('an input whose values are a shape', async () => {
    const inputs = [tensor('X', 'TYPE_FP32', '-1'), tensor('SHAPE', 'TYPE_INT64', '2')];
    const config = `platform: "tensorrt_plan" input [ ${inputs.join(', ')} ] output [ ${tensor('Y', 'TYPE_FP32', '-1, -1')} ]`;
    expect(await load('reshape', config)).toBe('');
    expect(await world.config('reshape')).toMatchObject({
      max_batch_size: 0,
      input: expect.arrayContaining([expect.objectContaining({ name: 'SHAPE', is_shape_tensor: true })]),
    });
    const shaped = (rows: number, columns: number) =>
      world.infer('reshape', [
        floats('X', [1, 2, 3, 4, 5, 6], [6]),
        { name: 'SHAPE', datatype: 'INT64', shape: [2], data: [rows, columns] },
      ]);
    expect((await shaped(2, 3)).outputs['Y']).toEqual({ shape: [2, 3], data: [2, 4, 6, 8, 10, 12] });
    expect((await shaped(6, 1)).outputs['Y']?.shape).toEqual([6, 1]);
    // Six values do not fill it, and the next request is answered.
    expect((await shaped(5, 5)).status).not.toBe(200);
    expect((await shaped(3, 2)).outputs['Y']?.shape).toEqual([3, 2]);
  });

  it('formats of vectors are taken as they lie in memory', async () => {
    const side = (name: string) => tensor(name, 'TYPE_FP16', '8, 2, 2', 'is_non_linear_format_io: true');
    const config = `platform: "tensorrt_plan" max_batch_size: 8 input [ ${side('X')} ] output [ ${side('Y')} ]`;
    expect(await load('vectors', config)).toBe('');
    const bytes = new Uint8Array(8 * 2 * 2 * 2);
    // 1, 2, 3, … as FP16 are told apart by doubling, which adds one to the exponent.
    const view = new DataView(bytes.buffer);
    for (let at = 0; at < 32; at += 1) view.setUint16(2 * at, 0x3c00 + at * 16, true);
    const sent = { name: 'X', datatype: 'FP16', shape: [1, 8, 2, 2], bytes };
    const answer = new DataView((await answerOf('vectors', sent)).buffer);
    const doubled = Array.from({ length: 32 }, (_, at) => answer.getUint16(2 * at, true));
    expect(doubled).toEqual(Array.from({ length: 32 }, (_, at) => 0x4000 + at * 16));
  });

  it('a configuration that does not fit the plan is refused, and its folder is kept', async () => {
    const sides = (type: string, dims: string) =>
      `platform: "tensorrt_plan" max_batch_size: 8 input [ ${tensor('A', type, dims)} ] output [ ${tensor('O', type, dims)} ]`;
    expect(await load('twice', sides('TYPE_FP16', '2'), 'other_type')).toContain(
      'unexpected datatype TYPE_FP32',
    );
    expect(await load('twice', sides('TYPE_FP32', '3'), 'other_shape')).not.toBe('');
    const larger = sides('TYPE_FP32', '2').replace('max_batch_size: 8', 'max_batch_size: 9');
    expect(await load('twice', larger, 'larger')).not.toBe('');
    await world.repository.write({ 'broken/1/model.plan': 'of no version' });
    expect(await world.load('broken')).toContain('unable to create TensorRT engine: ');
    expect(await load('twice', sides('TYPE_FP32', '2'), 'fits')).toBe('');
  });

  it('requests that wait are batched, and instances answer side by side', async () => {
    const config = `platform: "tensorrt_plan" max_batch_size: 8
      input [ ${tensor('A', 'TYPE_FP32', '2')} ] output [ ${tensor('O', 'TYPE_FP32', '2')} ]
      instance_group [ { kind: KIND_GPU count: 2 } ] dynamic_batching { max_queue_delay_microseconds: 20000 }`;
    expect(await load('twice', config, 'busy')).toBe('');
    const numbers = Array.from({ length: 64 }, (_, at) => at);
    const replies = await Promise.all(numbers.map((at) => world.infer('busy', [floats('A', [at, -at])])));
    expect(replies.map(({ outputs }) => outputs['O']?.data)).toEqual(
      numbers.map((at) => [2 * at, -2 * at || 0]),
    );
    const { body } = await world.call('models/busy/stats');
    const [stats] = (body as { model_stats: { inference_count: number; execution_count: number }[] })
      .model_stats;
    expect(stats?.inference_count).toBe(64);
    expect(stats?.execution_count).toBeLessThan(64);
  });

  it('implicit state is kept for each sequence', async () => {
    const config = `platform: "tensorrt_plan" max_batch_size: 8
      input [ ${tensor('X', 'TYPE_FP32', '1')} ] output [ ${tensor('SUM', 'TYPE_FP32', '1')} ]
      sequence_batching { oldest { max_candidate_sequences: 4 }
        state [ { input_name: "BEFORE" output_name: "AFTER" data_type: TYPE_FP32 dims: [ 1 ]
          initial_state: { name: "none" data_type: TYPE_FP32 dims: [ 1 ] zero_data: true } } ] }`;
    expect(await load('sum', config)).toBe('');
    const step = async (sequence: number, value: number, start: boolean) =>
      (
        await world.infer('sum', [floats('X', [value])], {
          parameters: { sequence_id: sequence, sequence_start: start, sequence_end: false },
        })
      ).outputs['SUM']?.data;
    expect(await step(1, 1, true)).toEqual([1]);
    expect(await step(2, 10, true)).toEqual([10]);
    expect(await step(1, 2, false)).toEqual([3]);
    expect(await step(2, 20, false)).toEqual([30]);
    expect(await step(1, 3, false)).toEqual([6]);
  });

  it('engines with fixed shapes serve several instances, and unloading ends the process with its memory', async () => {
    const config = `platform: "tensorrt_plan" input [ ${tensor('A', 'TYPE_FP32', '4')} ] output [ ${tensor('O', 'TYPE_FP32', '4')} ]
      instance_group [ { kind: KIND_GPU count: 3 } ]`;
    expect(await load('fixed', config)).toBe('');
    const sent: SentInput = { name: 'A', datatype: 'FP32', shape: [4], data: [1, 2, 3, 4] };
    const replies = await Promise.all(Array.from({ length: 12 }, () => world.infer('fixed', [sent])));
    for (const { outputs } of replies) expect(outputs['O']).toEqual({ shape: [4], data: [2, 4, 6, 8] });
    const pids = new Set((await world.hosts('fixed')).map(({ pid }) => pid));
    expect(pids.size).toBe(1);
    await world.unload('fixed');
    const isThere = (pid: number) => spawnSync('kill', ['-0', String(pid)]).status === 0;
    for (const pid of pids) await expect.poll(() => isThere(pid)).toBe(false);
  });
});
