import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

import { afterEach, beforeEach, expect, test } from 'vitest';

import { fakeLevel } from '../../../src-shared/testing/fake-runs.ts';
import type { Given } from '../options/given-values.ts';
import { profileSettings } from '../options/profile-settings.ts';
import { DEFAULT_OBJECTIVES } from '../rank/objectives.ts';
import { driftSentence, summarySentence } from '../report/summary-report.ts';
import { Checkpoint } from '../results/checkpoint.ts';
import { metricsOf } from '../results/measurement.ts';
import type { AnalyzerServer } from './analyzer-server.ts';
import type { TrialMeasurer, WantedMeasurement } from './measurer.ts';
import { longer, measurementPlan } from './measurer.ts';
import { ModelProfile } from './model-profile.ts';
import { readConfig, VariantRepository } from './variant-repository.ts';
import { folderVariants } from './variants.ts';

const CONFIG = `# Ours.
name: "m"
backend: "onnxruntime"
max_batch_size: 4
instance_group [ { count: 1 kind: KIND_CPU } ]
`;

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'conch-profile-'));
  await mkdir(path.join(folder, 'models', 'm', '1'), { recursive: true });
  await writeFile(path.join(folder, 'models', 'm', 'config.pbtxt'), CONFIG);
  await writeFile(path.join(folder, 'models', 'm', '1', 'model.onnx'), 'weights');
});
afterEach(() => rm(folder, { recursive: true }));

interface Heard {
  readonly loads: string[];
  readonly measured: string[];
  readonly notes: string[];
}

/** Profiles `m`; `rate` gives the throughput of a variant, or throws. */
async function profile(
  given: Given,
  options: {
    readonly rate?: (wanted: WantedMeasurement, instances: number) => number;
    readonly stopsAfter?: number;
    readonly refuses?: string;
  } = {},
): Promise<Heard & { readonly checkpoint: Checkpoint }> {
  const settings = profileSettings({
    model_repository: path.join(folder, 'models'),
    output_model_repository_path: path.join(folder, 'out'),
    override_output_model_repository: true,
    profile_models: 'm',
    ...given,
  });
  const heard: Heard = { loads: [], measured: [], notes: [] };
  const out = path.join(folder, 'out');
  const configOf = async (model: string) =>
    readConfig(model, await readFile(path.join(out, model, 'config.pbtxt'), 'utf8'));
  const server: AnalyzerServer = {
    endpoints: { http: 'h:1', grpc: 'h:2', metricsUrl: 'http://h:3/metrics' },
    pid: undefined,
    isReady: () => Promise.resolve(false),
    load: (model) => {
      heard.loads.push(`+${model}`);
      return model === options.refuses ? Promise.reject(new Error('out of memory')) : Promise.resolve();
    },
    unload: (model) => Promise.resolve(void heard.loads.push(`-${model}`)),
    config: configOf,
    close: () => Promise.resolve(),
  };
  const measurer: TrialMeasurer = {
    idle: () => Promise.resolve([]),
    kill: () => undefined,
    measure: async (_server, wanted) => {
      const { variant, batchSize, load } = wanted;
      heard.measured.push(`${variant} c${load.value}`);
      const instances = (await configOf(variant)).instanceGroup[0]?.count ?? 1;
      const level = fakeLevel(load.value, { inferPerSecond: options.rate?.(wanted, instances) ?? 100 });
      return {
        variant,
        batchSize,
        load,
        level,
        gpus: [],
        warnings: [],
        metrics: metricsOf(level, [], undefined),
      };
    },
  };
  const checkpoint = await Checkpoint.open(path.join(folder, 'checkpoints'));
  const [model] = settings.models;
  if (model === undefined) throw new Error('no model');
  await new ModelProfile(model, {
    ...{ settings, server, measurer, checkpoint, gpuCount: 0 },
    variants: folderVariants(
      await VariantRepository.open(settings.repository, settings.outputRepository, true),
      server,
    ),
    note: (text) => void heard.notes.push(text),
    failed: (text) => void heard.notes.push(`! ${text}`),
    isStopping: () => heard.measured.length >= (options.stopsAfter ?? Infinity),
  }).run();
  return { ...heard, checkpoint };
}

const SMALL: Given = {
  run_config_search_max_instance_count: 2,
  run_config_search_max_model_batch_size: 1,
  concurrency: [2],
};

test('each variant has the files of its model and a configuration of its own; the model is left alone', async () => {
  const { loads, measured } = await profile(SMALL);
  expect(measured).toEqual([
    ...['m_config_default c2', 'm_config_0 c2', 'm_config_1 c2', 'm_config_default c2'],
  ]);
  expect(loads).toEqual([
    ...['+m_config_default', '-m_config_default', '+m_config_0', '-m_config_0', '+m_config_1', '-m_config_1'],
    ...['+m_config_default', '-m_config_default'],
  ]);
  const out = path.join(folder, 'out');
  expect((await readdir(out)).sort()).toEqual(['m_config_0', 'm_config_1', 'm_config_default']);
  const text = (name: string) => readFile(path.join(out, name, 'config.pbtxt'), 'utf8');
  expect(await text('m_config_default')).toBe(CONFIG.replace('"m"', '"m_config_default"'));
  expect(readConfig('x', await text('m_config_1'))).toMatchObject({
    name: 'm_config_1',
    maxBatchSize: 1,
    instanceGroup: [{ count: 2, kind: 'KIND_CPU' }],
    dynamicBatching: {},
  });
  expect(await readFile(path.join(out, 'm_config_1', '1', 'model.onnx'), 'utf8')).toBe('weights');
  expect(await readFile(path.join(folder, 'models', 'm', 'config.pbtxt'), 'utf8')).toBe(CONFIG);
});

