// What the user said, from the command line and from a YAML file, under one name each: with underscores. The command line
// wins. Values are read by what they should be, whichever of the two they came from.

import { readFileSync } from 'node:fs';

import { parse } from 'yaml';

import { nearestName } from '../../../src-shared/config/nearest-name.ts';
import type { ArgvFault } from '../../base/argv-scanner.ts';
import { scanArgv } from '../../base/argv-scanner.ts';
import type { AnalyzeOption } from './option-table.ts';
import { FILE_ONLY_KEYS } from './option-table.ts';

/** A command line or file that cannot be used. */
export class AnalyzeUsageError extends Error {
  override readonly name = 'AnalyzeUsageError';
}

/** Values by name with underscores; texts from the command line, anything from a file. */
export type Given = Readonly<Record<string, unknown>>;

/** An object that is no list. */
export function isRecord(value: unknown): value is Given {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function keyOf(optionName: string): string {
  return optionName.replaceAll('-', '_');
}

/** Throws an AnalyzeUsageError. Positional words are refused. */
export function scanGiven(args: readonly string[], table: readonly AnalyzeOption[]): Given {
  const { options, positional } = scanArgv(args, table, (fault) => {
    throw new AnalyzeUsageError(faultText(fault));
  });
  const [word] = positional;
  if (word !== undefined) throw new AnalyzeUsageError(`unexpected argument '${word}'`);
  return Object.fromEntries(
    options.map(({ option, value }) => [keyOf(option.name), option.argument === undefined ? true : value]),
  );
}

function faultText(fault: ArgvFault<AnalyzeOption>): string {
  switch (fault.kind) {
    case 'unknown':
      return `unknown option --${fault.typed}${fault.near === undefined ? '' : `; did you mean --${fault.near}?`}`;
    case 'ambiguous':
      return `option --${fault.typed} may stand for ${fault.candidates.map(({ name }) => `--${name}`).join(' or ')}`;
    case 'unknown-letter':
      return `unknown option -${fault.letter}`;
    case 'value-missing':
      return `option ${fault.words} needs a value`;
    case 'value-unexpected':
      return `option --${fault.option.name} takes no value`;
  }
}

/** Throws an AnalyzeUsageError for a file that cannot be read, or that names what there is not. */
export function readConfigFile(file: string, table: readonly AnalyzeOption[]): Given {
  let value: unknown;
  try {
    value = parse(readFileSync(file, 'utf8'));
  } catch (thrown) {
    throw new AnalyzeUsageError(`cannot read ${file}: ${(thrown as Error).message}`);
  }
  if (value === null) return {};
  if (!isRecord(value)) throw new AnalyzeUsageError(`${file} holds no options`);
  const known = [...table.map(({ name }) => keyOf(name)), ...FILE_ONLY_KEYS];
  for (const key of Object.keys(value)) {
    if (known.includes(key)) continue;
    const near = nearestName(key, known);
    throw new AnalyzeUsageError(
      `unknown key '${key}' in ${file}${near === undefined ? '' : `; did you mean '${near}'?`}`,
    );
  }
  return value;
}

/** Warnings for what has no effect; throws for what is refused. */
export function checkSupport(given: Given, table: readonly AnalyzeOption[]): readonly string[] {
  const used = table.filter(({ name }) => given[keyOf(name)] !== undefined && given[keyOf(name)] !== false);
  for (const { name, refused } of used)
    if (refused !== undefined) throw new AnalyzeUsageError(`--${name}: ${refused}`);
  return used
    .filter(({ noEffect }) => noEffect !== undefined)
    .map(({ name, noEffect }) => `--${name} has no effect: ${noEffect}`);
}

function wrong(key: string, value: unknown, wanted: string): AnalyzeUsageError {
  return new AnalyzeUsageError(`'${key}' must be ${wanted}, found ${JSON.stringify(value)}`);
}

/** False where it is missing. Throws an AnalyzeUsageError for anything but true and false. */
export function flagIn(given: Given, key: string): boolean {
  const value = given[key] ?? false;
  if (typeof value !== 'boolean') throw wrong(key, value, 'true or false');
  return value;
}

/** Throws an AnalyzeUsageError for what is no text, or empty. */
export function textIn(given: Given, key: string, fallback: string): string {
  const value = given[key] ?? fallback;
  if (typeof value !== 'string' || value === '') throw wrong(key, value, 'a text');
  return value;
}

/** Throws an AnalyzeUsageError for what is not among the choices. */
export function choiceIn<T extends string>(given: Given, key: string, choices: readonly T[], fallback: T): T {
  const value = given[key] ?? fallback;
  const choice = choices.find((candidate) => candidate === value);
  if (choice === undefined) throw wrong(key, value, `one of ${choices.join(', ')}`);
  return choice;
}

/** A number, or a text that is one; throws an AnalyzeUsageError for any other. */
export function numberIn(
  given: Given,
  key: string,
  fallback: number,
  { min, isWhole = true }: { readonly min: number; readonly isWhole?: boolean },
): number {
  const value = given[key];
  return value === undefined ? fallback : oneNumber(key, value, { min, isWhole });
}

function oneNumber(
  key: string,
  value: unknown,
  rules: { readonly min: number; readonly isWhole: boolean },
): number {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  const isRight = typeof number === 'number' && Number.isFinite(number) && number >= rules.min;
  if (!isRight || (rules.isWhole && !Number.isInteger(number)))
    throw wrong(key, value, `a ${rules.isWhole ? 'whole ' : ''}number from ${rules.min} on`);
  return number;
}

/** "a,b" or a list. */
export function namesIn(given: Given, key: string): readonly string[] | undefined {
  const value = given[key];
  if (value === undefined) return undefined;
  const list = Array.isArray(value) ? value : String(value).split(',');
  const names = list.map((name) => String(name).trim()).filter((name) => name !== '');
  if (isRecord(value) || names.length === 0) throw wrong(key, value, 'a list of names');
  return names;
}

const MOST_NUMBERS = 10_000;

/** "1,2,4", "start:end:step", a number, a list, or start, stop and step. */
export function numbersIn(given: Given, key: string): readonly number[] | undefined {
  const value = given[key];
  if (value === undefined) return undefined;
  const one = (item: unknown): number => oneNumber(key, item, { min: 1, isWhole: true });
  if (Array.isArray(value)) return value.map(one);
  if (isRecord(value)) return spread(key, one(value['start']), one(value['stop']), one(value['step'] ?? 1));
  const text = String(value);
  if (!text.includes(':')) return text.split(',').map(one);
  const [start, end, step = '1', more] = text.split(':');
  if (more !== undefined) throw wrong(key, value, 'start:end:step');
  return spread(key, one(start), one(end), one(step));
}

function spread(key: string, start: number, end: number, step: number): number[] {
  const count = Math.floor((end - start) / step) + 1;
  if (count < 1 || count > MOST_NUMBERS)
    throw wrong(key, `${start}:${end}:${step}`, 'a range that holds values');
  return Array.from({ length: count }, (_, at) => start + at * step);
}
