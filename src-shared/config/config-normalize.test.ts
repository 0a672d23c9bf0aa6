// Instance groups as they are made: on which devices, and how many.

import { describe, expect, test } from 'vitest';
import { normalizeInstanceGroups, planInstances } from './config-normalize.ts';
import type { ModelConfig } from './model-config.ts';
import { parseModelConfig } from './parse-model-config.ts';
import { SOME_BACKENDS } from '../testing/some-backends.ts';

const parse = (text: string): ModelConfig => parseModelConfig(text).config;

describe('instance groups', () => {
  const groups = (text: string, gpus: readonly number[]): unknown =>
    normalizeInstanceGroups(parse(`name: "m" ${text}`), {
      gpuInventory: gpus.map((id) => ({ id })),
      backends: SOME_BACKENDS,
    }).config.instanceGroup.map(({ name, kind, count, gpus: ids }) => [name, kind, count, ids]);

  test.each<[string, readonly number[], unknown]>([
    ['backend: "onnxruntime"', [], [['m', 'KIND_CPU', 2, []]]],
    ['backend: "onnxruntime"', [0, 1], [['m', 'KIND_GPU', 1, [0, 1]]]],
    ['backend: "identity"', [], [['m', 'KIND_CPU', 1, []]]],
    ['backend: "python"', [0], [['m', 'KIND_CPU', 1, []]]],
    [
      'backend: "onnxruntime" instance_group [ { }, { kind: KIND_CPU count: 3 name: "x" } ]',
      [0],
      [
        ['m_0', 'KIND_GPU', 1, [0]],
        ['x', 'KIND_CPU', 3, []],
      ],
    ],
    ['backend: "x" instance_group { gpus: 7 }', [0], [['m_0', 'KIND_CPU', 1, [7]]]],
    ['backend: "x" instance_group { kind: KIND_GPU }', [], [['m_0', 'KIND_GPU', 1, []]]],
    ['backend: "x" instance_group { kind: KIND_MODEL count: -4 }', [0], [['m_0', 'KIND_MODEL', 1, []]]],
    ['platform: "ensemble"', [0], []],
  ])('%s on GPUs %j', (text, gpus, expected) => {
    expect(groups(text, gpus)).toEqual(expected);
  });

  test('instances are counted anew on each device and get the host policy of their kind', () => {
    const { config } = normalizeInstanceGroups(
      parse(
        'name: "m" backend: "x" instance_group [ { kind: KIND_GPU count: 2 }, { kind: KIND_CPU host_policy: "p" }, { kind: KIND_MODEL } ]',
      ),
      { gpuInventory: [{ id: 0 }, { id: 3 }] },
    );
    const planned = planInstances(config.instanceGroup).map(({ name, deviceId, hostPolicy }) => [
      name,
      deviceId,
      hostPolicy,
    ]);
    expect(planned).toEqual([
      ['m_0_0', 0, 'gpu_0'],
      ['m_0_1', 0, 'gpu_0'],
      ['m_0_0', 3, 'gpu_3'],
      ['m_0_1', 3, 'gpu_3'],
      ['m_1_0', undefined, 'p'],
      ['m_2_0', undefined, 'model'],
    ]);
  });
});