test('stopped in between, it goes on where it was, and measures nothing twice', async () => {
  const first = await profile(SMALL, { stopsAfter: 2 });
  expect(first.measured).toEqual(['m_config_default c2', 'm_config_0 c2']);
  const second = await profile(SMALL);
  expect(second.measured).toEqual(['m_config_1 c2']);
  expect(second.notes.filter((text) => text.startsWith('Existing'))).toEqual([
    'Existing measurement found for run config. Skipping profile',
    'Existing measurement found for run config. Skipping profile',
  ]);
});

test('results of a configuration that has changed since are not used', async () => {
  await profile(SMALL);
  await writeFile(
    path.join(folder, 'models', 'm', 'config.pbtxt'),
    CONFIG.replace('batch_size: 4', 'batch_size: 8'),
  );
  const { measured, notes } = await profile(SMALL);
  expect(measured).toHaveLength(4);
  expect(notes[0]).toContain('has changed since the checkpoint');
});

test('a variant that does not load is a result, not the end', async () => {
  const { measured, notes, checkpoint } = await profile(SMALL, { refuses: 'm_config_0' });
  expect(measured).toEqual(['m_config_default c2', 'm_config_1 c2', 'm_config_default c2']);
  expect(notes).toContain('! m_config_0: client batch size=1, concurrency=2: out of memory');
  expect(checkpoint.variants('m').find(({ name }) => name === 'm_config_0')?.failure).toBe('out of memory');
});

test('what changed over the search is told by measuring the default once more', async () => {
  let defaults = 0;
  const rate = ({ variant }: WantedMeasurement): number => {
    if (variant !== 'm_config_default') return 150;
    defaults += 1;
    return defaults === 1 ? 100 : 160;
  };
  const { checkpoint } = await profile(SMALL, { rate });
  const profiled = {
    ...({ model: 'm', unit: 'concurrency', records: checkpoint.variants('m') } as const),
    goals: { objectives: DEFAULT_OBJECTIVES, constraints: new Map() },
  };
  // A gain of 50 %, where the default itself gained 60 %.
  expect(summarySentence(profiled)).toContain('no clear winner');
  expect(driftSentence(profiled)).toContain('the default configuration was 60 % better than before');
});

test('two measurements that fail before any succeeds are the end', async () => {
  const rate = (): never => {
    throw new Error('no request was answered');
  };
  await expect(profile(SMALL, { rate })).rejects.toThrow(
    'the first 2 measurements failed, the last with: no request was answered',
  );
});

test('after the search the best ones and the default are swept over loads', async () => {
  const { measured, notes } = await profile({
    run_config_search_max_instance_count: 1,
    run_config_search_max_model_batch_size: 1,
    run_config_search_max_concurrency: 8,
    latency_budget: 1,
  });
  // Every p99 is 11.9 ms, so the first load fails; below 1 there is nothing to look at.
  const swept = ['m_config_default', 'm_config_0'].flatMap((name) =>
    [1, 2, 4, 8].map((load) => `${name} c${load}`),
  );
  expect(measured).toEqual([...swept, 'm_config_default c1']);
  expect(notes.filter((text) => text.startsWith('Existing'))).toHaveLength(8);
});

test('quick search climbs from the smallest, and sweeps unless it is told not to', async () => {
  const { measured } = await profile(
    {
      run_config_search_mode: 'quick',
      concurrency_sweep_disable: true,
      run_config_search_max_instance_count: 3,
      run_config_search_max_model_batch_size: 1,
    },
    { rate: (_wanted, instances) => 100 * instances },
  );
  // 2 x 4 x 1 of the default.
  expect(measured.slice(0, 2)).toEqual(['m_config_default c8', 'm_config_0 c2']);
  expect(measured.some((text) => text.endsWith(' c6'))).toBe(true);
});

test('the output folder must not be the source, nor be filled unasked', async () => {
  const models = path.join(folder, 'models');
  await expect(VariantRepository.open(models, models, true)).rejects.toThrow(
    'is the model repository itself',
  );
  const out = path.join(folder, 'out');
  await mkdir(path.join(out, 'x'), { recursive: true });
  await expect(VariantRepository.open(models, out, false)).rejects.toThrow('is not empty');
  const repository = await VariantRepository.open(models, out, true);
  await expect(repository.configText('nobody')).rejects.toThrow("there is no model 'nobody'");
  await expect(repository.configText('../models')).rejects.toThrow("there is no model '../models'");
});

test('the load generator is told what the analyzer knows, over what the user says', () => {
  const plan = measurementPlan(
    {
      ...{
        served: 'm_config_1',
        variant: 'm_config_1',
        batchSize: 4,
        load: { unit: 'concurrency', value: 16 },
      },
      perfFlags: { percentile: 95, b: 9, shape: ['A:1,2', 'B:3'], async: true, sync: false },
    },
    { endpoints: { http: 'h:1', grpc: 'h:2', metricsUrl: '' } },
    'grpc',
  );
  expect(plan).toMatchObject({
    model: 'm_config_1',
    batchSize: 4,
    protocol: 'grpc',
    url: 'h:2',
    load: { kind: 'concurrency', levels: { start: 16, end: 16 } },
    data: { shapes: { A: [1, 2], B: [3] } },
    measurement: { mode: 'count', requestCount: 50, percentile: 95 },
    isAsync: true,
  });
  expect(longer(plan).measurement.requestCount).toBe(100);
  expect(longer({ ...plan, measurement: { ...plan.measurement, mode: 'time' } }).measurement.intervalMs).toBe(
    6000,
  );
});
