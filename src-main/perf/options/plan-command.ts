// A plan as the equivalent perf_analyzer command line, and a pasted command line as a plan. Where perf_analyzer has no
// words for a plan, the line starts with "conch perf" and says why.

import type { PerfLevels, PerfPlan, PerfTls } from '../../../src-shared/contract/perf-plan.ts';
import { defaultPerfPlan, SEQUENCE_ID_SPAN } from '../../../src-shared/contract/perf-plan.ts';
import { DEFAULT_URLS, planFromOptions } from './plan-from-options.ts';
import { PerfUsageError, scanPerfOptions } from './perf-arguments.ts';
import { quoteWord, splitCommand } from './split-command.ts';

/** "host:port" of the server a window belongs to; plans write it as "". "" = the endpoint is off. */
export type OwnAddresses = Readonly<Record<PerfPlan['protocol'], string | undefined>>;

/** What a pasted command asks for. */
export interface ParsedCommand {
  readonly plan: PerfPlan;
  readonly unknown: readonly string[];
  /** Why the line cannot be used; empty = it can. */
  readonly problems: readonly string[];
  /** What was understood but has no effect, or is old. */
  readonly warnings: readonly string[];
}

const NO_URLS = { http: '', grpc: '' } as const;

/** Never throws: faults are listed, and what could be understood is in the plan. */
export function parseCommand(command: string, own: OwnAddresses): ParsedCommand {
  const words = splitCommand(command);
  const start = words.findIndex((word) => word.startsWith('-'));
  const { values, unknown } = scanPerfOptions(start < 0 ? [] : words.slice(start), { isLenient: true });
  try {
    const { plan, warnings } = planFromOptions(values, NO_URLS);
    const url = plan.url === own[plan.protocol] ? '' : plan.url;
    return { plan: { ...plan, url }, unknown, problems: [], warnings };
  } catch (thrown) {
    if (!(thrown instanceof PerfUsageError)) throw thrown;
    const plan = defaultPerfPlan(values.last('m') ?? 'model');
    return { plan, unknown, problems: [thrown.message], warnings: [] };
  }
}

/** A plan as a command. */
export interface CommandText {
  readonly command: string;
  /** Parts of the plan that perf_analyzer cannot say. */
  readonly missing: readonly string[];
}

/** Collects what perf_analyzer cannot say: in `ours`, conch perf can; in `files`, a file has to be written first. */
interface Limits {
  readonly ours: string[];
  readonly files: string[];
}

/** The command, and what of the plan it cannot say. */
export function toCommand(plan: PerfPlan, own: OwnAddresses): CommandText {
  const limits: Limits = { ours: [], files: [] };
  const words = [
    ...targetWords(plan, own),
    ...loadWords(plan, limits),
    ...measurementWords(plan),
    ...sequenceWords(plan),
    ...dataWords(plan, limits),
    ...requestWords(plan),
    ...tlsWords(plan),
  ];
  const program = limits.ours.length === 0 ? ['perf_analyzer'] : ['conch', 'perf'];
  return {
    command: [...program, ...words].map(quoteWord).join(' '),
    missing: [...limits.ours, ...limits.files],
  };
}

function targetWords(plan: PerfPlan, own: OwnAddresses): string[] {
  const { model, version, protocol, isStreaming, isAsync } = plan;
  const ownUrl = own[protocol];
  const url = plan.url === '' && ownUrl !== undefined && !isDefault(ownUrl, protocol) ? ownUrl : plan.url;
  return [
    '-m',
    model,
    ...(version === '' ? [] : ['-x', version]),
    ...(protocol === 'grpc' ? ['-i', 'grpc'] : []),
    ...(url === '' ? [] : ['-u', url]),
    ...(isStreaming ? ['--streaming'] : isAsync ? ['--async'] : []),
  ];
}

/** The endpoint that command lines without -u reach. */
function isDefault(address: string, protocol: PerfPlan['protocol']): boolean {
  const port = DEFAULT_URLS[protocol].slice('localhost'.length);
  return ['localhost', '127.0.0.1', '[::1]'].some((host) => address === host + port);
}

