// Options of perf_analyzer to a plan, with the reference's defaults and its checks of options against each other.

import { PARAMETER_TYPES } from '../../../src-shared/contract/perf-plan.ts';
import type { PerfLoad, PerfPlan, PerfTls } from '../../../src-shared/contract/perf-plan.ts';
import { defaultPerfPlan, SEQUENCE_ID_SPAN } from '../../../src-shared/contract/perf-plan.ts';
import { DEFAULT_PORTS } from '../../../src-shared/default-ports.ts';
import { loadOf, rangeOf } from './load-options.ts';
import { invalidValue, readChoice, readNumber, readShapes } from './option-readers.ts';
import { PERF_OPTIONS, optionKey, optionText } from './option-table.ts';
import type { OptionValues } from './perf-arguments.ts';
import { PerfUsageError } from './perf-arguments.ts';

/** Servers of command lines that name none. */
export const DEFAULT_URLS = {
  http: `localhost:${DEFAULT_PORTS.http}`,
  grpc: `localhost:${DEFAULT_PORTS.grpc}`,
} as const;

/** The plan that options ask for. */
export interface PlannedOptions {
  readonly plan: PerfPlan;
  /** Lines for the user, without "Warning: ". */
  readonly warnings: readonly string[];
}

/**
 * Reads files named by options. Throws PerfUsageError. `urls`: the server where -u is not given; a window hands in ""
 * for its own.
 */
export function planFromOptions(
  values: OptionValues,
  urls: Readonly<Record<PerfPlan['protocol'], string>> = DEFAULT_URLS,
): PlannedOptions {
  const warnings = warningsFor(values);
  const model = values.last('m') ?? '';
  if (model === '') throw new PerfUsageError('Failed to parse -m (model name). The value must be specified.');
  const kind = values.last('service-kind') ?? 'triton';
  if (kind !== 'triton')
    throw new PerfUsageError(
      `service kind '${kind}' is not offered here; only 'triton' is (any server of its HTTP or gRPC protocol)`,
    );
  const defaults = defaultPerfPlan(model);
  const protocol = readChoice(values, 'i', ['http', 'grpc'], 'http');
  const isStreaming = values.has('streaming');
  if (values.has('async') && values.has('sync'))
    throw new PerfUsageError('Both --async and --sync can not be specified simultaneously.');
  const load = loadOf(values);
  const tls = tlsOf(values, protocol);
  const plan: PerfPlan = {
    ...defaults,
    version: values.last('x') ?? '',
    protocol,
    url: values.last('u') ?? urls[protocol],
    inputEncoding: readChoice(values, 'input-tensor-format', ['binary', 'json'], 'binary'),
    outputEncoding: readChoice(values, 'output-tensor-format', ['binary', 'json'], 'binary'),
    isAsync: values.has('async') || isStreaming,
    isStreaming,
    maxThreads: readNumber(values, 'max-threads', { min: 1 }, 0),
    batchSize: readNumber(values, 'b', { min: 1 }, 1),
    load,
    data: dataOf(values),
    measurement: measurementOf(values, load),
    sequence: sequenceOf(values, defaults.sequence, warnings),
    sharedMemory: sharedMemoryOf(values),
    outputSharedMemoryByteSize: readNumber(values, 'output-shared-memory-size', { min: 1 }, 102_400),
    headers: values.all('H').map(headerOf),
    parameters: values.all('request-parameter').map(parameterOf),
    compression: readChoice(values, 'grpc-compression-algorithm', ['none', 'gzip', 'deflate'], 'none'),
    calledModels: (values.last('bls-composing-models') ?? '')
      .split(',')
      .filter((entry) => entry !== '')
      .map(calledModelOf),
    ...(tls !== undefined && { tls }),
  };
  checkPlan(plan, values);
  return { plan, warnings };
}

function warningsFor(values: OptionValues): string[] {
  const used = PERF_OPTIONS.filter((option) => values.has(optionKey(option)));
  const without = used
    .filter(({ noEffect }) => noEffect !== undefined)
    .map((option) => `${optionText(option)} has no effect: ${option.noEffect}`);
  const deprecated = used
    .filter(({ group }) => group === 'Deprecated')
    .map((option) => `${optionText(option)} is deprecated. ${option.help}`);
  return [...without, ...deprecated];
}

