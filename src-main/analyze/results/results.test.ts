import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { fakeLevel, fakeServerTimes } from '../../../src-shared/testing/fake-runs.ts';
import type { Goals } from '../rank/constraints.ts';
import { DEFAULT_OBJECTIVES } from '../rank/objectives.ts';
import { inferenceTable, csvText, gpuTable, tableText, serverTable } from '../report/tables.ts';
import { summarySentence } from '../report/summary-report.ts';
import { whyNothing } from '../run/measurer.ts';
import { Checkpoint } from './checkpoint.ts';
import type { Measurement, VariantRecord } from './measurement.ts';
import { gpuMeasurement, metricsOf } from './measurement.ts';
import { outcomeOf } from './ranking.ts';

const FREE: Goals = { objectives: DEFAULT_OBJECTIVES, constraints: new Map() };
const WITHIN_12_MS: Goals = {
  objectives: DEFAULT_OBJECTIVES,
  constraints: new Map([['perf_latency_p99', { kind: 'max', value: 11.95 }]]),
};

function measurement(variant: string, load: number, rate: number, p99Us = 11_900): Measurement {
  const level = fakeLevel(load, { inferPerSecond: rate, percentilesUs: { 50: 1, 90: 2, 95: 3, 99: p99Us } });
  return {
    variant,
    batchSize: 1,
    load: { unit: 'concurrency', value: load },
    metrics: metricsOf(level, [], undefined),
    gpus: [],
    level,
    warnings: [],
  };
}

function record(
  name: string,
  measurements: readonly Measurement[],
  more: Partial<VariantRecord> = {},
): VariantRecord {
  return {
    name,
    text: `name: "${name}"`,
    instanceGroup: '1:CPU',
    instanceCount: 1,
    maxBatchSize: 8,
    hasDynamicBatching: true,
    parameters: { intra_op_thread_count: '2' },
    measurements,
    failure: undefined,
    ...more,
  };
}

const DEFAULT = record('m_config_default', [
  measurement('m_config_default', 1, 100),
  measurement('m_config_default', 2, 150),
]);
const FASTER = record('m_config_0', [measurement('m_config_0', 2, 300, 20_000)], { instanceGroup: '2:CPU' });
const unsteady = (steady: VariantRecord): VariantRecord => ({
  ...steady,
  measurements: steady.measurements.map((one) => ({ ...one, level: { ...one.level, state: 'unstable' } })),
});
const MODEL = { model: 'm', unit: 'concurrency', records: [DEFAULT, FASTER] } as const;

test('metrics of a level: latencies in ms, memory in MB, GPUs summed or averaged', () => {
  const level = fakeLevel(4, {
    inferPerSecond: 400,
    meanUs: 10_000,
    sendUs: 200,
    receiveUs: 300,
    server: fakeServerTimes(),
  });
  const gpu = (usedByteSize: number, utilizationPercent: number) =>
    gpuMeasurement({ uuid: 'g', usedByteSize, totalByteSize: 8e9, utilizationPercent, powerWatts: 50 });
  expect(
    metricsOf(level, [gpu(1e9, 40), gpu(2e9, 60)], { usedByteSize: 5e6, availableByteSize: 9e6 }),
  ).toEqual({
    perf_throughput: 400,
    perf_latency_avg: 10,
    perf_latency_p90: 10.8,
    perf_latency_p95: 11,
    perf_latency_p99: 11.9,
    perf_client_send_recv: 0.5,
    perf_client_response_wait: 9.5,
    perf_server_queue: 2,
    perf_server_compute_input: 0.1,
    perf_server_compute_infer: 7,
    perf_server_compute_output: 0.05,
    gpu_used_memory: 3000,
    gpu_free_memory: 13_000,
    gpu_total_memory: 16_000,
    gpu_utilization: 50,
    gpu_power_usage: 50,
    cpu_used_ram: 5,
    cpu_available_ram: 9,
  });
});

