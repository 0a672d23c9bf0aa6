// Any plan to a command line and back, any words through a shell's quotes, and how values are read.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import type { PerfLoad, PerfPlan } from '../../../src-shared/contract/perf-plan.ts';
import { defaultPerfPlan } from '../../../src-shared/contract/perf-plan.ts';
import { loadOf, rangeOf } from './load-options.ts';
import { readChoice, readNumber, readRange, readShapes } from './option-readers.ts';
import { OptionValues } from './perf-arguments.ts';
import { parseCommand, toCommand } from './plan-command.ts';
import { quoteWord, splitCommand } from './split-command.ts';

const OWN = { http: '127.0.0.1:9000', grpc: '127.0.0.1:9001' };
const PLAN = defaultPerfPlan('m');

describe('words of a shell', () => {
  test('whatever a word holds, it comes back out of its quotes', () => {
    const word = fc.string({ unit: fc.constantFrom(...'ab \'"\\$`*~#\t;|&<>(){}!é'), maxLength: 12 });
    fc.assert(
      fc.property(fc.array(word, { maxLength: 6 }), (words) => {
        expect(splitCommand(words.map(quoteWord).join(' '))).toEqual(words);
      }),
    );
  });

  test.each([
    [String.raw`"C:\data\new.json"`, [String.raw`C:\data\new.json`]],
    [String.raw`"say \"hi\" for \$5 \\ \`x\`"`, ['say "hi" for $5 \\ `x`']],
    [String.raw`'C:\data' plain\ blank \'`, [String.raw`C:\data`, 'plain blank', "'"]],
    ['a"b"c', ['abc']],
    ['   ', []],
    [String.raw`ends\\`, ['ends\\']],
    ['perf_analyzer \\\r\n -m m', ['perf_analyzer', '-m', 'm']],
  ])('%s is cut as a shell cuts it', (line, words) => {
    expect(splitCommand(line)).toEqual(words);
  });
});

const name = fc.stringMatching(/^[A-Za-z][\w./ -]{0,10}[\w]$/);
const whole = (min: number, max: number) => fc.integer({ min, max });
const load: fc.Arbitrary<PerfLoad> = fc.oneof(
  fc.record({
    kind: fc.constant('concurrency' as const),
    levels: fc.oneof(
      fc.record({
        kind: fc.constant('range' as const),
        start: whole(1, 64),
        end: whole(1, 999),
        step: whole(1, 9),
      }),
      fc.record({
        kind: fc.constant('list' as const),
        values: fc.uniqueArray(whole(1, 99), { minLength: 2, maxLength: 5 }),
      }),
      fc.record({ kind: fc.constant('doubling' as const), start: whole(1, 9), end: fc.constantFrom(0, 64) }),
    ),
  }),
  fc.record({
    kind: fc.constant('request-rate' as const),
    distribution: fc.constantFrom('constant' as const, 'poisson' as const),
    levels: fc.record({
      kind: fc.constant('range' as const),
      start: fc.constantFrom(0.5, 10, 12.25),
      end: fc.constantFrom(100, 250.5),
      step: fc.constantFrom(0.5, 10),
    }),
  }),
  fc.record({
    kind: fc.constant('intervals' as const),
    intervalsUs: fc.array(fc.constantFrom(1, 2.5, 1000), { minLength: 2, maxLength: 4 }),
  }),
  fc.constant({ kind: 'schedule' as const }),
);