function dataOf(values: OptionValues): PerfPlan['data'] {
  const given = values.last('input-data') ?? values.last('data-directory');
  if (values.has('z') && given !== undefined)
    throw new PerfUsageError('-z can not be used together with --data-directory or --input-data');
  const kind = values.has('z') ? 'zero' : (given ?? 'random');
  return {
    source: kind === 'random' || kind === 'zero' ? { kind } : { kind: 'path', path: kind },
    shapes: readShapes(values),
    stringData: values.last('string-data') ?? '',
    stringLength: readNumber(values, 'string-length', { min: 1 }, 128),
  };
}

function measurementOf(values: OptionValues, load: PerfLoad): PerfPlan['measurement'] {
  const mode = readChoice(values, 'measurement-mode', ['time_windows', 'count_windows'], 'time_windows');
  const first = values.first('request-count');
  const fixedRequestCount = first === undefined ? 0 : Number(first);
  if (first !== undefined && (!Number.isInteger(fixedRequestCount) || fixedRequestCount <= 0))
    throw invalidValue('request-count', first);
  return {
    mode: mode === 'count_windows' ? 'count' : 'time',
    intervalMs: readNumber(values, 'measurement-interval', { min: 1 }, 5000),
    requestCount: readNumber(values, 'measurement-request-count', { min: 1 }, 50),
    stabilityPercent: readNumber(values, 'stability-percentage', { min: 0, isFraction: true }, 10),
    percentile: Math.max(0, percentileOf(values)),
    maxWindows: readNumber(values, 'max-trials', { min: 1 }, 10),
    fixedRequestCount: load.kind === 'schedule' ? 0 : fixedRequestCount,
    warmupRequestCount: readNumber(values, 'warmup-request-count', { min: 0 }, 0),
    latencyLimitMs: readNumber(values, 'latency-threshold', { min: 0, isFraction: true }, 0),
  };
}

function percentileOf(values: OptionValues): number {
  const percentile = readNumber(values, 'percentile', { min: -1, max: 99 }, -1);
  if (percentile === 0) throw invalidValue('percentile', '0');
  return percentile;
}

function sequenceOf(
  values: OptionValues,
  defaults: PerfPlan['sequence'],
  warnings: string[],
): PerfPlan['sequence'] {
  const length = readNumber(values, 'sequence-length', {}, defaults.length);
  if (length <= 0) warnings.push(`The sequence length must be > 0. Using ${defaults.length}.`);
  const [startText = '1', endText] = (values.last('sequence-id-range') ?? '1').split(':');
  const text = values.last('sequence-id-range') ?? '';
  const start = Number(startText);
  const end = endText === undefined ? undefined : Number(endText);
  const isWhole = Number.isInteger(start) && start >= 0 && (end === undefined || Number.isInteger(end));
  if (!isWhole || (end !== undefined && end <= start)) throw invalidValue('sequence-id-range', text);
  if (start === 0) warnings.push('Sequence id 0 is reserved; ids start at 1.');
  const firstId = Math.max(1, start);
  return {
    count: readNumber(values, 'num-of-sequences', { min: 1 }, defaults.count),
    length: length <= 0 ? defaults.length : length,
    isLengthGiven: values.has('sequence-length') && length > 0,
    lengthVariationPercent: readNumber(
      values,
      'sequence-length-variation',
      { min: 0, isFraction: true },
      defaults.lengthVariationPercent,
    ),
    firstId,
    idCount: end === undefined ? SEQUENCE_ID_SPAN : Math.max(1, end - firstId),
    isSerial: values.has('serial-sequences'),
  };
}

function sharedMemoryOf(values: OptionValues): PerfPlan['sharedMemory'] {
  const kind = readChoice(values, 'shared-memory', ['none', 'system', 'cuda'], 'none');
  if (kind === 'cuda')
    throw new PerfUsageError('--shared-memory cuda is not offered here; use none or system');
  return kind;
}

