// What the initialize() of an instance is told about where it runs.

import { describe, expect, it } from 'vitest';
import type { InstanceSpec } from '../../inference/backend.ts';
import { configOf } from '../../testing/config-text.ts';
import { instanceSetup } from './python-setup.ts';

const FILES = { modelName: 'm', modelDir: '/models/m', version: '1', versionDir: '/models/m/1' };
const CODE = { file: '/models/m/1/model.py', ownBackendDir: undefined };

function told(kind: InstanceSpec['kind'], deviceId: number, lacksGpu = false): (string | undefined)[] {
  const spec = { name: 'm_0', kind, deviceId, lacksGpu, ordinal: 0, isPassive: false, hostPolicy: '' };
  const { args } = instanceSetup(configOf('backend: "python"'), FILES, CODE, spec);
  return [args['model_instance_kind'], args['model_instance_device_id']];
}

describe('the arguments of initialize()', () => {
  it.each([
    ['KIND_CPU', -1, 'CPU', '0'],
    ['KIND_MODEL', -1, 'MODEL', '0'],
    ['KIND_GPU', 1, 'GPU', '1'],
  ] as const)('say %s on device %i', (kind, deviceId, name, device) => {
    expect(told(kind, deviceId)).toEqual([name, device]);
  });

  it('say CPU where a GPU was asked for and none is there', () => {
    expect(told('KIND_GPU', -1, true)).toEqual(['CPU', '0']);
    expect(told('KIND_GPU', 1, true)).toEqual(['CPU', '0']);
  });
});
