// Execution providers: which are tried for an instance, in which order, and which are refused.

import { describe, expect, it } from 'vitest';
import type { InstanceSpec } from '../../inference/backend.ts';
import { identityConfig, identityModel } from '../../testing/onnx-test-models.ts';
import { onnxWorld } from '../../testing/onnx-world.ts';
import { namedGpuProviders, planProviders } from './provider-choice.ts';
import { configOf } from '../../testing/config-text.ts';

const { load } = await onnxWorld();

const spec: InstanceSpec = {
  name: 'm_0',
  kind: 'KIND_CPU',
  deviceId: -1,
  ordinal: 0,
  isPassive: false,
  hostPolicy: 'cpu',
};

describe('execution providers', () => {
  const gpuSpec: InstanceSpec = { ...spec, name: 'group_0', kind: 'KIND_GPU', deviceId: 1 };
  const accelerators = (text: string) => configOf(`optimization { execution_accelerators { ${text} } }`);
  const names = (plan: ReturnType<typeof planProviders>) =>
    plan.attempts.map((attempt) => attempt.map((choice) => choice.name));

  it('a CPU instance uses the CPU', () => {
    expect(
      names(
        planProviders(configOf(''), spec, {
          available: new Set(['cpu', 'cuda']),
          policy: 'strict',
          order: ['cuda'],
        }),
      ),
    ).toEqual([['cpu']]);
  });

  it('a GPU instance uses what was asked for, then its own provider, then the CPU', () => {
    const config = accelerators('gpu_execution_accelerator [ { name: "tensorrt" } ]');
    const plan = planProviders(config, gpuSpec, {
      available: new Set(['cpu', 'cuda', 'tensorrt', 'webgpu']),
      policy: 'fallback',
      order: ['cuda'],
    });
    expect(names(plan)).toEqual([['tensorrt', 'cuda', 'cpu'], ['cuda', 'cpu'], ['cpu']]);
    expect(plan.attempts[0]?.[0]?.deviceId).toBe(1);
  });

  it('the order of the backend comes after what the model asks for', () => {
    const available = new Set(['cpu', 'cuda', 'tensorrt', 'webgpu']);
    const order = namedGpuProviders(new Map([['gpu-providers', 'webgpu, cuda']]));
    const plan = (text: string) =>
      names(planProviders(accelerators(text), gpuSpec, { available, policy: 'fallback', order }));
    expect(plan('')).toEqual([['webgpu', 'cpu'], ['cuda', 'cpu'], ['cpu']]);
    expect(plan('gpu_execution_accelerator [ { name: "tensorrt" } ]')).toEqual([
      ['tensorrt', 'cuda', 'cpu'],
      ['webgpu', 'cpu'],
      ['cuda', 'cpu'],
      ['cpu'],
    ]);
    expect(
      planProviders(configOf(''), gpuSpec, { available, policy: 'fallback', order }).attempts[0]?.[0],
    ).toEqual({
      name: 'webgpu',
    });
    expect(() => namedGpuProviders(new Map([['gpu-providers', 'cuda,fast']]))).toThrow(
      "backend option 'gpu-providers' names 'fast', expected tensorrt, cuda, webgpu, dml, coreml",
    );
  });

  it('without a GPU it falls back, or fails when the policy is strict', async () => {
    expect(
      names(
        planProviders(configOf(''), gpuSpec, {
          available: new Set(['cpu', 'webgpu']),
          policy: 'fallback',
          order: [],
        }),
      ),
    ).toEqual([['cpu']]);
    expect(() =>
      planProviders(configOf(''), gpuSpec, {
        available: new Set(['cpu']),
        policy: 'strict',
        order: ['cuda'],
      }),
    ).toThrow('instance group group of model m has kind KIND_GPU but no GPUs are available');
    await using model = await load(identityModel('FP32', ['n', 3]), identityConfig(8, 'FP32', [3]));
    await model.instance({ kind: 'KIND_GPU', deviceId: 0 });
    expect(model.model.notices).toEqual([
      'asked for KIND_GPU, runs on the CPU: no GPU execution provider is available',
    ]);
  });

  it.each([
    ['gpu_execution_accelerator [ { name: "fast" } ]', "unknown Execution Accelerator 'fast' is requested"],
    [
      'cpu_execution_accelerator [ { name: "openvino" } ]',
      "unknown Execution Accelerator 'openvino' is requested",
    ],
    [
      'gpu_execution_accelerator [ { name: "tensorrt" parameters { key: "speed" value: "9" } } ]',
      "unknown parameter 'speed' is provided for TensorRT Execution Accelerator",
    ],
    [
      'gpu_execution_accelerator [ { name: "tensorrt" parameters { key: "precision_mode" value: "FP7" } } ]',
      "unsupported precision mode 'FP7' is requested",
    ],
    [
      'gpu_execution_accelerator [ { name: "tensorrt" parameters { key: "max_workspace_size_bytes" value: "abc" } } ]',
      "failed to convert 'abc' to unsigned long long integral number",
    ],
    [
      'gpu_execution_accelerator [ { name: "cuda" parameters { key: "do_copy_in_default_stream" value: "x" } } ]',
      "failed to convert 'x' to boolean",
    ],
  ])('%s is refused', (text, message) => {
    expect(() =>
      planProviders(accelerators(text), gpuSpec, {
        available: new Set(['cpu']),
        policy: 'fallback',
        order: [],
      }),
    ).toThrow(message);
  });
});
