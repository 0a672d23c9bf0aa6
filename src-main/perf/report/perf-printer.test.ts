// What is printed while a test goes on, and how the server's part of it reads.

import { expect, test } from 'vitest';

import { defaultPerfPlan } from '../../../src-shared/contract/perf-plan.ts';
import type { PerfLevel } from '../../../src-shared/contract/perf-views.ts';
import { fakeLevel, fakeMeasured, fakeServerTimes } from '../../../src-shared/testing/fake-runs.ts';
import type { DataSet } from '../data/data-set.ts';
import type { LoadModel } from '../data/load-model.ts';
import { doubleText, usecText } from './number-text.ts';
import { PerfPrinter } from './perf-printer.ts';
import { serverBlock } from './server-text.ts';
import { levelText } from './text-report.ts';

const MODEL: LoadModel = {
  name: 'm',
  version: '',
  maxBatchSize: 8,
  inputs: [],
  outputs: [],
  isSequence: false,
  isDecoupled: false,
  isEnsemble: false,
  hasCache: false,
  composing: [],
};
const PLAN = defaultPerfPlan('m');

function printed(
  levels: readonly PerfLevel[],
  { verbosity = 0, plan = PLAN, data = { streams: [[]], isGiven: false } as DataSet } = {},
) {
  const texts: string[] = [];
  const statuses: string[] = [];
  const printer = new PerfPrinter({
    plan,
    verbosity,
    print: (text) => texts.push(text),
    status: (text) => statuses.push(text),
  });
  printer.prepared({ model: MODEL, data, serverName: 'triton' });
  for (const level of levels) {
    printer.levelStarted(level.unit, level.value);
    printer.windowEnded(1, 0, 'Window 1');
    printer.levelEnded(level);
  }
  printer.close();
  return { text: texts.join(''), statuses };
}

test('settings come first, then each level with its header, then the table', () => {
  const { text, statuses } = printed([fakeLevel(1), fakeLevel(2)]);
  const places = [
    '*** Measurement Settings ***',
    'Request concurrency: 1\n',
    'Request concurrency: 2\n',
    'Inferences/Second vs. Client Average Batch Latency',
  ].map((words) => text.indexOf(words));
  expect(places).toEqual(places.toSorted((a, b) => a - b));
  expect(places).not.toContain(-1);
  expect(text).toContain('Concurrency: 2, throughput: 100 infer/sec, latency 10000 usec\n');
  expect(statuses).toEqual([
    'Concurrency 1: window 1',
    'Concurrency 1: Window 1',
    '',
    'Concurrency 2: window 1',
    'Concurrency 2: Window 1',
    '',
  ]);
});

test('levels without a result are in no block and in no table', () => {
  const { text } = printed([
    fakeLevel(1),
    fakeLevel(2, {}, { state: 'unstable' }),
    fakeLevel(4, {}, { state: 'failed' }),
  ]);
  expect(text).toContain('Concurrency: 1, throughput');
  expect(text).not.toMatch(/Concurrency: [24], throughput/);
  expect(text.split('  Client: ')).toHaveLength(2);
  expect(printed([fakeLevel(2, {}, { state: 'unstable' })]).text).not.toContain('Inferences/Second vs.');
});

test('windows are printed when they are asked for, limits and warnings always', () => {
  const level = fakeLevel(1, {}, { note: 'Latency drifts.' });
  expect(printed([level]).text).not.toContain('Pass [1]');
  expect(printed([level]).text).toContain('Warning: Latency drifts.\n');
  expect(printed([level], { verbosity: 1 }).text).toContain(
    '  Pass [3] throughput: 100.5 infer/sec. Avg latency: 10000 usec (std 500 usec). \n',
  );
  expect(printed([fakeLevel(1, {}, { state: 'over-limit', note: 'Too slow.' })]).text).toContain(
    'Too slow. \n',
  );
});

test('data of a file are counted', () => {
  const data = { streams: [[{}, {}, {}], [{}]], isGiven: true } as unknown as DataSet;
  expect(printed([], { data }).text).toContain('Successfully read data for 2 streams with 3 steps.\n');
});

