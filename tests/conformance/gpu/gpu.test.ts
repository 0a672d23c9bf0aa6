// Real sessions of a GPU provider behind a real server: answers against the CPU's, batching, instances, ensembles,
// loading and unloading, statistics and traces. Skipped unless CONCH_GPU_PROVIDER names a provider.

import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';

import type { DataType } from '../../../src-shared/datatypes.ts';
import { encodeTexts } from '../../../src-main/testing/tensors.ts';
import { floats, GpuWorld, provider, TOLERANCES } from './gpu-world.ts';
import { toBytes, toNumbers } from './tensor-numbers.ts';

const WIDTH = 8;
/** Making the shaders of a model anew takes seconds on a software renderer. */
const TRACE_MS = 5000;
const LONG_MS = 240_000;
const values = Array.from({ length: WIDTH }, (_, at) => at + 1);
const row = (seed: number): number[] => values.map((entry) => Math.sin(entry * seed));

let world: GpuWorld;
let folder = '';

interface Statistics {
  readonly model_stats: readonly {
    readonly inference_count: number;
    readonly execution_count: number;
    readonly inference_stats: Readonly<Record<string, { readonly count: number; readonly ns: number }>>;
    readonly batch_stats: readonly {
      readonly batch_size: number;
      readonly compute_infer: { readonly count: number };
    }[];
  }[];
}

function differences(a: readonly number[], b: readonly number[]): number {
  expect(a).toHaveLength(b.length);
  return Math.max(...a.map((entry, at) => Math.abs(entry - (b[at] ?? Number.NaN))));
}

async function compare(
  by: 'HTTP' | 'gRPC',
  model: string,
  datatype: DataType,
  bytes: Uint8Array,
  shape: number[],
) {
  const input = { name: 'INPUT', datatype, shape, bytes };
  const [gpu, cpu] = [await world.infer(by, model, input), await world.infer(by, `${model}_cpu`, input)];
  expect([gpu.datatype, gpu.shape]).toEqual([cpu.datatype, cpu.shape]);
  return differences(toNumbers(datatype, gpu.bytes), toNumbers(datatype, cpu.bytes));
}

