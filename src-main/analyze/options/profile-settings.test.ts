import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import { afterAll, expect, test } from 'vitest';

import { scanGiven } from './given-values.ts';
import { PROFILE_OPTIONS } from './option-table.ts';
import type { ProfileSettings } from './profile-settings.ts';
import { profileSettings } from './profile-settings.ts';

const folder = mkdtempSync(path.join(os.tmpdir(), 'conch-analyze-'));
afterAll(() => rmSync(folder, { recursive: true }));

function read(args: string, yaml?: string): ProfileSettings {
  const words = args.split(' ').filter((word) => word !== '');
  if (yaml !== undefined) {
    const file = path.join(folder, 'c.yaml');
    writeFileSync(file, yaml);
    words.push('-f', file);
  }
  return profileSettings(scanGiven(words, PROFILE_OPTIONS));
}

const BASE = '-m /r --profile-models a';

test('defaults are those of the reference', () => {
  const settings = read('-m /r --profile-models a,b');
  expect(settings.models.map(({ name }) => name)).toEqual(['a', 'b']);
  expect(settings.models[0]).toMatchObject({ batchSizes: [1], loads: undefined, unit: 'concurrency' });
  expect(settings.search).toMatchObject({
    mode: 'brute',
    concurrency: { min: 1, max: 1024 },
    requestRate: { min: 16, max: 8192 },
    instanceCounts: { min: 1, max: 5 },
    maxBatchSizes: { min: 1, max: 128 },
    maxBinarySteps: 5,
    isBounded: { loads: false, instanceCounts: false, maxBatchSizes: false },
  });
  expect(settings).toMatchObject({
    protocol: 'grpc',
    topCount: 3,
    maxAdjusts: 10,
    timeoutMs: 600_000,
    server: { mode: 'local' },
  });
});

test('the command line wins over the file, the file over defaults', () => {
  const settings = read(
    `${BASE} -c 8`,
    'model_repository: /other\nconcurrency: [1, 2]\nbatch_sizes: {start: 2, stop: 6, step: 2}\n',
  );
  expect(settings.repository).toBe('/r');
  expect(settings.models[0]?.loads).toEqual([8]);
  expect(settings.models[0]?.batchSizes).toEqual([2, 4, 6]);
});

test('models with their own settings', () => {
  const { models } = read(
    '-m /r',
    `
profile_models:
  one:
    cpu_only: true
    parameters: { concurrency: "1:8:3", batch_sizes: "1, 2" }
    constraints: { perf_latency_p99: { max: 20 } }
    objectives: [perf_throughput, perf_latency_p99]
    model_config_parameters: { max_batch_size: [4, 8] }
  two:
perf_analyzer_flags: { percentile: 95 }
objectives: { perf_throughput: 3, perf_latency_avg: 1 }
`,
  );
  expect(models[0]).toMatchObject({
    name: 'one',
    isCpuOnly: true,
    loads: [1, 4, 7],
    batchSizes: [1, 2],
    parameters: { max_batch_size: [4, 8] },
    perfFlags: { percentile: 95 },
  });
  expect([...(models[0]?.goals.objectives ?? [])]).toEqual([
    ['perf_throughput', 0.5],
    ['perf_latency_p99', 0.5],
  ]);
  expect([...(models[0]?.goals.constraints ?? [])]).toEqual([
    ['perf_latency_p99', { kind: 'max', value: 20 }],
  ]);
  expect([...(models[1]?.goals.objectives ?? [])]).toEqual([
    ['perf_throughput', 0.75],
    ['perf_latency_avg', 0.25],
  ]);
});

test('the short forms of constraints', () => {
  const { models } = read(`${BASE} --latency-budget 15 --min-throughput 100`);
  expect([...(models[0]?.goals.constraints ?? [])]).toEqual([
    ['perf_latency_p99', { kind: 'max', value: 15 }],
    ['perf_throughput', { kind: 'min', value: 100 }],
  ]);
});

test('no GPU at all can be asked for', () => {
  expect(read(BASE).usesGpus).toBe(true);
  expect(read(`${BASE} --gpus all`).usesGpus).toBe(true);
  expect(read(`${BASE} --gpus []`).usesGpus).toBe(false);
});

test.each([
  [`${BASE} --gpus GPU-1`, "'gpus' can only be all or []"],
  ['--profile-models a', '--model-repository is required'],
  ['-m /r', '--profile-models is required'],
  [`${BASE} --triton-launch-mode docker`, 'no containers are started here'],
  [`${BASE} --triton-launch-mode c_api`, 'always reached over the network'],
  [`${BASE} --run-config-search-mode optuna`, 'optuna is not offered'],
  [`${BASE} --optuna-max-trials 5`, '--optuna-max-trials: the search mode optuna'],
  [`${BASE} --model-type LLM`, 'LLM is not offered'],
  [`${BASE} -c 1 --request-rate 5`, 'both concurrencies and request rates'],
  [`${BASE} -c 1 --request-rate-search-enable`, 'both concurrencies and request rates'],
  [`${BASE} -c 0`, "'concurrency' must be a whole number from 1 on"],
  [`${BASE} -b 3:1`, 'a range that holds values'],
  [`${BASE} --latency-budget soon`, "'latency_budget' must be"],
  [`${BASE} --run-config-search-mode quick -c 4`, 'loads cannot be listed'],
  [`${BASE} --run-config-search-mode quick -b 1,2`, 'batch sizes cannot be listed'],
  [
    `${BASE} --run-config-search-mode quick --run-config-search-disable`,
    'cannot be used with the search mode quick',
  ],
  [`${BASE} --run-config-search-min-instance-count 9`, 'is larger than'],
  [`${BASE} --reload-model-disable`, 'needs --triton-launch-mode remote'],
  [`${BASE} --concurency 4`, 'unknown option --concurency; did you mean --concurrency?'],
  [`${BASE} extra`, "unexpected argument 'extra'"],
])('%s is refused', (args, message) => {
  expect(() => read(args)).toThrow(message);
});

test.each([
  ['profile_model: a\n', "unknown key 'profile_model'"],
  ['- a\n', 'holds no options'],
  ['a: [\n', 'cannot read'],
  ['objectives: [perf_luck]\n', "'perf_luck' is no metric"],
  ['constraints: { perf_throughput: { max: 5 } }\n', "the constraint of 'perf_throughput' is 'min'"],
  ['constraints: { gpu_power_usage: { max: 5 } }\n', "'gpu_power_usage' cannot be limited"],
  ['profile_models: { a: { colour: red } }\n', ''],
])('a file with %j is refused', (yaml, message) => {
  const args = yaml.startsWith('profile_models') ? '-m /r' : BASE;
  expect(() => read(args, yaml)).toThrow(
    message === '' ? "'colour' is no setting of the model 'a'" : message,
  );
});

test('what has no effect is said', () => {
  expect(read(`${BASE} --perf-analyzer-path /x`).warnings).toEqual([
    '--perf-analyzer-path has no effect: the load generator is that of Conch',
  ]);
});
