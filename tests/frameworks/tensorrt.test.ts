// TensorRT plans through the server: without a GPU up to the refusal; with a GPU, the package `tensorrt` and the driver
// made up (tests/python), all the way. `tensorrt-gpu.test.ts` has real plans.

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { needsPython, testPython } from '../../src-main/testing/test-python.ts';
import { floats, FrameworkWorld, tensor } from './framework-world.ts';

const REFUSAL = "Invalid argument: unable to load model 'plan', TensorRT backend supports only GPU device;";
const SIDES = `input [ ${tensor('A', 'TYPE_FP32', '2')} ] output [ ${tensor('O', 'TYPE_FP32', '2')} ]`;
const CONFIG = `platform: "tensorrt_plan" max_batch_size: 8 ${SIDES}`;

describe('without a GPU', () => {
  // No Python is asked for: there is none of that name.
  const settings = [['tensorrt', 'python-executable', '/nowhere/python3']] as const;

  it('row 70: a plan is refused in words, and its folder is kept and shown', async () => {
    await using world = await FrameworkWorld.create('nothing.py', 'numpy', [], { settings, gpus: [] });
    await world.repository.write({ 'plan/1/model.plan': 'engine' });
    expect(await world.load('plan')).toContain(REFUSAL);
    const { body } = await world.call('repository/index', {});
    expect(body).toContainEqual(
      expect.objectContaining({ name: 'plan', state: 'UNAVAILABLE', reason: expect.stringContaining('GPU') }),
    );
    for (const kind of ['KIND_AUTO', 'KIND_CPU', 'KIND_GPU', 'KIND_MODEL']) {
      const config = `${CONFIG} instance_group [ { kind: ${kind} } ]`;
      expect(await world.load('plan', { config })).toContain(REFUSAL);
    }
  });

  it('row 70: nor is it loaded as it is written', async () => {
    await using world = await FrameworkWorld.create('nothing.py', 'numpy', [], {
      settings,
      gpus: [],
      isStrict: true,
    });
    await world.repository.write({ 'plan/1/model.plan': 'engine' });
    expect(await world.load('plan', { config: CONFIG })).toContain(REFUSAL);
  });
});

const PLAN = {
  inputs: [
    {
      name: 'A',
      dims: [-1, 2],
      limits: [
        [
          [1, 2],
          [4, 2],
          [8, 2],
        ],
      ],
    },
  ],
  outputs: [{ name: 'O', dims: [-1, 2], is: 'twice', of: 'A' }],
};

/** Takes the place of the package. `driver`: whether a driver is made up, too. */
const packageText = (driver: boolean): string => `import sys
sys.path.append(${JSON.stringify(path.resolve(import.meta.dirname, '../python'))})
from fake_tensorrt import *
from fake_tensorrt import __version__
from conch_python import cuda_driver
from fake_driver import FakeLibrary
cuda_driver._found[:] = [cuda_driver.CudaDriver(FakeLibrary()) if ${driver ? 'True' : 'False'} else None]
`;