describe.skipIf(provider === '')(`GPU provider ${provider || '(none is named)'}`, () => {
  beforeAll(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'conch-gpu-'));
    world = await GpuWorld.start(`--trace-config=triton,file=${path.join(folder, 'trace.json')}`);
  }, LONG_MS);
  afterAll(async () => {
    await world[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  });

  test('strict policy: every model that asks for a GPU is ready and none runs on the CPU instead', async () => {
    const config = await world.get<{ instance_group: { kind: string; gpus: number[] }[] }>(
      'models/layers/config',
    );
    expect(config.instance_group[0]).toMatchObject({ kind: 'KIND_GPU', gpus: [0] });
    expect(world.server.log).not.toContain('runs on the CPU');
    expect(world.server.log).toContain(`through ${provider.split(',')[0] ?? ''}`);
  });

  describe.each(['HTTP', 'gRPC'] as const)('over %s', (by) => {
    test.each(TOLERANCES.filter(([datatype]) => datatype !== 'FP16'))(
      '%s as on the CPU, to %s',
      async (datatype, tolerance) => {
        const worst = await compare(by, `sum_${datatype}`, datatype, toBytes(datatype, values), [1, WIDTH]);
        expect(worst).toBeLessThanOrEqual(tolerance);
      },
      LONG_MS,
    );

    test(
      'layers with weights, in batches of one to eight',
      async () => {
        for (const rows of [1, 3, 8]) {
          const all = Array.from({ length: rows }, (_, at) => row(at + 1)).flat();
          const { bytes } = floats('INPUT', [rows, WIDTH], all);
          expect(await compare(by, 'layers', 'FP32', bytes, [rows, WIDTH])).toBeLessThanOrEqual(1e-4);
        }
      },
      LONG_MS,
    );

    test(
      'texts and an operator that the provider lacks go to the CPU',
      async () => {
        const bytes = encodeTexts(['conch', 'Muschel']);
        const texts = await world.infer(by, 'strings', {
          name: 'INPUT',
          datatype: 'BYTES',
          shape: [1, 2],
          bytes,
        });
        expect(Buffer.from(texts.bytes)).toEqual(Buffer.from(bytes));
        const square = floats('INPUT', [2, 2], [3, 1, 2, 4]).bytes;
        expect(await compare(by, 'partly', 'FP32', square, [2, 2])).toBeLessThanOrEqual(1e-3);
      },
      LONG_MS,
    );

    test(
      'an ensemble with one step on the GPU and one on the CPU',
      async () => {
        const input = floats('X', [2, WIDTH], [...row(1), ...row(2)]);
        const output = await world.infer(by, 'both_sides', input);
        const single = await world.infer(by, 'layers_cpu', { ...input, name: 'INPUT' });
        const doubled = toNumbers('FP32', single.bytes).map((entry) => entry * 2);
        expect(differences(toNumbers('FP32', output.bytes), doubled)).toBeLessThanOrEqual(1e-4);
      },
      LONG_MS,
    );
  });

  test(
    'requests that wait are put into one batch, each gets its own rows, and statistics say so',
    async () => {
      await world.infer('HTTP', 'batched', floats('INPUT', [1, WIDTH], row(1)));
      const seeds = [1, 2, 3, 4];
      const answers = await Promise.all(
        seeds.map((seed) => world.infer('HTTP', 'batched', floats('INPUT', [1, WIDTH], row(seed)))),
      );
      for (const [at, seed] of seeds.entries()) {
        const alone = await world.infer('HTTP', 'layers_cpu', floats('INPUT', [1, WIDTH], row(seed)));
        const own = toNumbers('FP32', answers[at]?.bytes ?? new Uint8Array());
        expect(differences(own, toNumbers('FP32', alone.bytes))).toBeLessThanOrEqual(1e-4);
      }
      const [stats] = (await world.get<Statistics>('models/batched/stats')).model_stats;
      expect(stats).toMatchObject({ inference_count: 5, execution_count: 2 });
      expect(stats?.batch_stats.map(({ batch_size }) => batch_size)).toEqual([1, 4]);
      expect(stats?.inference_stats['compute_infer']?.ns).toBeGreaterThan(0);
    },
    LONG_MS,
  );

  test(
    'two instances with warm-up answer forty requests at a time',
    async () => {
      const answers = await Promise.all(
        Array.from({ length: 40 }, (_, at) =>
          world.infer(at % 2 === 0 ? 'HTTP' : 'gRPC', 'twins', floats('INPUT', [1, WIDTH], row(at % 5))),
        ),
      );
      for (const [at, answer] of answers.entries()) {
        const same = answers[at % 5];
        expect(
          differences(toNumbers('FP32', answer.bytes), toNumbers('FP32', same?.bytes ?? new Uint8Array())),
          // CUDA computes a batch of another size with another kernel, whose sums are rounded elsewhere.
        ).toBeLessThanOrEqual(1e-4);
      }
      const [stats] = (await world.get<Statistics>('models/twins/stats')).model_stats;
      expect(stats?.inference_count).toBe(40);
    },
    LONG_MS,
  );

  test('a trace has the time of the run on the device', async () => {
    const settings = { trace_level: ['TIMESTAMPS'], trace_rate: '1', trace_count: '-1', log_frequency: '1' };
    await world.post('models/layers/trace/setting', settings);
    await world.infer('HTTP', 'layers', floats('INPUT', [1, WIDTH], row(1)));
    await world.post('models/layers/trace/setting', { trace_level: ['OFF'] });
    // It is written once the answer has left, and nobody waits for the disk.
    await vi.waitFor(async () => {
      const written = await readdir(folder);
      const text = await readFile(path.join(folder, written[0] ?? 'trace.json'), 'utf8');
      for (const name of ['COMPUTE_START', 'COMPUTE_INPUT_END', 'COMPUTE_OUTPUT_START', 'COMPUTE_END']) {
        expect(text).toContain(name);
      }
    }, TRACE_MS);
  });

  test(
    'FP16 runs where the adapter has it; elsewhere the load is refused with the reason',
    async () => {
      const refusal = await world.post('repository/models/sum_FP16/load').then(() => '', String);
      if (refusal === '') {
        const worst = await compare('HTTP', 'sum_FP16', 'FP16', toBytes('FP16', values), [1, WIDTH]);
        expect(worst).toBeLessThanOrEqual(1e-2);
      } else {
        expect(refusal).toContain('requires f16 but the device does not support it');
      }
    },
    LONG_MS,
  );

  test('wrong input is refused, and the model goes on', async () => {
    await expect(world.infer('HTTP', 'layers', floats('INPUT', [1, 3], [1, 2, 3]))).rejects.toThrow(/shape/);
    expect((await world.infer('HTTP', 'layers', floats('INPUT', [1, WIDTH], row(1)))).shape).toEqual([
      1,
      WIDTH,
    ]);
  });

  test(
    'fifty times unloaded and loaded again, it answers as before and has not grown',
    async () => {
      const before = await world.infer('HTTP', 'twins', floats('INPUT', [1, WIDTH], row(3)));
      const sizes: number[] = [];
      for (let round = 0; round < 50; round += 1) {
        await world.post('repository/models/twins/unload');
        await world.post('repository/models/twins/load');
        if (round % 10 === 9) {
          await world.infer('HTTP', 'twins', floats('INPUT', [1, WIDTH], row(3)));
          sizes.push(await world.residentBytes());
        }
      }
      const after = await world.infer('HTTP', 'twins', floats('INPUT', [1, WIDTH], row(3)));
      expect(Buffer.from(after.bytes)).toEqual(Buffer.from(before.bytes));
      const growth = (sizes.at(-1) ?? 0) - (sizes[0] ?? 0);
      expect(
        growth,
        `resident MiB ${sizes.map((size) => Math.round(size / 2 ** 20)).join(' ')}`,
      ).toBeLessThan(64 * 2 ** 20);
    },
    LONG_MS,
  );
});
