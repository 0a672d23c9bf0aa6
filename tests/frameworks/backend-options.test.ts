// What `--backend-config` says to the backends of frameworks.

import { expect, it } from 'vitest';
import { needsPython, testPython } from '../../src-main/testing/test-python.ts';
import { FrameworkWorld, tensor } from './framework-world.ts';

it.skipIf(testPython('nvidia.dali') === undefined)(
  needsPython('DALI loads the libraries of plugin_libs', 'nvidia.dali'),
  async () => {
    await using world = await FrameworkWorld.create('dali_models.py', 'nvidia.dali', 'dali', {
      settings: [['dali', 'plugin_libs', '/nowhere/operators.so']],
    });
    const sides = `max_batch_size: 8 input [ ${tensor('INPUT', 'TYPE_FP32', '-1')} ] output [ ${tensor('OUT', 'TYPE_FP32', '-1')} ]`;
    const error = await world.load('typed', { made: 'typed/model.dali', config: `backend: "dali" ${sides}` });
    expect(error).toMatch(/DALI Backend error: .*\/nowhere\/operators\.so/s);
  },
  240_000,
);

it.skipIf(testPython('tensorflow') === undefined)(
  needsPython('TensorFlow places operators where they say, if so told', 'tensorflow'),
  async () => {
    await using world = await FrameworkWorld.create('tensorflow_models.py', 'tensorflow', 'tensorflow', {
      settings: [['tensorflow', 'allow-soft-placement', 'false']],
    });
    const sides = `input [ ${tensor('INPUT0', 'TYPE_FP32', '2')} ] output [ ${tensor('OUTPUT0', 'TYPE_FP32', '2')} ]`;
    const config = `platform: "tensorflow_graphdef" max_batch_size: 8 ${sides}`;
    expect(await world.load('placed', { made: 'placed/model.graphdef', config })).toBe('');
    const input = { name: 'INPUT0', datatype: 'FP32', shape: [1, 2], data: [1, 2] };
    const { status, error } = await world.infer('placed', [input]);
    expect([status, error]).toEqual([500, expect.stringContaining('Cannot assign a device for operation')]);
  },
  240_000,
);