describe.skipIf(testPython() === undefined)(needsPython('with a made-up GPU'), () => {
  let world: FrameworkWorld;
  let packages: string;
  beforeAll(async () => {
    packages = await mkdtemp(path.join(os.tmpdir(), 'conch-packages-'));
    await writeFile(path.join(packages, 'tensorrt.py'), packageText(true));
    vi.stubEnv('PYTHONPATH', packages);
    world = await FrameworkWorld.create('nothing.py', 'numpy', 'tensorrt', { gpus: [0, 1] });
  }, 120_000);
  afterAll(async () => {
    vi.unstubAllEnvs();
    await world[Symbol.asyncDispose]();
    await rm(packages, { recursive: true, force: true });
  });

  it('row 2: a plan without a configuration is completed, and one instance on each GPU answers', async () => {
    await world.repository.write({ 'bare/1/model.plan': JSON.stringify(PLAN) });
    expect(await world.load('bare')).toBe('');
    expect(await world.config('bare')).toMatchObject({
      backend: 'tensorrt',
      platform: 'tensorrt_plan',
      default_model_filename: 'model.plan',
      max_batch_size: 8,
      input: [{ name: 'A', data_type: 'TYPE_FP32', dims: [2] }],
      output: [{ name: 'O', data_type: 'TYPE_FP32', dims: [2] }],
      instance_group: [{ kind: 'KIND_GPU', gpus: [0, 1] }],
      dynamic_batching: {},
    });
    // In one process, in which the configuration was completed.
    expect(new Set((await world.hosts('bare')).map(({ pid }) => pid)).size).toBe(1);
    const reply = await world.infer('bare', [floats('A', [1, 2, 3, 4], [2, 2])]);
    expect(reply.outputs).toEqual({ O: { shape: [2, 2], data: [2, 4, 6, 8] } });
  });

  it('row 1: optional inputs', async () => {
    const config = CONFIG.replace('dims: [ 2 ]', 'dims: [ 2 ] optional: true');
    await world.repository.write({ 'optional/1/model.plan': JSON.stringify(PLAN) });
    expect(await world.load('optional', { config })).toContain(
      "'optional' is set to true for input 'A' while the backend model doesn't support optional input",
    );
  });

  it('what has no effect is said, and the model runs', async () => {
    const config = `${CONFIG} optimization { cuda { graphs: true graph_spec { batch_size: 1 } } }`;
    await world.repository.write({ 'graphs/1/model.plan': JSON.stringify(PLAN) });
    expect(await world.load('graphs', { config })).toBe('');
    expect(world.logged('optimization.cuda.graphs has no effect: ')).not.toEqual([]);
    expect((await world.infer('graphs', [floats('A', [1, 2])])).outputs['O']?.data).toEqual([2, 4]);
  });

  it('an engine that cannot be read is refused in the words of TensorRT, and the next one is loaded', async () => {
    await world.repository.write({ 'broken/1/model.plan': 'of another version' });
    expect(await world.load('broken', { config: CONFIG })).toContain(
      'Internal: unable to create TensorRT engine: IRuntime::deserializeCudaEngine: Error Code 1: magic tag does not match;',
    );
    await world.repository.write({ 'broken/1/model.plan': JSON.stringify(PLAN) });
    expect(await world.load('broken')).toBe('');
  });

  it('a batch of several requests is run once', async () => {
    const config = `${CONFIG} instance_group [ { kind: KIND_GPU gpus: [ 1 ] } ]
      dynamic_batching { preferred_batch_size: [ 3 ] max_queue_delay_microseconds: 10000000 }`;
    await world.repository.write({ 'together/1/model.plan': JSON.stringify(PLAN) });
    expect(await world.load('together', { config })).toBe('');
    const replies = await Promise.all(
      [1, 2].map((rows) => world.infer('together', [floats('A', Array(rows * 2).fill(rows), [rows, 2])])),
    );
    expect(replies.map(({ outputs }) => outputs['O']?.data)).toEqual([
      [2, 2],
      [4, 4, 4, 4],
    ]);
    const { body } = await world.call('models/together/stats');
    expect(body).toMatchObject({ model_stats: [{ inference_count: 3, execution_count: 1 }] });
  });

  it('row 89: as a step of an ensemble', async () => {
    await world.repository.write({ 'step/1/model.plan': JSON.stringify(PLAN) });
    expect(await world.load('step', { config: CONFIG })).toBe('');
    const config = `platform: "ensemble" max_batch_size: 8
      input [ ${tensor('X', 'TYPE_FP32', '2')} ] output [ ${tensor('Y', 'TYPE_FP32', '2')} ]
      ensemble_scheduling { step [
        { model_name: "step" model_version: -1 input_map { key: "A" value: "X" } output_map { key: "O" value: "once" } },
        { model_name: "step" model_version: -1 input_map { key: "A" value: "once" } output_map { key: "O" value: "Y" } }
      ] }`;
    expect(await world.load('steps', { config })).toBe('');
    expect((await world.infer('steps', [floats('X', [1, 2])])).outputs).toEqual({
      Y: { shape: [1, 2], data: [4, 8] },
    });
    expect([await world.inferenceCount('step'), await world.inferenceCount('steps')]).toEqual([2, 1]);
  });

  it('without a driver a model is refused', async () => {
    await writeFile(path.join(packages, 'tensorrt.py'), packageText(false));
    await world.repository.write({ 'driverless/1/model.plan': JSON.stringify(PLAN) });
    expect(await world.load('driverless', { config: CONFIG })).toContain(
      'of KIND_GPU, and no NVIDIA driver that finds a GPU can be loaded',
    );
  });
});
