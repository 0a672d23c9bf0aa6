// Values of options as numbers, ranges and lists. A fault names the option and the value, in the reference's words.

import type { OptionValues } from './perf-arguments.ts';
import { PerfUsageError } from './perf-arguments.ts';

/** The refusal of a value, in the reference's words. */
export function invalidValue(option: string, value: string): PerfUsageError {
  const name = option.length === 1 ? `-${option}` : `--${option}`;
  return new PerfUsageError(`Failed to parse ${name}. Invalid value provided: ${value}`);
}

interface NumberRules {
  readonly min?: number;
  readonly max?: number;
  readonly isFraction?: boolean;
}

function numberIn(option: string, text: string, rules: NumberRules): number {
  const value = Number(text);
  const { min = -Infinity, max = Infinity, isFraction = false } = rules;
  const isNumber = text.trim() !== '' && Number.isFinite(value) && (isFraction || Number.isInteger(value));
  if (!isNumber || value < min || value > max) throw invalidValue(option, text);
  return value;
}

/** The number within the rules; `fallback` where the option is missing. Throws a PerfUsageError. */
export function readNumber(
  values: OptionValues,
  option: string,
  rules: NumberRules,
  fallback: number,
): number {
  const text = values.last(option);
  return text === undefined ? fallback : numberIn(option, text, rules);
}

/** One of the choices; `fallback` where the option is missing. Throws a PerfUsageError. */
export function readChoice<T extends string>(
  values: OptionValues,
  option: string,
  choices: readonly T[],
  fallback: T,
): T {
  const text = values.last(option)?.toLowerCase();
  if (text === undefined) return fallback;
  const choice = choices.find((candidate) => candidate === text);
  if (choice === undefined) throw invalidValue(option, values.last(option) ?? '');
  return choice;
}

/** From `start` to `end`, both included, by `step`, as perf_analyzer writes `start:end:step`. */
export interface Range {
  readonly start: number;
  readonly end: number;
  readonly step: number;
}

/** "1,2,4" */
export function readNumberList(option: string, text: string, rules: NumberRules): number[] {
  return text.split(',').map((part) => numberIn(option, part, rules));
}

/** "start:end:step"; without an end the start is the only value. */
export function readRange(
  values: OptionValues,
  option: string,
  rules: { readonly isFraction: boolean },
  text = values.last(option),
): Range | undefined {
  if (text === undefined) return undefined;
  const parts = text.split(':');
  if (parts.length > 3) throw invalidValue(option, text);
  const [start = 1, end = start, step = 1] = parts.map((part) =>
    numberIn(option, part, { min: 0, isFraction: rules.isFraction }),
  );
  return { start, end, step };
}

/** "name:1,2"; the last colon separates. */
export function readShapes(values: OptionValues): Record<string, number[]> {
  const shapes: Record<string, number[]> = {};
  for (const text of values.all('shape')) {
    const colon = text.lastIndexOf(':');
    if (colon <= 0) throw invalidValue('shape', text);
    shapes[text.slice(0, colon)] = text
      .slice(colon + 1)
      .split(',')
      .map((dim) => {
        const size = Number(dim);
        if (dim.trim() === '' || !Number.isInteger(size) || size <= 0) throw invalidValue('shape', text);
        return size;
      });
  }
  return shapes;
}