function tlsOf(values: OptionValues, protocol: PerfPlan['protocol']): PerfTls | undefined {
  for (const name of ['ssl-https-client-certificate-type', 'ssl-https-private-key-type']) {
    const type = values.last(name);
    if (type !== undefined && type !== 'PEM') throw invalidValue(name, type);
  }
  const file = (name: string): string => values.last(name) ?? '';
  if (protocol === 'grpc') {
    if (!values.has('ssl-grpc-use-ssl')) return undefined;
    return {
      rootFile: file('ssl-grpc-root-certifications-file'),
      keyFile: file('ssl-grpc-private-key-file'),
      certificateFile: file('ssl-grpc-certificate-chain-file'),
      verifiesPeer: true,
      verifiesHost: true,
    };
  }
  if (!values.keys.some((key) => key.startsWith('ssl-https-'))) return undefined;
  return {
    rootFile: file('ssl-https-ca-certificates-file'),
    keyFile: file('ssl-https-private-key-file'),
    certificateFile: file('ssl-https-client-certificate-file'),
    verifiesPeer: readNumber(values, 'ssl-https-verify-peer', { min: 0, max: 1 }, 1) === 1,
    verifiesHost: readNumber(values, 'ssl-https-verify-host', { min: 0, max: 2 }, 2) === 2,
  };
}

function headerOf(text: string): { name: string; value: string } {
  const colon = text.indexOf(':');
  if (colon <= 0) throw invalidValue('H', text);
  return { name: text.slice(0, colon).trim(), value: text.slice(colon + 1).trim() };
}

function parameterOf(text: string): PerfPlan['parameters'][number] {
  const [name = '', value = '', type = '', more] = text.split(':');
  const known = PARAMETER_TYPES.find((candidate) => candidate === type);
  if (name === '' || known === undefined || more !== undefined) throw invalidValue('request-parameter', text);
  return { name, value, type: known };
}

function calledModelOf(entry: string): { model: string; version: string } {
  const [model = '', version = ''] = entry.split(':');
  return { model, version };
}

/** Options that contradict each other. */
function checkPlan(plan: PerfPlan, values: OptionValues): void {
  const { load, protocol } = plan;
  const fail = (message: string): never => {
    throw new PerfUsageError(message);
  };
  if (plan.isStreaming && protocol !== 'grpc') fail('Streaming is supported only with gRPC protocol');
  if (plan.compression !== 'none' && protocol !== 'grpc')
    fail('Using compression algorithm is allowed only with gRPC protocol');
  if (plan.parameters.length > 0 && protocol !== 'grpc')
    fail('--request-parameter is supported only with gRPC protocol');
  if (load.kind === 'periodic' && !(plan.isStreaming && values.has('profile-export-file')))
    fail('--periodic-concurrency-range needs --streaming and --profile-export-file');
  for (const name of ['metrics-url', 'metrics-interval']) {
    if (values.has(name) && !values.has('collect-metrics'))
      fail(`Must specify --collect-metrics when using the --${name} option.`);
  }
  checkLevels(plan, fail);
}

function checkLevels({ load, measurement }: PerfPlan, fail: (message: string) => never): void {
  const range = rangeOf(load);
  if (range === undefined) return;
  const hasLimit = measurement.latencyLimitMs > 0;
  const { start, end, isSingle, kind } = range;
  if (end === 0 && !hasLimit && kind !== 'doubling')
    fail('The end of the search range and the latency limit can not be both 0 (or 0.0) simultaneously');
  if (kind === 'binary' && (end === 0 || !hasLimit || end < start))
    fail('Binary search needs an end of the range that is not below its start, and a latency threshold');
  if (!isSingle && measurement.warmupRequestCount > 0)
    fail('--warmup-request-count not supported with multiple values of concurrency or request rate');
  if (measurement.fixedRequestCount === 0) return;
  if (!isSingle) fail('--request-count not supported with multiple values of concurrency or request rate');
  if (measurement.fixedRequestCount < start)
    fail('request-count can not be less than concurrency or request rate');
}
