// What the window and the statistics say of the memory that a model takes of the GPU that it is on. Skipped unless
// CONCH_GPU_PROVIDER names a provider. On a software renderer there is nothing to measure, and the window has to say so.

import { chmod } from 'node:fs/promises';

import { describe, expect, test } from 'vitest';

import type { GpuMemoryShare } from '../../../src-shared/contract/gpu-memory.ts';
import { floatTensor } from '../../../src-main/onnx/onnx-writer.ts';
import { graphModel, value } from '../../../src-main/testing/onnx-test-models.ts';
import { testPython } from '../../../src-main/testing/test-python.ts';
import type { RepositoryFiles } from '../../../src-main/testing/temp-repository.ts';
import { TempRepository } from '../../../src-main/testing/temp-repository.ts';
import { WindowCaller } from '../../../tools/attack/window-caller.ts';
import { conchProgram, serveArguments, ServerProcess } from '../../processes/served-process.ts';
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

const PYTHON = `class TritonPythonModel:
    def execute(self, requests):
        return []
`;
const PYTHON_CONFIG = `backend: "python"
input [ { name: "INPUT" data_type: TYPE_FP32 dims: [ 1 ] } ]
output [ { name: "OUTPUT" data_type: TYPE_FP32 dims: [ 1 ] } ]
instance_group [ { kind: KIND_GPU count: 2 } ]
`;
/** A card that gives every process of the machine 7 MiB. */
const MADE_UP_TOOL = `#!/bin/sh
case "$1" in
  --query-compute-apps=*) for each in /proc/[0-9]*; do echo "\${each#/proc/}, GPU-made-up, 7"; done ;;
  --query-gpu=index,uuid,memory.used) echo "0, GPU-made-up, 1500" ;;
  --query-gpu=index,uuid,compute_cap*) echo "0, GPU-made-up, 9.0, 580.65, 81559, Made Up" ;;
  *) echo "0, GPU-made-up, Made Up, 5, 81559, 1500, 50, 100"; exec sleep 600 ;;
esac
`;

interface Snapshot {
  readonly result?: {
    readonly models: readonly { readonly name: string; readonly gpuMemory: readonly GpuMemoryShare[] }[];
  };
}

interface Stats {
  readonly model_stats: readonly {
    readonly memory_usage: readonly {
      readonly type: string;
      readonly id: number;
      readonly byte_size: number;
    }[];
  }[];
}

const isSoftware = process.env['VK_DRIVER_FILES']?.includes('swiftshader') === true;

/** A server whose models are loaded, and what its window and its statistics say of GPU memory. */
async function served(files: RepositoryFiles, environment: NodeJS.ProcessEnv = {}) {
  const repository = await TempRepository.create(files);
  const data = await TempRepository.create({});
  const server = new ServerProcess(
    process.execPath,
    [
      conchProgram,
      ...serveArguments(
        '--ui',
        '--ui-port=0',
        `--user-data=${data.path}`,
        `--model-repository=${repository.path}`,
        `--backend-config=onnxruntime,gpu-providers=${provider}`,
        '--backend-config=onnxruntime,gpu-comparison=0',
        '--gpu-policy=strict',
      ),
    ],
    { env: { ...process.env, ...environment } },
  );
  const end = async (): Promise<void> => {
    await server[Symbol.asyncDispose]();
    await repository.close();
    await data.close();
  };
  const http = await server.printed(/HTTP +http:\/\/(\S+)/);
  const token = await server.printed(/Window +http:\/\/[^:]+:\d+\/\?token=(\S+)/);
  const port = Number(await server.printed(/Window +http:\/\/[^:]+:(\d+)/));
  const names = new Set(Object.keys(files).map((file) => file.split('/')[0] ?? ''));
  for (const name of names) {
    const how = await server.printed(new RegExp(`(successfully loaded|failed to load) '${name}'`));
    expect(how, server.log).toBe('successfully loaded');
  }
  return {
    end,
    shares: async (name: string): Promise<readonly GpuMemoryShare[]> => {
      const page = await WindowCaller.open(port, token);
      const { result } = (await page.call('repository/snapshot', {})) as Snapshot;
      page.close();
      return result?.models.find((model) => model.name === name)?.gpuMemory ?? [];
    },
    usage: async (name: string) => {
      const stats = (await (await fetch(`http://${http}/v2/models/${name}/stats`)).json()) as Stats;
      return stats.model_stats[0]?.memory_usage.filter(({ type }) => type === 'GPU') ?? [];
    },
  };
}

describe.skipIf(provider === '')(`GPU memory of models on ${provider || '(no provider)'}`, () => {
  test(
    'is a number with its way, or not known with the reason, and never another model’s',
    async () => {
      const { shares, usage, end } = await served({
        'on_gpu/1/model.onnx': layer,
        'on_gpu/config.pbtxt': config('KIND_GPU'),
        'on_cpu/1/model.onnx': layer,
        'on_cpu/config.pbtxt': config('KIND_CPU'),
      });
      try {
        expect(await shares('on_cpu')).toEqual([]);
        const [share] = await shares('on_gpu');
        expect(share?.device).toBe(0);
        expect([share?.bytes, share?.unknown].filter((told) => told !== undefined)).toHaveLength(1);
        if (isSoftware) expect(share).toEqual({ device: 0, unknown: 'software', isFirst: false });
        expect(await usage('on_gpu')).toEqual(
          share?.bytes === undefined ? [] : [{ type: 'GPU', id: 0, byte_size: share.bytes }],
        );
      } finally {
        await end();
      }
    },
    LONG_MS,
  );

  test.skipIf(!isSoftware || testPython() === undefined)(
    'of a model in processes of its own is all that they have, here by a made-up tool',
    async () => {
      const tools = await TempRepository.create({ 'nvidia-smi': MADE_UP_TOOL });
      await chmod(tools.at('nvidia-smi'), 0o755);
      const { shares, usage, end } = await served(
        {
          'in_python/1/model.py': PYTHON,
          'in_python/config.pbtxt': PYTHON_CONFIG,
          'on_gpu/1/model.onnx': layer,
          'on_gpu/config.pbtxt': config('KIND_GPU'),
        },
        { PATH: `${tools.path}:${process.env['PATH'] ?? ''}` },
      );
      try {
        const bytes = 2 * 7 * 1024 ** 2;
        expect(await shares('in_python')).toEqual([
          { device: 0, bytes, way: 'host', tool: 'nvidia-smi', isFirst: true },
        ]);
        expect(await usage('in_python')).toEqual([{ type: 'GPU', id: 0, byte_size: bytes }]);
        // The card has no Vulkan driver here, so WebGPU is not on it.
        expect(await shares('on_gpu')).toEqual([{ device: 0, unknown: 'software', isFirst: false }]);
      } finally {
        await end();
        await tools.close();
      }
    },
    LONG_MS,
  );
});
