// The text report, the CSV and number formats, letter for letter.

import { expect, it } from 'vitest';

import { defaultPerfPlan } from '../../../src-shared/contract/perf-plan.ts';
import type { PerfLevel, PerfServerTimes } from '../../../src-shared/contract/perf-views.ts';
import type { LoadModel } from '../data/load-model.ts';
import { csvReport } from './csv-report.ts';
import { doubleText } from './number-text.ts';
import { closingText, levelHeader, levelText, settingsText } from './text-report.ts';

const server: PerfServerTimes = {
  model: 'simple',
  version: '1',
  isEnsemble: false,
  hasCache: false,
  inferenceCount: 27242,
  executionCount: 27242,
  successCount: 27242,
  requestUs: 379,
  queueUs: 55,
  inputUs: 19,
  inferUs: 222,
  outputUs: 26,
  overheadUs: 57,
  cacheHitCount: 0,
  cacheHitUs: 0,
  cacheMissCount: 0,
  cacheMissUs: 0,
  batches: [{ batchSize: 1, count: 27242 }],
  composing: [],
};

const level: PerfLevel = {
  unit: 'concurrency',
  value: 1,
  state: 'stable',
  note: '',
  firstError: '',
  result: {
    startedAtMs: 0,
    durationMs: 18_005,
    requestCount: 27242,
    errorCount: 0,
    inferPerSecond: 1513.0297,
    responsePerSecond: 1513.0297,
    sequenceCount: 0,
    meanUs: 658.4,
    deviationUs: 95.2,
    minUs: 400,
    maxUs: 2000,
    percentilesUs: { 50: 644, 90: 763, 95: 807, 99: 938 },
    fromDueUs: undefined,
    sendUs: 60.2,
    receiveUs: 19.1,
    lateCount: 0,
    sentCount: 27242,
    generatorCpuPercent: 10,
    serverCpuPercent: undefined,
    overheadPercent: 11,
    histogram: [],
    server,
  },
  windows: [],
  slowest: [],
  isGeneratorLimit: false,
  gpus: [],
};

const model: LoadModel = {
  name: 'simple',
  version: '',
  maxBatchSize: 0,
  inputs: [],
  outputs: [],
  isSequence: false,
  isDecoupled: false,
  isEnsemble: false,
  hasCache: false,
  composing: [],
};

const plan = {
  ...defaultPerfPlan('simple'),
  load: { kind: 'concurrency' as const, levels: { kind: 'range' as const, start: 1, end: 4, step: 1 } },
};

it('prints the report of a range of concurrency', () => {
  const text = settingsText(plan, model) + levelHeader(level) + levelText(level, plan, model, 0);
  expect(text + closingText([level], 0)).toBe(`*** Measurement Settings ***
  Batch size: 1
  Service Kind: TRITON
  Using "time_windows" mode for stabilization
  Stabilizing using average latency and throughput
  Measurement window: 5000 msec
  Latency limit: 0 msec
  Concurrency limit: 4 concurrent requests
  Using synchronous calls for inference

Request concurrency: 1
  Client: 
    Request count: 27242
    Throughput: 1513.03 infer/sec
    Avg latency: 658 usec (standard deviation 95 usec)
    p50 latency: 644 usec
    p90 latency: 763 usec
    p95 latency: 807 usec
    p99 latency: 938 usec
    Avg HTTP time: 658 usec (send/recv 79 usec + response wait 579 usec)
  Server: 
    Inference count: 27242
    Execution count: 27242
    Successful request count: 27242
    Avg request latency: 379 usec (overhead 57 usec + queue 55 usec + compute input 19 usec + compute infer 222 usec + compute output 26 usec)

Inferences/Second vs. Client Average Batch Latency
Concurrency: 1, throughput: 1513.03 infer/sec, latency 658 usec
`);
});

it('says how many requests failed, and why the first one did', () => {
  const failing = { ...level, firstError: '[503] busy', result: { ...level.result, errorCount: 3 } };
  expect(levelText(failing, plan, model, 0)).toContain(
    '    Failed request count: 3\n    First error: [503] busy\n',
  );
});

it('writes the CSV by ascending throughput', () => {
  const faster = { ...level, value: 2, result: { ...level.result, inferPerSecond: 2000.5 } };
  const { text, composing } = csvReport([faster, level], plan, model, { isVerbose: true, fileName: 'a.csv' });
  expect(composing).toEqual([]);
  expect(text.split('\n')).toEqual([
    'Concurrency,Inferences/Second,Client Send,Network+Server Send/Recv,Server Queue,Server Compute Input,Server Compute Infer,Server Compute Output,Client Recv,p50 latency,p90 latency,p95 latency,p99 latency,Avg latency,request/response,response wait',
    '1,1513.03,60,257,55,19,222,26,19,644,763,807,938,658,79,579',
    '2,2000.5,60,257,55,19,222,26,19,644,763,807,938,658,79,579',
    '',
  ]);
});

it('has columns for GPUs once one was seen, each by its id', () => {
  const gpu = {
    uuid: 'GPU-1',
    utilizationPercent: 42.5,
    powerWatts: 250,
    usedByteSize: 1024,
    totalByteSize: 4096,
  };
  const seen = { ...level, gpus: [gpu, { ...gpu, uuid: 'GPU-2', powerWatts: 99 }] };
  const { text } = csvReport([seen, { ...level, value: 2 }], plan, model, {
    isVerbose: true,
    fileName: 'a.csv',
  });
  const [titles = '', first = '', second = ''] = text.split('\n');
  expect(titles.split(',').slice(-4)).toEqual([
    'Avg GPU Utilization',
    'Avg GPU Power Usage',
    'Max GPU Memory Usage',
    'Total GPU Memory',
  ]);
  expect(first.split(',').slice(-4)).toEqual([
    'GPU-1:42.5;GPU-2:42.5;',
    'GPU-1:250;GPU-2:99;',
    'GPU-1:1024;GPU-2:1024;',
    'GPU-1:4096;GPU-2:4096;',
  ]);
  expect(second.split(',').slice(-4)).toEqual(['', '', '', '']);
});

it('gives each composing model a CSV of its own', () => {
  const step = { ...server, model: 'step', version: '3', successCount: 13621 };
  const whole = { ...server, isEnsemble: true, composing: [step] };
  const ensemble = { ...level, result: { ...level.result, server: whole } };
  const { composing } = csvReport([ensemble], plan, model, { isVerbose: false, fileName: 'a.csv' });
  expect(composing).toEqual([
    {
      name: 'step_v3.a.csv',
      text: 'Concurrency,Inferences/Second,Client Send,Network+Server Send/Recv,Server Queue,Server Compute Input,Server Compute Infer,Server Compute Output,Client Recv\n1,756.515,0,57,55,19,222,26,0\n',
    },
  ]);
  expect(levelText(ensemble, plan, model, 0)).toContain('    Composing models: \n    step, version: 3\n');
});

it.each([
  [0, '0'],
  [1513.0297, '1513.03'],
  [1_234_567, '1.23457e+06'],
  [1e6, '1e+06'],
  [0.5, '0.5'],
  [0.000001234, '1.234e-06'],
  [999_999, '999999'],
])('prints %d as C++ streams do', (value, text) => {
  expect(doubleText(value)).toBe(text);
});