describe('tables', () => {
  test('the best variant first, of a variant the best measurement', () => {
    const table = inferenceTable([{ ...MODEL, goals: FREE }], undefined);
    expect(csvText(table)).toBe(
      [
        'Model,Batch,Concurrency,Model Config Path,Instance Group,Max Batch Size,Satisfies Constraints,Throughput (infer/sec),p99 Latency (ms)',
        'm,1,2,m_config_0,2:CPU,8,Yes,300,20',
        'm,1,2,m_config_default,1:CPU,8,Yes,150,11.9',
        'm,1,1,m_config_default,1:CPU,8,Yes,100,11.9',
        '',
      ].join('\n'),
    );
    expect(tableText(table).split('\n')[0]).toBe('Models (Inference):');
  });

  test('what does not satisfy constraints comes last, and says so', () => {
    const { rows } = inferenceTable(
      [{ ...MODEL, goals: WITHIN_12_MS }],
      ['model_config_path', 'satisfies_constraints'],
    );
    expect(rows).toEqual([
      ['m_config_default', 'Yes'],
      ['m_config_default', 'Yes'],
      ['m_config_0', 'No'],
    ]);
  });

  test('chosen columns, parameters of the backend among them', () => {
    const { headers, rows } = inferenceTable(
      [{ ...MODEL, goals: FREE }],
      ['backend_parameter/intra_op_thread_count', 'perf_latency_avg'],
    );
    expect(headers).toEqual(['backend_parameter/intra_op_thread_count', 'Avg Latency (ms)']);
    expect(rows[0]).toEqual(['2', '10']);
  });

  test('a row for each GPU; of the idle server too', () => {
    const gpu = gpuMeasurement({
      ...{ uuid: 'GPU-1', usedByteSize: 1e9, totalByteSize: 8e9 },
      ...{ utilizationPercent: 40, powerWatts: 50 },
    });
    const measured = { ...measurement('m_config_default', 1, 100), gpus: [gpu] };
    const model = { ...MODEL, goals: FREE, records: [record('m_config_default', [measured])] };
    expect(
      csvText(gpuTable([model], undefined))
        .split('\n')
        .slice(0, 2),
    ).toEqual([
      'Model,GPU UUID,Batch,Concurrency,Model Config Path,Instance Group,Satisfies Constraints,GPU Memory Usage (MB),GPU Utilization (%),GPU Power Usage (W)',
      'm,GPU-1,1,1,m_config_default,1:CPU,Yes,1000,40,50',
    ]);
    expect(serverTable([gpu], undefined).rows).toEqual([['triton-server', 'GPU-1', '1000', '40', '50']]);
    expect(gpuTable([{ ...MODEL, goals: FREE }], undefined).rows).toEqual([]);
  });
});

test('what was not answered says why, and never nothing', () => {
  expect(whyNothing(undefined)).toBe('nothing was sent');
  expect(whyNothing({ firstError: 'refused', note: 'slow' })).toBe('refused');
  expect(whyNothing({ firstError: '', note: 'slow' })).toBe('slow');
  expect(whyNothing({ firstError: '', note: '' })).toBe('none ended while it was measured');
});

