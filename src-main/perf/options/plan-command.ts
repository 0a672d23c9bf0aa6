// A plan as the equivalent perf_analyzer command line, and a pasted command line as a plan.

import type { PerfLevels, PerfPlan } from '../../../src-shared/contract/perf-plan.ts';
import { defaultPerfPlan, SEQUENCE_ID_SPAN } from '../../../src-shared/contract/perf-plan.ts';
import { planFromOptions } from './plan-from-options.ts';
import { PerfUsageError, scanPerfOptions } from './scan-options.ts';
import { quoteWord, splitCommand } from './split-command.ts';

export interface ParsedCommand {
  readonly plan: PerfPlan;
  readonly unknown: readonly string[];
  readonly problems: readonly string[];
}

/** Never throws: faults are listed, and what could be understood is in the plan. */
export function parseCommand(command: string): ParsedCommand {
  const words = splitCommand(command);
  const start = words.findIndex((word) => word.startsWith('-'));
  const { values, unknown } = scanPerfOptions(start < 0 ? [] : words.slice(start), { isLenient: true });
  try {
    const { plan, warnings } = planFromOptions(values);
    return { plan, unknown, problems: warnings };
  } catch (thrown) {
    if (!(thrown instanceof PerfUsageError)) throw thrown;
    return { plan: defaultPerfPlan(values.last('m') ?? 'model'), unknown, problems: [thrown.message] };
  }
}

export interface CommandText {
  readonly command: string;
  /** Parts of the plan that the command line cannot say. */
  readonly missing: readonly string[];
}

export function toCommand(plan: PerfPlan): CommandText {
  const missing: string[] = [];
  const words = [
    ...targetWords(plan),
    ...loadWords(plan, missing),
    ...measurementWords(plan),
    ...sequenceWords(plan),
    ...dataWords(plan, missing),
    ...requestWords(plan),
  ];
  return { command: ['perf_analyzer', ...words].map(quoteWord).join(' '), missing };
}

function targetWords({ model, version, protocol, url, isStreaming, isAsync }: PerfPlan): string[] {
  return [
    '-m',
    model,
    ...(version === '' ? [] : ['-x', version]),
    ...(protocol === 'grpc' ? ['-i', 'grpc'] : []),
    ...(url === '' ? [] : ['-u', url]),
    ...(isStreaming ? ['--streaming'] : isAsync ? ['--async'] : []),
  ];
}

function loadWords({ load }: PerfPlan, missing: string[]): string[] {
  switch (load.kind) {
    case 'concurrency':
      return rangeWords('--concurrency-range', load.levels, missing);
    case 'request-rate':
      return [
        ...rangeWords('--request-rate-range', load.levels, missing),
        ...(load.distribution === 'poisson' ? ['--request-distribution', 'poisson'] : []),
      ];
    case 'intervals':
      missing.push('the gaps between requests: perf_analyzer reads them from a file');
      return ['--request-intervals', 'intervals.txt'];
    case 'periodic':
      missing.push('the file for --profile-export-file, which periodic concurrency needs');
      return [
        '--periodic-concurrency-range',
        `${load.start}:${load.end}:${load.step}`,
        '--request-period',
        String(load.requestPeriod),
      ];
    case 'schedule':
      return ['--fixed-schedule'];
  }
}

function rangeWords(option: string, levels: PerfLevels, missing: string[]): string[] {
  switch (levels.kind) {
    case 'range':
      return [option, `${levels.start}:${levels.end}:${levels.step}`];
    case 'binary':
      return [option, `${levels.start}:${levels.end}:${levels.step}`, '--binary-search'];
    case 'doubling':
      missing.push('doubling the load until throughput stops growing');
      return [option, `${levels.start}:${Math.max(levels.end, levels.start)}:${levels.start}`];
    case 'list': {
      const [first = 1, second = first] = levels.values;
      const step = second - first || 1;
      const isEven = levels.values.every((value, index) => value === first + index * step);
      if (!isEven) missing.push(`the loads ${levels.values.join(', ')}: perf_analyzer takes even steps only`);
      return [option, `${first}:${levels.values.at(-1) ?? first}:${Math.max(step, 1)}`];
    }
  }
}

