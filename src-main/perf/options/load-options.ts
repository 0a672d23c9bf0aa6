// Options that say which loads are measured. Besides perf_analyzer's "start:end:step" a range may be a list ("1,2,4,8")
// or doubling ("1:64:x2", end 0 = until throughput stops growing), and gaps may be given instead of a file.

import { readFileSync } from 'node:fs';

import type { PerfLevels, PerfLoad } from '../../../src-shared/contract/perf-plan.ts';
import type { Range } from './option-readers.ts';
import { invalidValue, readChoice, readNumber, readNumberList, readRange } from './option-readers.ts';
import type { OptionValues } from './perf-arguments.ts';
import { PerfUsageError } from './perf-arguments.ts';

const MODES = [
  'concurrency-range',
  'request-rate-range',
  'request-intervals',
  'periodic-concurrency-range',
  'fixed-schedule',
] as const;

/** Throws a PerfUsageError where two kinds of load are given, or a range is none. */
export function loadOf(values: OptionValues): PerfLoad {
  const modes = MODES.filter((name) => values.has(name));
  const old = values.has('t') || values.has('c') || values.has('d');
  if (modes.length + (old ? 1 : 0) > 1)
    throw new PerfUsageError(
      `Cannot specify more than one inference load mode: ${modes.map((name) => `--${name}`).join(', ')}`,
    );
  const periodic = readRange(values, 'periodic-concurrency-range', { isFraction: false });
  if (periodic !== undefined) return periodicLoad(values, periodic);
  if (values.has('fixed-schedule')) return { kind: 'schedule' };
  const gaps = values.last('request-intervals');
  if (gaps !== undefined) return { kind: 'intervals', intervalsUs: intervalsOf(gaps) };
  const rates = levelsOf(values, 'request-rate-range', { isFraction: true });
  if (rates !== undefined) {
    const distribution = readChoice(values, 'request-distribution', ['constant', 'poisson'], 'constant');
    return { kind: 'request-rate', levels: rates, distribution };
  }
  const oldStart = readNumber(values, 't', { min: 1 }, 1);
  const oldEnd = readNumber(values, 'c', { min: 0 }, values.has('d') ? 0 : oldStart);
  const levels = levelsOf(values, 'concurrency-range', { isFraction: false }) ?? {
    kind: values.has('binary-search') ? 'binary' : 'range',
    start: oldStart,
    end: oldEnd,
    step: 1,
  };
  return { kind: 'concurrency', levels };
}

/** The levels that an option names. */
export interface LoadRange {
  readonly kind: PerfLevels['kind'];
  readonly start: number;
  readonly end: number;
  /** One level only. */
  readonly isSingle: boolean;
}

/** First and last level of loads that have levels. */
export function rangeOf(load: PerfLoad): LoadRange | undefined {
  if (!('levels' in load)) return undefined;
  const { levels } = load;
  if (levels.kind !== 'list') {
    const isSingle = levels.start === levels.end;
    return { kind: levels.kind, start: levels.start, end: levels.end, isSingle };
  }
  const { values } = levels;
  const isSingle = values.length === 1;
  return { kind: 'list', start: Math.max(...values), end: Math.max(...values), isSingle };
}

function levelsOf(
  values: OptionValues,
  option: string,
  rules: { readonly isFraction: boolean },
): PerfLevels | undefined {
  const text = values.last(option);
  if (text === undefined) return undefined;
  if (text.includes(',')) {
    const list = readNumberList(option, text, { min: rules.isFraction ? 0 : 1, ...rules });
    if (list.includes(0)) throw invalidValue(option, text);
    return { kind: 'list', values: list };
  }
  const isDoubling = text.endsWith(':x2');
  const range = readRange(values, option, rules, isDoubling ? text.slice(0, -':x2'.length) : text);
  if (range === undefined) return undefined;
  const { start, end } = range;
  if (start <= 0 || (start < 1 && !rules.isFraction)) throw invalidValue(option, text);
  if (isDoubling) return { kind: 'doubling', start, end };
  return { kind: values.has('binary-search') ? 'binary' : 'range', ...range };
}

function periodicLoad(values: OptionValues, { start, end, step }: Range): PerfLoad {
  const text = values.last('periodic-concurrency-range') ?? '';
  if (start > end || start < 1 || step < 1 || (end - start) % step !== 0)
    throw invalidValue('periodic-concurrency-range', text);
  return {
    kind: 'periodic',
    start,
    end,
    step,
    requestPeriod: readNumber(values, 'request-period', { min: 1 }, 10),
  };
}

function intervalsOf(given: string): number[] {
  if (/^[\d.]+(,[\d.]+)*$/.test(given)) {
    const gaps = readNumberList('request-intervals', given, { min: 0, isFraction: true });
    if (gaps.includes(0)) throw invalidValue('request-intervals', given);
    return gaps;
  }
  let text: string;
  try {
    text = readFileSync(given, 'utf8');
  } catch (thrown) {
    throw new PerfUsageError(`cannot read --request-intervals '${given}': ${(thrown as Error).message}`);
  }
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '');
  const intervals = lines.map(Number);
  const bad = intervals.findIndex((value) => !(value > 0));
  if (lines.length === 0 || bad >= 0)
    throw new PerfUsageError(
      `--request-intervals '${given}' needs one number of microseconds per line, line ${bad + 1} has none`,
    );
  return intervals;
}