function loadWords({ load }: PerfPlan, limits: Limits): string[] {
  switch (load.kind) {
    case 'concurrency':
      return rangeWords('--concurrency-range', load.levels, limits);
    case 'request-rate':
      return [
        ...rangeWords('--request-rate-range', load.levels, limits),
        ...(load.distribution === 'poisson' ? ['--request-distribution', 'poisson'] : []),
      ];
    case 'intervals':
      limits.ours.push('gaps on the command line; it reads them from a file, one number of µs per line');
      return ['--request-intervals', load.intervalsUs.join(',')];
    case 'periodic':
      return [
        '--periodic-concurrency-range',
        `${load.start}:${load.end}:${load.step}`,
        '--request-period',
        String(load.requestPeriod),
        // The reference insists on it.
        '--profile-export-file',
        'profile.json',
      ];
    case 'schedule':
      return ['--fixed-schedule'];
  }
}

function rangeWords(option: string, levels: PerfLevels, limits: Limits): string[] {
  switch (levels.kind) {
    case 'range':
      return [option, `${levels.start}:${levels.end}:${levels.step}`];
    case 'binary':
      return [option, `${levels.start}:${levels.end}:${levels.step}`, '--binary-search'];
    case 'doubling':
      limits.ours.push('doubling the load; it takes even steps only');
      return [option, `${levels.start}:${levels.end}:x2`];
    case 'list': {
      const even = evenRange(levels.values);
      if (even !== undefined) return [option, even];
      limits.ours.push(`the loads ${levels.values.join(', ')}; it takes even steps only`);
      return [option, levels.values.join(',')];
    }
  }
}

/** The same values as "start:end:step"; undefined when they have no even, rising steps. */
function evenRange(values: readonly number[]): string | undefined {
  const [first = 1, second = first + 1] = values;
  const step = second - first;
  const isEven = step > 0 && values.every((value, index) => value === first + index * step);
  return isEven ? `${first}:${values.at(-1) ?? first}:${values.length === 1 ? 1 : step}` : undefined;
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

function dataWords({ data, batchSize, keepsRequests, load }: PerfPlan, { files }: Limits): string[] {
  const words: string[] = [];
  if (keepsRequests === true && load.kind !== 'periodic')
    words.push('--profile-export-file', 'requests.json');
  if (batchSize !== 1) words.push('-b', String(batchSize));
  const { source } = data;
  if (source.kind === 'zero') words.push('--input-data', 'zero');
  if (source.kind === 'path') words.push('--input-data', source.path);
  if (source.kind === 'json' || source.kind === 'saved') {
    words.push('--input-data', 'data.json');
    files.push('input data on the command line; save it as data.json first');
  }
  if (source.kind === 'captured')
    files.push('captured requests on the command line: it would send random data');
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

function tlsWords({ tls, protocol }: PerfPlan): string[] {
  if (tls === undefined) return [];
  return protocol === 'grpc' ? grpcTlsWords(tls) : httpTlsWords(tls);
}

function grpcTlsWords({ rootFile, keyFile, certificateFile }: PerfTls): string[] {
  return [
    '--ssl-grpc-use-ssl',
    ...given('--ssl-grpc-root-certifications-file', rootFile),
    ...given('--ssl-grpc-private-key-file', keyFile),
    ...given('--ssl-grpc-certificate-chain-file', certificateFile),
  ];
}

function httpTlsWords(tls: PerfTls): string[] {
  const words = [
    ...(tls.verifiesPeer ? [] : ['--ssl-https-verify-peer', '0']),
    ...(tls.verifiesHost ? [] : ['--ssl-https-verify-host', '0']),
    ...given('--ssl-https-ca-certificates-file', tls.rootFile),
    ...given('--ssl-https-private-key-file', tls.keyFile),
    ...given('--ssl-https-client-certificate-file', tls.certificateFile),
  ];
  return words.length > 0 ? words : ['--ssl-https-verify-peer', '1'];
}

function given(option: string, value: string): string[] {
  return value === '' ? [] : [option, value];
}
