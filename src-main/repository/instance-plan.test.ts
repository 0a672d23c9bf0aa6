// The instances that a configuration asks for, on machines with and without a GPU.

import { expect, it } from 'vitest';

import { configOf } from '../testing/config-text.ts';
import { planModelInstances } from './instance-plan.ts';
import { tritonConfigRules } from './triton-config-rules.ts';

function planned(groups: string, ids: readonly number[]): readonly string[] {
  const rules = tritonConfigRules({
    gpuInventory: ids.map((id) => ({ id })),
    minComputeCapability: 7.5,
    gpuPolicy: 'fallback',
  });
  const { config } = rules.completeInstanceGroups({ config: configOf(groups), origins: new Map() });
  return planModelInstances(config, rules.hasGpu(config)).map(
    ({ spec: { kind, deviceId, lacksGpu } }) => `${kind} ${deviceId}${lacksGpu === true ? ' absent' : ''}`,
  );
}

it.each([
  ['kind: KIND_GPU gpus: [ 0, 1 ]', ['KIND_GPU 0 absent', 'KIND_GPU 1 absent'], ['KIND_GPU 0', 'KIND_GPU 1']],
  ['kind: KIND_GPU', ['KIND_GPU -1 absent'], ['KIND_GPU 0', 'KIND_GPU 1']],
  ['kind: KIND_CPU', ['KIND_CPU -1'], ['KIND_CPU -1']],
])('%s', (group, without, withTwo) => {
  const groups = `backend: "fake" instance_group [ { count: 1 ${group} } ]`;
  expect(planned(groups, [])).toEqual(without);
  expect(planned(groups, [0, 1])).toEqual(withTwo);
});
