import { afterEach, expect, test, vi } from 'vitest';

import { parseModelConfig } from '../../../src-shared/config/parse-model-config.ts';
import { isPassedToTensorRt, tensorRtVariables, withVariables } from './tensorrt-environment.ts';

afterEach(() => vi.unstubAllEnvs());

const variables = (parameters: string) => {
  const text = `optimization { execution_accelerators { gpu_execution_accelerator [ { name: "tensorrt" ${parameters} } ] } }`;
  return Object.fromEntries(tensorRtVariables(parseModelConfig(text).config));
};
const parameter = (key: string, value: string): string => `parameters { key: "${key}" value: "${value}" }`;

test('options of a configuration become the variables of the provider', () => {
  expect(variables('')).toEqual({});
  expect(
    variables(
      [
        parameter('precision_mode', 'FP16'),
        parameter('max_workspace_size_bytes', '1073741824'),
        parameter('trt_engine_cache_enable', 'true'),
        parameter('trt_engine_cache_path', '/cache'),
        parameter('trt_profile_min_shapes', 'x:1x3'),
        parameter('trt_cuda_graph_enable', '0'),
      ].join(' '),
    ),
  ).toEqual({
    ORT_TENSORRT_FP16_ENABLE: '1',
    ORT_TENSORRT_MAX_WORKSPACE_SIZE: '1073741824',
    ORT_TENSORRT_ENGINE_CACHE_ENABLE: '1',
    ORT_TENSORRT_CACHE_PATH: '/cache',
    ORT_TENSORRT_PROFILE_MIN_SHAPES: 'x:1x3',
    ORT_TENSORRT_CUDA_GRAPH_ENABLE: '0',
  });
  expect(variables(parameter('precision_mode', 'INT8'))).toEqual({ ORT_TENSORRT_INT8_ENABLE: '1' });
});

test.each([
  ['precision_mode', 'FP32', true],
  ['precision_mode', 'BF16', false],
  ['trt_engine_cache_prefix', 'x', false],
  ['trt_dla_core', '1', true],
] as const)('%s=%s is passed: %s', (key, value, isPassed) => {
  expect(isPassedToTensorRt(key, value)).toBe(isPassed);
});

test('the variables hold while one session is made, one after the other, and what was there comes back', async () => {
  vi.stubEnv('ORT_TENSORRT_FP16_ENABLE', '0');
  const seen: (readonly (string | undefined)[])[] = [];
  const look = async (): Promise<void> => {
    seen.push([process.env['ORT_TENSORRT_FP16_ENABLE'], process.env['ORT_TENSORRT_DLA_CORE']]);
    await Promise.resolve();
    seen.push([process.env['ORT_TENSORRT_FP16_ENABLE'], process.env['ORT_TENSORRT_DLA_CORE']]);
  };
  const first = withVariables(new Map([['ORT_TENSORRT_FP16_ENABLE', '1']]), async () => {
    await look();
    throw new Error('no such device');
  });
  const second = withVariables(new Map([['ORT_TENSORRT_DLA_CORE', '2']]), look);
  await expect(first).rejects.toThrow('no such device');
  await second;
  expect(seen).toEqual([
    ['1', undefined],
    ['1', undefined],
    ['0', '2'],
    ['0', '2'],
  ]);
  expect(process.env['ORT_TENSORRT_FP16_ENABLE']).toBe('0');
  expect(process.env['ORT_TENSORRT_DLA_CORE']).toBeUndefined();
});
