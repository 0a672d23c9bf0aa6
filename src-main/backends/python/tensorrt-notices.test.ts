// What is told of a TensorRT model before anything is opened.

import { expect, it } from 'vitest';
import { Disposer } from '../../base/disposer.ts';
import { configOf } from '../../testing/config-text.ts';
import { tensorrtBackend } from './framework-backends.ts';

const PLATFORM = 'platform: "tensorrt_plan"';

const told = (text: string, settings: readonly (readonly [string, string])[] = []): readonly string[] => {
  const tools = { settingsOf: () => new Map(settings), directory: '', services: () => undefined };
  const backend = tensorrtBackend({ ...tools, owned: new Disposer() });
  return backend.check?.(configOf(`${PLATFORM} ${text}`)) ?? [];
};

it.each([
  ['optimization { cuda { graphs: true } }', 'optimization.cuda.graphs'],
  ['optimization { cuda { busy_wait_events: true } }', 'optimization.cuda.busy_wait_events'],
  ['optimization { cuda { output_copy_stream: true } }', 'optimization.cuda.output_copy_stream'],
  ['optimization { eager_batching: true }', 'optimization.eager_batching'],
  ['optimization { gather_kernel_buffer_threshold: 9 }', 'optimization.gather_kernel_buffer_threshold'],
  ['instance_group { secondary_devices { kind: KIND_NVDLA } }', 'secondary_devices'],
  [
    'parameters { key: "enable_multi_device" value { string_value: "1" } }',
    "parameter 'enable_multi_device'",
  ],
])('%s has no effect', (text, what) => {
  expect(told(text)).toEqual([expect.stringMatching(new RegExp(`^${what} has no effect: `))]);
});

it('options of the server have none either, and others do', () => {
  const settings = ['coalesce-request-input', 'execution-policy', 'plugins'].map((key) => [key, ''] as const);
  expect(told('optimization { priority: PRIORITY_MAX }', settings)).toEqual([
    expect.stringContaining('backend option coalesce-request-input has no effect'),
    expect.stringContaining('backend option execution-policy has no effect'),
  ]);
});

it('row 70: another kind than that of GPUs is refused before anything is opened', () => {
  for (const kind of ['KIND_CPU', 'KIND_MODEL'])
    expect(() => told(`instance_group { kind: ${kind} }`)).toThrow(
      "unable to load model 'm', TensorRT backend supports only GPU device",
    );
  for (const kind of ['KIND_AUTO', 'KIND_GPU']) expect(told(`instance_group { kind: ${kind} }`)).toEqual([]);
});