describe('the outcome', () => {
  test('a clear gain over the default', () => {
    expect(outcomeOf(MODEL.records, FREE)).toMatchObject({
      best: { record: FASTER },
      isPassing: true,
      gain: { percent: 100, isClear: true },
    });
    expect(summarySentence({ ...MODEL, goals: FREE })).toBe(
      'In 3 measurements across 2 configurations, m_config_0 is 100 % better than the default configuration at maximizing throughput. That is more than the measurements vary.',
    );
  });

  test('a gain within the noise is no winner', () => {
    const hardly = record('m_config_0', [measurement('m_config_0', 2, 150.6)]);
    expect(summarySentence({ ...MODEL, records: [DEFAULT, hardly], goals: FREE })).toContain(
      'within what the measurements vary: no clear winner',
    );
  });

  test('a configuration that says the same as the default is the default, at its best', () => {
    const twin = { ...FASTER, text: '# again\nname: "m_config_default"' };
    expect(outcomeOf([DEFAULT, twin], FREE)).toMatchObject({ isInitial: true, gain: undefined });
    expect(summarySentence({ ...MODEL, records: [DEFAULT, twin], goals: FREE })).toContain(
      'no configuration provides a gain over the default.',
    );
    const other = record('m_config_1', [measurement('m_config_1', 2, 330)], {
      text: 'name: "m_config_default" max_batch_size: 4',
    });
    expect(outcomeOf([DEFAULT, twin, other], FREE)).toMatchObject({
      isInitial: false,
      gain: { percent: expect.closeTo(10) as number },
    });
  });

  test.each([
    ['the best', [DEFAULT, unsteady(FASTER)]],
    ['the default', [unsteady(DEFAULT), FASTER]],
  ])('no gain is clear where %s was not steady', (_name, records) => {
    expect(outcomeOf(records, FREE)?.gain).toMatchObject({ isSteady: false, isClear: false });
    expect(summarySentence({ ...MODEL, records, goals: FREE })).toContain(
      'm_config_0 measured 100 % better than the default configuration at maximizing throughput, but the measurements were not steady: no clear winner.',
    );
  });

  test('the default as the best, nothing that keeps to the constraints, nothing at all', () => {
    expect(summarySentence({ ...MODEL, goals: WITHIN_12_MS })).toContain(
      'no configuration provides a gain over the default, under the given constraints',
    );
    const late = record('m_config_default', [measurement('m_config_default', 1, 100, 99_000)]);
    expect(summarySentence({ ...MODEL, records: [late], goals: WITHIN_12_MS })).toContain(
      'none keeps to the constraints; m_config_default comes nearest',
    );
    expect(summarySentence({ ...MODEL, records: [], goals: FREE })).toBe('Nothing was measured.');
  });
});

describe('checkpoints', () => {
  let folder = '';
  beforeAll(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'conch-ckpt-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  test('the same configuration has the same name, and what was saved comes back', async () => {
    const first = await Checkpoint.open(folder);
    expect(first.isEmpty).toBe(true);
    expect(first.variantName('m', 'text', true)).toBe('m_config_default');
    expect(first.variantName('m', 'a', false)).toBe('m_config_0');
    expect(first.variantName('m', 'b', false)).toBe('m_config_1');
    expect(first.variantName('m', 'a', false)).toBe('m_config_0');
    first.put('m', DEFAULT);
    await first.save();
    await first.save();
    first.put('m', FASTER);
    await first.save();
    expect((await readdir(folder)).sort()).toEqual(['0.ckpt', '1.ckpt']);
    const second = await Checkpoint.open(folder);
    expect(second.variants('m').map(({ name }) => name)).toEqual(['m_config_default', 'm_config_0']);
    expect(second.variants('m')[0]?.measurements[1]?.metrics).toEqual(DEFAULT.measurements[1]?.metrics);
    expect(second.variantName('m', 'b', false)).toBe('m_config_1');
    expect(outcomeOf(second.variants('m'), FREE)).toMatchObject({ gain: { isClear: true } });
    await second.save();
    expect(await readdir(folder)).toHaveLength(2);
  });

  test('an empty text for no failure, as earlier versions kept it, is none', async () => {
    const older = await mkdtemp(path.join(folder, 'older-'));
    const results = {
      m: [
        { ...DEFAULT, failure: '' },
        { ...FASTER, failure: 'out of memory' },
      ],
    };
    await writeFile(
      path.join(older, '0.ckpt'),
      JSON.stringify({ format: 'conch-1', 'ResultManager.results': results }),
    );
    const kept = (await Checkpoint.open(older)).variants('m');
    expect(kept.map(({ failure }) => failure)).toEqual([undefined, 'out of memory']);
  });

  test('the highest number counts; what another program wrote, or half a file, is refused', async () => {
    await writeFile(path.join(folder, '10.ckpt'), '{"ModelManager.model_variant_name_manager":{}}');
    await expect(Checkpoint.open(folder)).rejects.toThrow(
      '10.ckpt cannot be read: it was written by another program',
    );
    await writeFile(path.join(folder, '11.ckpt'), '{"format":"con');
    await expect(Checkpoint.open(folder)).rejects.toThrow('11.ckpt cannot be read');
  });
});