const plans: fc.Arbitrary<PerfPlan> = fc
  .record({
    model: name,
    version: fc.constantFrom('', '3'),
    isGrpc: fc.boolean(),
    isAsync: fc.boolean(),
    isStreaming: fc.boolean(),
    batchSize: whole(1, 32),
    url: fc.constantFrom('', 'other:1234', 'https://gpu-box:8443'),
    maxThreads: whole(0, 9),
    load,
    source: fc.oneof(
      fc.record({ kind: fc.constantFrom('random' as const, 'zero' as const) }),
      fc.record({
        kind: fc.constant('path' as const),
        path: fc.constantFrom('my data.json', 'C:\\d\\x.json', "it's"),
      }),
    ),
    shapes: fc.dictionary(
      fc.constantFrom('A', 'in:0', 'x y'),
      fc.array(whole(1, 9), { minLength: 1, maxLength: 3 }),
      {
        noNullPrototype: true,
      },
    ),
    stringData: fc.constantFrom('', 'hello world', '"quoted"'),
    stringLength: whole(1, 200),
    headers: fc.array(
      fc.record({ name: fc.constantFrom('X-A', 'auth'), value: fc.constantFrom('a:b', 'two words') }),
      {
        maxLength: 2,
      },
    ),
    parameters: fc.array(
      fc.record({
        name: fc.constant('p'),
        value: fc.constantFrom('1', 'x y'),
        type: fc.constant('string' as const),
      }),
      { maxLength: 1 },
    ),
    compression: fc.constantFrom('none' as const, 'gzip' as const),
    sharedMemory: fc.constantFrom('none' as const, 'system' as const),
    inputEncoding: fc.constantFrom('binary' as const, 'json' as const),
    percentile: fc.constantFrom(0, 90),
    mode: fc.constantFrom('time' as const, 'count' as const),
    stabilityPercent: fc.constantFrom(10, 2.5),
    latencyLimitMs: fc.constantFrom(0, 7.5),
    firstId: whole(1, 99),
    idCount: fc.constantFrom(2 ** 32 - 1, 17),
    isSerial: fc.boolean(),
    calledModels: fc.array(
      fc.record({ model: fc.constantFrom('a', 'b'), version: fc.constantFrom('', '2') }),
      {
        maxLength: 2,
      },
    ),
  })
  .map((made) => ({
    ...PLAN,
    model: made.model,
    version: made.version,
    protocol: made.isGrpc ? 'grpc' : 'http',
    isStreaming: made.isGrpc && made.isStreaming,
    isAsync: made.isAsync || (made.isGrpc && made.isStreaming),
    url: made.url,
    batchSize: made.batchSize,
    maxThreads: made.maxThreads,
    load: made.load,
    data: {
      source: made.source,
      shapes: made.shapes,
      stringData: made.stringData,
      stringLength: made.stringLength,
    },
    headers: made.headers,
    parameters: made.isGrpc ? made.parameters : [],
    compression: made.isGrpc ? made.compression : 'none',
    sharedMemory: made.sharedMemory,
    inputEncoding: made.inputEncoding,
    calledModels: made.calledModels,
    measurement: {
      ...PLAN.measurement,
      percentile: made.percentile,
      mode: made.mode,
      stabilityPercent: made.stabilityPercent,
      latencyLimitMs: made.latencyLimitMs,
    },
    sequence: { ...PLAN.sequence, firstId: made.firstId, idCount: made.idCount, isSerial: made.isSerial },
  }));

/** The same loads: an even list is written as a range. */
function loadsOf({ load: made }: PerfPlan): unknown {
  if (!('levels' in made) || made.levels.kind !== 'range') return made;
  const { start, end, step } = made.levels;
  const values: number[] = [];
  for (let value = start; value <= end && values.length < 6; value += step) values.push(value);
  return values.length > 5 ? made : { ...made, levels: { kind: 'list', values } };
}

test('any plan survives the way to a command line and back', () => {
  fc.assert(
    fc.property(plans, (plan) => {
      const { command } = toCommand(plan, OWN);
      const parsed = parseCommand(command, OWN);
      expect({ command, problems: parsed.problems, unknown: parsed.unknown }).toEqual({
        command,
        problems: [],
        unknown: [],
      });
      expect({ ...parsed.plan, load: loadsOf(parsed.plan) }).toEqual({ ...plan, load: loadsOf(plan) });
    }),
    { numRuns: 400 },
  );
});

test('a pasted line is never thrown back, whatever it holds', () => {
  const piece = fc.oneof(
    fc.constantFrom(
      '-m',
      'm',
      '--concurrency-range',
      '1:4',
      '-i',
      'grpc',
      '--nonsense',
      '-b',
      '=',
      '--shape',
      'A:1,2',
    ),
    fc.string({ maxLength: 6 }),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 10 }), (pieces) => {
      const { plan, problems } = parseCommand(pieces.join(' '), OWN);
      expect(plan.model.length > 0 || problems.length > 0).toBe(true);
    }),
  );
});

