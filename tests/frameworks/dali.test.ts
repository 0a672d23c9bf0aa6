// DALI pipelines, on a Python that has nvidia-dali, without a GPU.

import { existsSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeOnnx } from '../../src-main/onnx/onnx-writer.ts';
import { plainPng } from '../../src-main/testing/png-file.ts';
import { needsPython, testPython } from '../../src-main/testing/test-python.ts';
import { floats, FrameworkWorld, tensor } from './framework-world.ts';

const FP32 = 'TYPE_FP32';
const DALI = 'backend: "dali"';
const inout = (input = tensor('INPUT', FP32, '-1'), output = tensor('OUT', FP32, '-1')): string =>
  `max_batch_size: 8 input [ ${input} ] output [ ${output} ]`;

describe.skipIf(testPython('nvidia.dali') === undefined)(needsPython('dali', 'nvidia.dali'), () => {
  let world: FrameworkWorld;
  beforeAll(async () => {
    world = await FrameworkWorld.create('dali_models.py', 'nvidia.dali', 'dali');
  }, 240_000);
  afterAll(() => world[Symbol.asyncDispose]());

  const load = (name: string, made: string, config?: string) =>
    world.load(name, { made, ...(config === undefined ? {} : { config }) });

  it('row 71: source without a configuration, in a folder called .dali', async () => {
    const two = `${DALI} output [ ${tensor('DOUBLE', FP32, '-1')}, ${tensor('SUM', FP32, '1')} ]`;
    expect(await load('pipe.dali', 'source/dali.py', two)).toBe('');
    expect(await world.config('pipe.dali')).toMatchObject({
      max_batch_size: 8,
      input: [{ name: 'INPUT', data_type: FP32, dims: [-1], allow_ragged_batch: true }],
      dynamic_batching: { preferred_batch_size: [8] },
    });
  });

  it('row 71: source that declares its outputs needs no configuration at all', async () => {
    expect(await load('bare.dali', 'declared/dali.py')).toBe('');
    expect(await world.config('bare.dali')).toMatchObject({
      backend: 'dali',
      max_batch_size: 8,
      input: [{ name: 'INPUT', data_type: FP32, dims: [-1], allow_ragged_batch: true }],
      output: [{ data_type: FP32, dims: [-1] }],
      dynamic_batching: { preferred_batch_size: [8] },
    });
    const { outputs } = await world.infer('bare.dali', [floats('INPUT', [1, 2])]);
    expect(Object.values(outputs)).toEqual([{ shape: [1, 2], data: [2, 4] }]);
  });

  it("answers in the order of Triton's hash map, which is not that of the configuration", async () => {
    const { outputs } = await world.infer('pipe.dali', [floats('INPUT', [1, 2])]);
    expect(Object.entries(outputs).map(([name, { data }]) => [name, data])).toEqual([
      ['SUM', [3]],
      ['DOUBLE', [2, 4]],
    ]);
  });

  it('row 72: outputs are renamed by position', async () => {
    expect(
      await load(
        'typed',
        'typed/model.dali',
        `${DALI} ${inout()}`.replace('max_batch_size: 8', 'max_batch_size: 32'),
      ),
    ).toBe('');
    expect(await world.config('typed')).toMatchObject({ max_batch_size: 32, output: [{ name: 'OUT' }] });
    const reply = await world.infer('typed', [floats('INPUT', [1, 2, 3])]);
    expect(reply.outputs['OUT']).toEqual({ shape: [1, 3], data: [2, 4, 6] });
  });

  it.each([
    [
      'row 73 type',
      'typed/model.dali',
      inout(tensor('INPUT', 'TYPE_INT32', '-1')),
      'Mismatch of data_type config for "INPUT".\nData type defined in config: TYPE_INT32\nData type defined in pipeline: TYPE_FP32',
    ],
    [
      'row 73 rank',
      'typed/model.dali',
      inout(tensor('INPUT', FP32, '-1, 2')),
      'Mismatch in number of dimensions for "INPUT"\nNumber of dimensions defined in config: 2\nNumber of dimensions defined in pipeline: 1',
    ],
    [
      'row 73 surplus',
      'typed/model.dali',
      inout(tensor('OTHER', FP32, '-1')),
      'Configuration file contains config for OTHER but such input is not present in the pipeline.',
    ],
    [
      'row 73 outputs',
      'typed/model.dali',
      inout(undefined, `${tensor('OUT', FP32, '-1')}, ${tensor('MORE', FP32, '-1')}`),
      'The number of outputs specified in the DALI pipeline and the configuration file do not match.\nModel config outputs: 2\nPipeline outputs: 1',
    ],
    [
      'row 1',
      'typed/model.dali',
      inout(tensor('INPUT', FP32, '-1', 'optional: true')),
      "'optional' is set to true for input 'INPUT' while the backend model doesn't support optional input",
    ],
    [
      'row 74',
      'typed/model.dali',
      `${inout()} default_model_filename: "x/model.dali"`,
      "contains an invalid character: '/'",
    ],
    [
      // On purpose not with the text of the row: refused before DALI sees it, like every name that leads out of its model.
      'row 74 out of the model',
      'typed/model.dali',
      `${inout()} default_model_filename: "../../x/model.dali"`,
      "'../../x/model.dali' of model 'refused_row_74_out_of_the_model' leads out of",
    ],
    [
      'row 76',
      undefined,
      inout(),
      'Failed to load model file. The program looked in the following locations: ',
    ],
  ])('%s is refused when loaded', async (row, made, text, refusal) => {
    const error = await world.load(`refused_${row.replace(/\W/g, '_')}`, {
      ...(made === undefined ? {} : { made }),
      config: `${DALI} ${text}`,
    });
    expect(error).toContain(refusal);
  });

  it('row 75: a file name that is code is refused, and nothing of it runs', async () => {
    const mark = path.join(world.repository.path, 'was-run');
    const name = `test');import os;os.mkdir('${mark}');('`;
    const config = `${DALI} ${inout()} default_model_filename: "${name}"`;
    expect(await world.load('injected', { made: 'typed/model.dali', config })).toContain(
      "contains an invalid character: '''",
    );
    expect(existsSync(mark)).toBe(false);
  });

  it('row 77: samples of different length in one batch', async () => {
    const text = `${DALI} ${inout(tensor('INPUT', FP32, '-1', 'allow_ragged_batch: true'))}
      dynamic_batching { preferred_batch_size: [ 2 ] max_queue_delay_microseconds: 10000000 }`;
    expect(await load('ragged', 'typed/model.dali', text)).toBe('');
    const replies = await Promise.all([
      world.infer('ragged', [floats('INPUT', [1, 2, 3])]),
      world.infer('ragged', [floats('INPUT', [4])]),
    ]);
    expect(replies.map(({ outputs }) => outputs['OUT']?.data)).toEqual([[2, 4, 6], [8]]);
    const { body } = await world.call('models/ragged/stats');
    expect(body).toMatchObject({ model_stats: [{ inference_count: 2, execution_count: 1 }] });
  });

  it('row 78: all outputs or none', async () => {
    const reply = await world.infer('pipe.dali', [floats('INPUT', [1, 2])], { outputs: [{ name: 'SUM' }] });
    expect([reply.status, reply.error]).toEqual([
      400,
      expect.stringContaining('does not match the number of outputs from DALI pipeline (2)'),
    ]);
  });

  it('row 79: an error of the pipeline is an answer, and the next request works', async () => {
    expect(await load('sliced', 'sliced/model.dali', `${DALI} ${inout()}`)).toBe('');
    const bad = await world.infer('sliced', [floats('INPUT', [1])]);
    expect([bad.status, bad.error]).toEqual([400, expect.stringMatching(/^Runtime error: /)]);
    expect((await world.infer('sliced', [floats('INPUT', [1, 2, 3])])).outputs['OUT']?.data).toEqual([1, 2]);
    // The failed batch counts as an execution, its request as failed.
    expect((await world.call('models/sliced/stats')).body).toMatchObject({
      model_stats: [{ execution_count: 2, inference_stats: { success: { count: 1 }, fail: { count: 1 } } }],
    });
  });

  it('row 80: without batching, samples are a dimension', async () => {
    const text = `${DALI} max_batch_size: 0 output [ ${tensor('OUT', FP32, '-1, -1')} ]`;
    expect(await load('unbatched', 'typed/model.dali', text)).toBe('');
    const config = await world.config('unbatched');
    expect(config).toMatchObject({ max_batch_size: 0, input: [{ dims: [-1, -1] }] });
    expect(config).not.toHaveProperty('dynamic_batching');
    const reply = await world.infer('unbatched', [floats('INPUT', [1, 2, 3, 4], [2, 2])]);
    expect(reply.outputs['OUT']).toEqual({ shape: [2, 2], data: [2, 4, 6, 8] });
    expect((await world.call('models/unbatched/stats')).body).toMatchObject({
      model_stats: [{ execution_count: 0, inference_stats: { success: { count: 1 } } }],
    });
  });

  it('row 81: samples are cut along their outer axis where the configuration says so', async () => {
    const two = tensor('INPUT', FP32, '-1, 2');
    const split = 'parameters { key: "split_along_outer_axis" value { string_value: "OUT" } }';
    const text = `${DALI} ${inout(two, tensor('OUT', FP32, '-1, 2'))} ${split}`;
    expect(await load('rows', 'rows/model.dali', text)).toBe('');
    const reply = await world.infer('rows', [floats('INPUT', [1, 2, 3, 4, 5, 6, 7, 8], [2, 2, 2])]);
    expect(reply.outputs['OUT']).toEqual({ shape: [4, 2], data: [2, 4, 6, 8, 10, 12, 14, 16] });
  });

  it('row 82: source that names a GPU is served on the CPU where there is none', async () => {
    const two = `${DALI} output [ ${tensor('DOUBLE', FP32, '-1')}, ${tensor('SUM', FP32, '1')} ]`;
    expect(await load('gpu_source', 'gpu_source/dali.py', two)).toBe('');
    expect((await world.infer('gpu_source', [floats('INPUT', [1, 2])])).outputs['SUM']?.data).toEqual([3]);
  });

  it('row 82: a serialised pipeline that names a GPU is served on the CPU as well', async () => {
    expect(await load('gpu_stored', 'gpu_stored/model.dali', `${DALI} ${inout()}`)).toBe('');
    expect((await world.infer('gpu_stored', [floats('INPUT', [1, 2])])).outputs['OUT']?.data).toEqual([2, 4]);
  });

  it('row 82: operators that need a GPU say so', async () => {
    const sides = inout(tensor('IMAGE', 'TYPE_UINT8', '-1'), tensor('OUT', 'TYPE_UINT8', '-1, -1, 3'));
    expect(await load('mixed', 'mixed/model.dali', `${DALI} ${sides}`)).toContain(
      'Error while instantiating DALI pipeline: The pipeline requires a CUDA-capable GPU',
    );
  });

  it('row 89: an ensemble decodes and resizes pictures of any size, and an ONNX model sees their colours', async () => {
    const image = tensor('IMAGE', 'TYPE_UINT8', '-1', 'allow_ragged_batch: true');
    const decoded = tensor('PIXELS', FP32, '3, 8, 8');
    expect(await load('decoded', 'decoded/model.dali', `${DALI} ${inout(image, decoded)}`)).toBe('');
    const value = (name: string, dims: readonly (string | number)[]) => ({
      name,
      datatype: 'FP32' as const,
      shape: ['batch', ...dims],
    });
    const colours = writeOnnx({
      graph: {
        name: 'colours',
        nodes: [{ opType: 'GlobalAveragePool', inputs: ['pixels'], outputs: ['means'] }],
        inputs: [value('pixels', [3, 8, 8])],
        outputs: [value('means', [3, 1, 1])],
      },
    });
    await world.repository.write({
      'colours/1/model.onnx': colours,
      'colours/config.pbtxt': 'backend: "onnxruntime" max_batch_size: 8',
    });
    expect(await world.load('colours')).toBe('');
    const config = `platform: "ensemble" max_batch_size: 8
      input [ ${tensor('PICTURE', 'TYPE_UINT8', '-1')} ] output [ ${tensor('MEANS', FP32, '3, 1, 1')} ]
      ensemble_scheduling { step [
        { model_name: "decoded" model_version: -1
          input_map { key: "IMAGE" value: "PICTURE" } output_map { key: "PIXELS" value: "pixels" } },
        { model_name: "colours" model_version: -1
          input_map { key: "pixels" value: "pixels" } output_map { key: "means" value: "MEANS" } }
      ] }`;
    expect(await world.load('seen', { config })).toBe('');
    const see = async (width: number, height: number, rgb: Parameters<typeof plainPng>[2]) => {
      const data = [...plainPng(width, height, rgb)];
      return world.infer('seen', [{ name: 'PICTURE', datatype: 'UINT8', shape: [1, data.length], data }]);
    };
    const [red, green] = await Promise.all([see(20, 30, [255, 0, 0]), see(33, 17, [0, 255, 0])]);
    expect(red.outputs['MEANS']).toEqual({ shape: [1, 3, 1, 1], data: [1, 0, 0] });
    expect(green.outputs['MEANS']).toEqual({ shape: [1, 3, 1, 1], data: [0, 1, 0] });
    const none = await world.infer('seen', [
      { name: 'PICTURE', datatype: 'UINT8', shape: [1, 3], data: [1, 2, 3] },
    ]);
    expect([none.status, none.error]).toEqual([
      400,
      expect.stringContaining("in ensemble 'seen', Runtime error: "),
    ]);
  });
});
