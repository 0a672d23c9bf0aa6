// What Python models leave open is filled as Triton's backend does in its builds for GPUs.
import { expect, test } from 'vitest';

import { emptyModelConfig } from '../../../src-shared/config/config-defaults.ts';
import { normalizeInstanceGroups } from '../../../src-shared/config/config-normalize.ts';
import { pythonDescription } from './description.ts';

test.each([
  ['on each GPU where there is one', [{ id: 0 }, { id: 1 }], { kind: 'KIND_GPU', count: 1, gpus: [0, 1] }],
  ['on the CPU where there is none', [], { kind: 'KIND_CPU', count: 1, gpus: [] }],
])('one instance %s', (_where, gpuInventory, group) => {
  const machine = { gpuInventory, backends: [pythonDescription('python')] };
  const { config } = normalizeInstanceGroups(emptyModelConfig({ name: 'm', backend: 'python' }), machine);
  expect(config.instanceGroup).toMatchObject([group]);
});
