// perf_analyzer's command line: what options mean, what is refused, and both ways between plan and command.

import { describe, expect, it } from 'vitest';

import type { PerfPlan } from '../../../src-shared/contract/perf-plan.ts';
import { defaultPerfPlan } from '../../../src-shared/contract/perf-plan.ts';
import { OptionValues, PerfUsageError, scanPerfOptions } from './perf-arguments.ts';
import { perfUsage, PERF_OPTIONS } from './option-table.ts';
import * as commands from './plan-command.ts';
import { planFromOptions } from './plan-from-options.ts';
import { splitCommand } from './split-command.ts';

const OWN = { http: '127.0.0.1:9000', grpc: '127.0.0.1:9001' };
const parseCommand = (command: string) => commands.parseCommand(command, OWN);
const toCommand = (plan: PerfPlan, own = OWN) => commands.toCommand(plan, own);

const planOf = (line: string) => planFromOptions(scanPerfOptions(line.split(' ')).values).plan;

describe('accepts', () => {
  it.each([
    ['-m m', { model: 'm', url: 'localhost:8000', load: { levels: { start: 1, end: 1, step: 1 } } }],
    ['-mm -b4', { model: 'm', batchSize: 4 }],
    ['-m m -i GRPC', { protocol: 'grpc', url: 'localhost:8001' }],
    ['-m m --concurrency-range 4', { load: { levels: { start: 4, end: 4, step: 1 } } }],
    [
      '-m m --concurrency-range=2:8:2',
      { load: { kind: 'concurrency', levels: { start: 2, end: 8, step: 2 } } },
    ],
    [
      '-m m --request-rate-range 10.5',
      { load: { kind: 'request-rate', levels: { start: 10.5, end: 10.5 } } },
    ],
    ['-m m --concurrency-range 1,2,4', { load: { levels: { kind: 'list', values: [1, 2, 4] } } }],
    [
      '-m m --request-rate-range 0.5,20',
      { load: { kind: 'request-rate', levels: { kind: 'list', values: [0.5, 20] } } },
    ],
    ['-m m --concurrency-range 1:0:x2', { load: { levels: { kind: 'doubling', start: 1, end: 0 } } }],
    ['-m m --request-intervals 100,200.5', { load: { kind: 'intervals', intervalsUs: [100, 200.5] } }],
    ['-m m -p 100 -s 5 -r 3', { measurement: { intervalMs: 100, stabilityPercent: 5, maxWindows: 3 } }],
    ['-m m --measurement-mode count_windows', { measurement: { mode: 'count' } }],
    ['-m m --percentile=95', { measurement: { percentile: 95 } }],
    ['-m m --request-count 9 --request-count 5', { measurement: { fixedRequestCount: 9 } }],
    ['-m m --shape a:b:3,4', { data: { shapes: { 'a:b': [3, 4] } } }],
    ['-m m -z', { data: { source: { kind: 'zero' } } }],
    ['-m m -i grpc --streaming', { isStreaming: true, isAsync: true }],
    ['-m m --sequence-id-range 5:10', { sequence: { firstId: 5, idCount: 5 } }],
    ['-m m -H A:b:c', { headers: [{ name: 'A', value: 'b:c' }] }],
    ['-m m --bls-composing-models a:2,b', { calledModels: [{ model: 'a', version: '2' }, { model: 'b' }] }],
    ['-m m --measurement-r 7', { measurement: { requestCount: 7 } }],
    [
      '-m m --binary-search --concurrency-range 1:64 -l 20',
      { load: { levels: { kind: 'binary', end: 64 } }, measurement: { latencyLimitMs: 20 } },
    ],
  ])('%s', (line, expected) => {
    expect(planOf(line)).toMatchObject(expected);
  });
});

describe('refuses', () => {
  it.each([
    ['-b 2', 'Failed to parse -m (model name). The value must be specified.'],
    ['-m m -b 0', 'Failed to parse -b. Invalid value provided: 0'],
    ['-m m -p abc', 'Failed to parse --measurement-interval. Invalid value provided: abc'],
    ['-m m -q', "Invalid short option '-q'"],
    ['-m m --nonsense', "Invalid long option '--nonsense'"],
    ['-m m -p', "Missing value for option '-p'"],
    ['-m m --concurrency-range', "Missing value for option '--concurrency-range'"],
    ['-m m --async --sync', 'Both --async and --sync can not be specified simultaneously.'],
    ['-m m --streaming', 'Streaming is supported only with gRPC protocol'],
    ['-m m --concurrency-range 1:0', 'can not be both 0'],
    ['-m m --concurrency-range 1:4 --request-rate-range 5', 'more than one inference load mode'],
    ['-m m --concurrency-range 1:4 --request-count 10', '--request-count not supported with multiple values'],
    ['-m m --concurrency-range 1,8 --request-count 10', '--request-count not supported with multiple values'],
    ['-m m --concurrency-range 1,x', 'Invalid value provided: x'],
    ['-m m --concurrency-range 0,1', 'Failed to parse --concurrency-range'],
    ['-m m --concurrency-range 8 --request-count 4', 'request-count can not be less than concurrency'],
    ['-m m --grpc-compression-algorithm gzip', 'allowed only with gRPC protocol'],
    ['-m m --metrics-interval 5', 'Must specify --collect-metrics when using the --metrics-interval option.'],
    ['-m m --service-kind openai', "service kind 'openai' is not offered here"],
    ['-m m --percentile 100', 'Invalid value provided: 100'],
    ['-m m --shape x:0', 'Failed to parse --shape'],
  ])('%s', (line, message) => {
    expect(() => planOf(line)).toThrow(PerfUsageError);
    expect(() => planOf(line)).toThrow(message);
  });
});