/** Only what differs from the defaults. */
function measurementWords({ measurement: m }: PerfPlan): string[] {
  const { measurement: d } = defaultPerfPlan('model');
  const words: string[] = [];
  const add = (isDifferent: boolean, ...parts: string[]): void => {
    if (isDifferent) words.push(...parts);
  };
  add(m.mode === 'count', '--measurement-mode', 'count_windows');
  add(m.intervalMs !== d.intervalMs, '--measurement-interval', String(m.intervalMs));
  add(m.requestCount !== d.requestCount, '--measurement-request-count', String(m.requestCount));
  add(m.stabilityPercent !== d.stabilityPercent, '--stability-percentage', String(m.stabilityPercent));
  add(m.percentile !== 0, '--percentile', String(m.percentile));
  add(m.maxWindows !== d.maxWindows, '--max-trials', String(m.maxWindows));
  add(m.fixedRequestCount !== 0, '--request-count', String(m.fixedRequestCount));
  add(m.warmupRequestCount !== 0, '--warmup-request-count', String(m.warmupRequestCount));
  add(m.latencyLimitMs !== 0, '--latency-threshold', String(m.latencyLimitMs));
  return words;
}

function sequenceWords({ sequence: s }: PerfPlan): string[] {
  const { sequence: d } = defaultPerfPlan('model');
  const words: string[] = [];
  if (s.count !== d.count) words.push('--num-of-sequences', String(s.count));
  if (s.isLengthGiven || s.length !== d.length) words.push('--sequence-length', String(s.length));
  if (s.lengthVariationPercent !== d.lengthVariationPercent)
    words.push('--sequence-length-variation', String(s.lengthVariationPercent));
  const isBounded = s.idCount !== SEQUENCE_ID_SPAN;
  if (s.firstId !== 1 || isBounded)
    words.push('--sequence-id-range', `${s.firstId}${isBounded ? `:${s.firstId + s.idCount}` : ''}`);
  if (s.isSerial) words.push('--serial-sequences');
  return words;
}

function dataWords({ data, batchSize }: PerfPlan, missing: string[]): string[] {
  const words: string[] = [];
  if (batchSize !== 1) words.push('-b', String(batchSize));
  const { source } = data;
  if (source.kind === 'zero') words.push('--input-data', 'zero');
  if (source.kind === 'path') words.push('--input-data', source.path);
  if (source.kind === 'json') {
    words.push('--input-data', 'data.json');
    missing.push('the input data: save it as data.json');
  }
  for (const [name, dims] of Object.entries(data.shapes)) words.push('--shape', `${name}:${dims.join(',')}`);
  if (data.stringData !== '') words.push('--string-data', data.stringData);
  if (data.stringLength !== 128) words.push('--string-length', String(data.stringLength));
  return words;
}

function requestWords(plan: PerfPlan): string[] {
  const words: string[] = [];
  if (plan.inputEncoding === 'json') words.push('--input-tensor-format', 'json');
  if (plan.outputEncoding === 'json') words.push('--output-tensor-format', 'json');
  if (plan.maxThreads !== 0) words.push('--max-threads', String(plan.maxThreads));
  if (plan.sharedMemory !== 'none') words.push('--shared-memory', plan.sharedMemory);
  if (plan.outputSharedMemoryByteSize !== 102_400)
    words.push('--output-shared-memory-size', String(plan.outputSharedMemoryByteSize));
  if (plan.compression !== 'none') words.push('--grpc-compression-algorithm', plan.compression);
  for (const { name, value } of plan.headers) words.push('-H', `${name}:${value}`);
  for (const { name, value, type } of plan.parameters)
    words.push('--request-parameter', `${name}:${value}:${type}`);
  const called = plan.calledModels.map(({ model, version }) =>
    version === '' ? model : `${model}:${version}`,
  );
  if (called.length > 0) words.push('--bls-composing-models', called.join(','));
  return words;
}
