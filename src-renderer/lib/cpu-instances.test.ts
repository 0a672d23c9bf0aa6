import { expect, test } from 'vitest';

import { parseModelConfig } from '../../src-shared/config/parse-model-config.ts';
import { withCpuInstances } from './cpu-instances.ts';

const groupsOf = (text: string) =>
  parseModelConfig(text).config.instanceGroup.map(({ kind, count, gpus }) => [kind, count, [...gpus]]);

test('groups on a GPU move to the CPU, with what they have', () => {
  const text = `name: "m" # kept
instance_group [ { count: 2 kind: KIND_GPU gpus: [ 0, 1 ] }, { name: "b" } ]
`;
  const changed = withCpuInstances(text, 3);
  expect(groupsOf(changed)).toEqual([
    ['KIND_CPU', 2, []],
    ['KIND_CPU', 0, []],
  ]);
  expect(changed).toContain('# kept');
  expect(changed).toContain('name: "b"');
});

test('without a group there is one with as many instances as before', () => {
  expect(groupsOf(withCpuInstances('name: "m"\n', 2))).toEqual([['KIND_CPU', 2, []]]);
});

test('accelerators that need a GPU go', () => {
  const text = `instance_group [ { kind: KIND_GPU } ]
optimization { execution_accelerators { gpu_execution_accelerator: [ { name: "tensorrt" } ] } }
`;
  const { config } = parseModelConfig(withCpuInstances(text, 1));
  expect(config.optimization?.executionAccelerators?.gpuExecutionAccelerator ?? []).toEqual([]);
});