it('accepts options of other service kinds with one warning each', () => {
  const { values } = scanPerfOptions(['-m', 'm', '--enable-mpi', '--grpc-method', 'a.B/C']);
  expect(planFromOptions(values).warnings).toHaveLength(2);
});

it('names every option in its help', () => {
  const help = perfUsage();
  for (const { name, short } of PERF_OPTIONS)
    expect(help).toContain(name === undefined ? `-${short}` : `--${name}`);
});

it('gives the same plan back from the command line it prints', () => {
  const line =
    "perf_analyzer -m 'my model' -x 3 -i grpc -u h:1 --async --request-rate-range 100:300:100 --request-distribution poisson --percentile 90 -b 2 --input-data zero --shape A:3,4 -H X:y";
  const { plan, unknown, problems } = parseCommand(line);
  expect([unknown, problems]).toEqual([[], []]);
  const { command, missing } = toCommand(plan);
  expect(missing).toEqual([]);
  expect(parseCommand(command).plan).toEqual(plan);
});

it('leaves the server of a pasted line to the window when the line names none, or this one', () => {
  expect(parseCommand('perf_analyzer -m m').plan.url).toBe('');
  expect(parseCommand('perf_analyzer -m m -i grpc').plan.url).toBe('');
  expect(parseCommand('perf_analyzer -m m -u 127.0.0.1:9000').plan.url).toBe('');
  expect(parseCommand('perf_analyzer -m m -u elsewhere:8000').plan.url).toBe('elsewhere:8000');
});

it('names the server in the line it prints unless it is where perf_analyzer looks anyway', () => {
  const plan = defaultPerfPlan('m');
  expect(toCommand(plan).command).toContain(' -u 127.0.0.1:9000 ');
  expect(toCommand({ ...plan, protocol: 'grpc' }).command).toContain(' -u 127.0.0.1:9001 ');
  const usual = { http: '127.0.0.1:8000', grpc: '127.0.0.1:8001' };
  expect(toCommand(plan, usual).command).toBe('perf_analyzer -m m --concurrency-range 1:1:1');
});

const PLAIN = defaultPerfPlan('m');
const NO_TLS = { rootFile: '', keyFile: '', certificateFile: '', verifiesPeer: true, verifiesHost: true };

it.each<[string, Partial<PerfPlan>]>([
  ['a list', { load: { kind: 'concurrency', levels: { kind: 'list', values: [1, 2, 4] } } }],
  ['a falling list', { load: { kind: 'concurrency', levels: { kind: 'list', values: [4, 2, 1] } } }],
  ['doubling', { load: { kind: 'concurrency', levels: { kind: 'doubling', start: 1, end: 0 } } }],
  ['gaps', { load: { kind: 'intervals', intervalsUs: [100, 250] } }],
  ['a schedule', { load: { kind: 'schedule' } }],
  [
    'periodic concurrency',
    {
      protocol: 'grpc',
      isStreaming: true,
      isAsync: true,
      load: { kind: 'periodic', start: 1, end: 9, step: 2, requestPeriod: 5 },
    },
  ],
  ['HTTPS', { tls: { ...NO_TLS, rootFile: 'ca.pem', keyFile: 'k.pem', verifiesHost: false } }],
  ['HTTPS with nothing given', { tls: NO_TLS }],
  ['encrypted gRPC', { protocol: 'grpc', tls: { ...NO_TLS, rootFile: 'ca.pem', certificateFile: 'c.pem' } }],
  ['sequences', { sequence: { ...PLAIN.sequence, length: 7, isLengthGiven: true, firstId: 5, idCount: 9 } }],
  ['a soak', { measurement: { ...PLAIN.measurement, intervalMs: 166_667, maxWindows: 3 } }],
])('%s survives the way to a command line and back', (_name, changes) => {
  const plan = { ...PLAIN, ...changes };
  const { command } = toCommand(plan);
  expect(parseCommand(command)).toEqual({ plan, unknown: [], problems: [], warnings: [] });
});

it('says what perf_analyzer cannot express, and starts such lines with conch perf', () => {
  const list = (values: readonly number[]): PerfPlan => ({
    ...PLAIN,
    load: { kind: 'concurrency', levels: { kind: 'list', values: [...values] } },
  });
  expect(toCommand(list([1, 2, 7]))).toEqual({
    command: 'conch perf -m m -u 127.0.0.1:9000 --concurrency-range 1,2,7',
    missing: ['the loads 1, 2, 7; it takes even steps only'],
  });
  expect(toCommand(list([1, 3, 5]))).toEqual({
    command: 'perf_analyzer -m m -u 127.0.0.1:9000 --concurrency-range 1:5:2',
    missing: [],
  });
});

it('fills the form from a line with options that have no effect, and says which', () => {
  const { plan, problems, warnings } = parseCommand('perf_analyzer -m m -b 3 --enable-mpi');
  expect([plan.batchSize, problems, warnings.length]).toEqual([3, [], 1]);
});

it('cuts pasted lines as a shell does', () => {
  expect(splitCommand(`a "b c" 'd "e' f\\ g \\\n h ""`)).toEqual(['a', 'b c', 'd "e', 'f g', 'h', '']);
});

it('keeps the first and the last value of a repeated option', () => {
  const values = new OptionValues();
  values.add('b', '1');
  values.add('b', '2');
  expect([values.first('b'), values.last('b'), values.count('b')]).toEqual(['1', '2', 2]);
});
