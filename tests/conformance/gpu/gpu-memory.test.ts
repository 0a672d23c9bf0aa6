// What the window and the statistics say of the memory that a model takes of the GPU that it is on. Skipped unless
// CONCH_GPU_PROVIDER names a provider. On a software renderer there is nothing to measure, and the window has to say so.

import { describe, expect, test } from 'vitest';

import type { GpuMemoryShare } from '../../../src-shared/contract/gpu-memory.ts';
import { floatTensor } from '../../../src-main/onnx/onnx-writer.ts';
import { graphModel, value } from '../../../src-main/testing/onnx-test-models.ts';
import { TempRepository } from '../../../src-main/testing/temp-repository.ts';
import { WindowCaller } from '../../../tools/attack/window-caller.ts';
import { ServerProcess } from '../../processes/served-process.ts';
import { provider } from './gpu-world.ts';

const LONG_MS = 300_000;
const WIDTH = 1024;
/** 4 MiB of weights, which a GPU's tool counts in whole MiB. */
const matrix = floatTensor('w', [WIDTH, WIDTH], Array.from({ length: WIDTH * WIDTH }, (_, at) => (at % 17) / 17)); // prettier-ignore
const layer = graphModel(
  [{ opType: 'MatMul', inputs: ['INPUT', 'w'], outputs: ['OUTPUT'] }],
  [value('INPUT', 'FP32', ['n', WIDTH])],
  [value('OUTPUT', 'FP32', ['n', WIDTH])],
  { initializers: [matrix] },
);
const config = (kind: string): string =>
  `backend: "onnxruntime"\nmax_batch_size: 8\ninstance_group [ { kind: ${kind} count: 1 } ]\n`;

interface Snapshot {
  readonly result?: {
    readonly models: readonly { readonly name: string; readonly gpuMemory: readonly GpuMemoryShare[] }[];
  };
}

describe.skipIf(provider === '')(`GPU memory of models on ${provider || '(no provider)'}`, () => {
  test(
    'is a number with its way, or not known with the reason, and never another model’s',
    async () => {
      await using repository = await TempRepository.create({
        'on_gpu/1/model.onnx': layer,
        'on_gpu/config.pbtxt': config('KIND_GPU'),
        'on_cpu/1/model.onnx': layer,
        'on_cpu/config.pbtxt': config('KIND_CPU'),
      });
      await using data = await TempRepository.create({});
      await using server = ServerProcess.serve(
        '--ui',
        '--ui-port=0',
        `--user-data=${data.path}`,
        `--model-repository=${repository.path}`,
        `--backend-config=onnxruntime,gpu-providers=${provider}`,
        '--backend-config=onnxruntime,gpu-comparison=0',
        '--gpu-policy=strict',
      );
      const http = await server.printed(/HTTP +http:\/\/(\S+)/);
      const token = await server.printed(/Window +http:\/\/[^:]+:\d+\/\?token=(\S+)/);
      const port = Number(await server.printed(/Window +http:\/\/[^:]+:(\d+)/));
      for (const name of ['on_gpu', 'on_cpu']) {
        const end = await server.printed(new RegExp(`(successfully loaded|failed to load) '${name}'`));
        expect(end).toBe('successfully loaded');
      }
      const page = await WindowCaller.open(port, token);
      const { result } = (await page.call('repository/snapshot', {})) as Snapshot;
      page.close();
      const of = (name: string) => result?.models.find((model) => model.name === name)?.gpuMemory;
      expect(of('on_cpu')).toEqual([]);
      const [share] = of('on_gpu') ?? [];
      expect(share?.device).toBe(0);
      expect([share?.bytes, share?.unknown].filter((told) => told !== undefined)).toHaveLength(1);
      const isSoftware = process.env['VK_DRIVER_FILES']?.includes('swiftshader') === true;
      if (isSoftware) expect(share).toEqual({ device: 0, unknown: 'software', isFirst: false });
      const stats = (await (await fetch(`http://${http}/v2/models/on_gpu/stats`)).json()) as {
        model_stats: { memory_usage: { type: string; id: number; byte_size: number }[] }[];
      };
      const told = stats.model_stats[0]?.memory_usage.filter(({ type }) => type === 'GPU');
      expect(told).toEqual(
        share?.bytes === undefined ? [] : [{ type: 'GPU', id: 0, byte_size: share.bytes }],
      );
    },
    LONG_MS,
  );
});
