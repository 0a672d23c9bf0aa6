// perf_analyzer's command line: what options mean, what is refused, and both ways between plan and command.

import { describe, expect, it } from 'vitest';

import { OptionValues, PerfUsageError, scanPerfOptions } from './scan-options.ts';
import { perfUsage, PERF_OPTIONS } from './option-table.ts';
import { parseCommand, toCommand } from './plan-command.ts';
import { planFromOptions } from './plan-from-options.ts';
import { splitCommand } from './split-command.ts';

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
  for (const { name, short } of PERF_OPTIONS) expect(help).toContain(name === '' ? `-${short}` : `--${name}`);
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

it('says what a command line cannot express', () => {
  const { plan } = parseCommand('perf_analyzer -m m');
  const { missing } = toCommand({
    ...plan,
    load: { kind: 'concurrency', levels: { kind: 'list', values: [1, 2, 7] } },
  });
  expect(missing).toEqual(['the loads 1, 2, 7: perf_analyzer takes even steps only']);
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