test('periodic concurrency prints nothing of levels', () => {
  const load = { kind: 'periodic', start: 1, end: 2, step: 1, requestPeriod: 1 } as const;
  expect(printed([fakeLevel(1)], { plan: { ...PLAN, load } }).text).toBe('');
});

test('failures, late requests and an overworked generator are said', () => {
  const measured = {
    errorCount: 3,
    lateCount: 5,
    sentCount: 100,
    overheadPercent: 60,
    fromDueUs: { '99': 99_999 },
  };
  const text = levelText(
    fakeLevel(50, measured, { unit: 'request-rate', firstError: '[503] busy' }),
    PLAN,
    MODEL,
    1,
  );
  for (const words of [
    'Failed request count: 3\n    First error: [503] busy',
    'Avg send request rate: 100.00 infer/sec',
    '5.00% of the requests were delayed',
    'Avg client overhead: 60.00%',
    'at 50/sec: p99 99999 usec',
    '[WARNING] Perf Analyzer is not able to keep up with the desired load.',
  ]) {
    expect(text).toContain(words);
  }
});

test('the parts of the time of a transport add up', () => {
  const text = levelText(
    fakeLevel(1, { meanUs: 1000, sendUs: 100, receiveUs: 250 }),
    { ...PLAN, protocol: 'grpc' },
    MODEL,
    0,
  );
  expect(text).toContain(
    'Avg gRPC time: 1000 usec ((un)marshal request/response 350 usec + response wait 650 usec)',
  );
  const odd = fakeMeasured({ meanUs: 10, sendUs: 20, receiveUs: 20 });
  expect(levelText(fakeLevel(1, odd), PLAN, MODEL, 0)).toContain('response wait 0 usec');
});

test('many GPUs are left to a file', () => {
  const gpu = {
    uuid: 'GPU',
    utilizationPercent: 50,
    powerWatts: 70.5,
    usedByteSize: 1e9,
    totalByteSize: 8e9,
  };
  const text = (count: number) =>
    levelText(fakeLevel(1, {}, { gpus: Array.from({ length: count }, () => gpu) }), PLAN, MODEL, 0);
  expect(text(1)).toContain('    Avg GPU Power Usage:\n      GPU : 70.5 watts\n');
  expect(text(17)).toContain('Too many GPUs to show here');
});

test('the steps of an ensemble are further in, a cache has lines of its own', () => {
  const step = fakeServerTimes({ model: 'step', version: '2' });
  const block = serverBlock(fakeServerTimes({ isEnsemble: true, composing: [step] }), '  ');
  expect(block).toContain(
    '  Avg request latency: 9500 usec (overhead 350 usec + queue 2000 usec + compute 7150 usec)\n',
  );
  expect(block).toContain('  Composing models: \n  step, version: 2\n    Inference count: 100\n');
  const cached = serverBlock(
    fakeServerTimes({ hasCache: true, cacheHitCount: 9, cacheHitUs: 12, cacheMissUs: 30 }),
    '',
  );
  expect(cached).toContain('Cache hit count: 9\nCache miss count: 0\n');
  expect(cached).toContain('cache hit/miss 7150 usec)');
  expect(cached).toContain('Average Cache Miss Latency: 7180 usec (cache lookup/insertion 30 usec');
  expect(serverBlock(fakeServerTimes({ successCount: 0 }), '  ')).toBe('  Request count: 0\n');
});

test.each([
  [0, '0'],
  [1513.0297, '1513.03'],
  [123_456.7, '123457'],
  [1_234_567, '1.23457e+06'],
  [0.000_012_3, '1.23e-05'],
  [100, '100'],
  [999_999.6, '1e+06'],
  [-2.5, '-2.5'],
  [NaN, 'nan'],
  [Infinity, 'inf'],
  [-Infinity, '-inf'],
])('%d is printed as C++ does: %s', (value, text) => {
  expect(doubleText(value)).toBe(text);
});

test('microseconds are cut, not rounded', () => {
  expect([usecText(0.9), usecText(12.99)]).toEqual(['0', '12']);
});