describe('values', () => {
  const given = (entries: Readonly<Record<string, string>>): OptionValues => {
    const values = new OptionValues();
    for (const [key, value] of Object.entries(entries)) values.add(key, value);
    return values;
  };

  test.each(['', ' ', 'x', '1.5', '0', '11', 'NaN', 'Infinity', '1e3x'])(
    '%j is no number from 1 to 10',
    (text) => {
      expect(() => readNumber(given({ b: text }), 'b', { min: 1, max: 10 }, 5)).toThrow(
        `Failed to parse -b. Invalid value provided: ${text}`,
      );
    },
  );

  test('a number that is missing has its default, and one that is given is read', () => {
    expect(readNumber(given({}), 'b', { min: 1 }, 5)).toBe(5);
    expect(readNumber(given({ b: '7' }), 'b', { min: 1 }, 5)).toBe(7);
    expect(readNumber(given({ l: '0.5' }), 'l', { isFraction: true }, 0)).toBe(0.5);
  });

  test('choices are read in any case, and named when they are none', () => {
    expect(readChoice(given({ i: 'GRPC' }), 'i', ['http', 'grpc'], 'http')).toBe('grpc');
    expect(() => readChoice(given({ i: 'Ftp' }), 'i', ['http', 'grpc'], 'http')).toThrow('provided: Ftp');
  });

  test('a range may leave out its end and its step, and has no more than three parts', () => {
    const range = (text: string) => readRange(given({ r: text }), 'r', { isFraction: false });
    expect([range('4'), range('4:8'), range('4:8:2')]).toEqual([
      { start: 4, end: 4, step: 1 },
      { start: 4, end: 8, step: 1 },
      { start: 4, end: 8, step: 2 },
    ]);
    for (const text of ['1:2:3:4', '1::2', ':', '-1', '1.5'])
      expect(() => range(text)).toThrow('Failed to parse');
  });

  test.each(['A', ':1', 'A:', 'A:1,,2', 'A:0', 'A:-1', 'A:1.5'])('the shape %j is refused whole', (text) => {
    expect(() => readShapes(given({ shape: text }))).toThrow(`Invalid value provided: ${text}`);
  });

  test.each([
    [{ 'concurrency-range': '1:4', 'request-rate-range': '10' }, /more than one inference load mode/],
    [{ 'concurrency-range': '1:4', t: '2' }, /more than one inference load mode/],
    [{ 'concurrency-range': '0:4' }, /Invalid value provided: 0:4/],
    [{ 'concurrency-range': '1,0' }, /Invalid value provided/],
    [{ 'request-rate-range': '1,0' }, /Invalid value provided/],
    [{ 'periodic-concurrency-range': '1:8:2' }, /Invalid value provided: 1:8:2/],
    [{ 'periodic-concurrency-range': '4:2' }, /Invalid value provided: 4:2/],
    [{ 'request-intervals': '10,0' }, /Invalid value provided/],
    [{ 'request-intervals': '/no/such/file' }, /cannot read --request-intervals/],
  ])('%j is refused', (entries, reason) => {
    expect(() => loadOf(given(entries as Readonly<Record<string, string>>))).toThrow(reason);
  });

  test('the old options mean a range', () => {
    expect(loadOf(given({ t: '2', c: '8' }))).toEqual({
      kind: 'concurrency',
      levels: { kind: 'range', start: 2, end: 8, step: 1 },
    });
    expect(loadOf(given({ d: '', t: '2' }))).toMatchObject({ levels: { start: 2, end: 0 } });
  });

  test('first and last of loads that have levels', () => {
    expect(rangeOf({ kind: 'schedule' })).toBeUndefined();
    expect(rangeOf({ kind: 'concurrency', levels: { kind: 'list', values: [1, 9, 4] } })).toMatchObject({
      end: 9,
      isSingle: false,
    });
    expect(rangeOf({ kind: 'concurrency', levels: { kind: 'list', values: [3] } })?.isSingle).toBe(true);
  });
});
