// Cuts a perf_analyzer command line into options: short ones with the value attached or behind them, long ones with
// "=" or a blank, prefixes where they are clear. Knows nothing of what options mean.

import { nearestName } from '../../../src-shared/config/nearest-name.ts';
import type { PerfOption } from './option-table.ts';
import { optionKey, PERF_OPTIONS } from './option-table.ts';

/** A command line that cannot be used. The message is what follows "Error: ". */
export class PerfUsageError extends Error {
  override readonly name = 'PerfUsageError';
}

export class OptionValues {
  readonly #values = new Map<string, string[]>();

  add(key: string, value: string): void {
    this.#values.set(key, [...(this.#values.get(key) ?? []), value]);
  }

  has(key: string): boolean {
    return this.#values.has(key);
  }

  count(key: string): number {
    return this.#values.get(key)?.length ?? 0;
  }

  /** The one given last. */
  last(key: string): string | undefined {
    return this.#values.get(key)?.at(-1);
  }

  first(key: string): string | undefined {
    return this.#values.get(key)?.[0];
  }

  all(key: string): readonly string[] {
    return this.#values.get(key) ?? [];
  }

  get keys(): readonly string[] {
    return [...this.#values.keys()];
  }
}

export interface ScanResult {
  readonly values: OptionValues;
  /** Options that are not known; only when `isLenient`. */
  readonly unknown: readonly string[];
}

/** Throws PerfUsageError at the first fault unless `isLenient`. */
export function scanPerfOptions(
  args: readonly string[],
  { isLenient }: { readonly isLenient: boolean } = { isLenient: false },
): ScanResult {
  const values = new OptionValues();
  const unknown: string[] = [];
  const rest = [...args];
  const refuse = (message: string, argument: string): void => {
    if (!isLenient) throw new PerfUsageError(message);
    unknown.push(argument);
  };
  for (let arg = rest.shift(); arg !== undefined; arg = rest.shift()) {
    if (arg.startsWith('--') && arg.length > 2) scanLong(arg, rest, values, refuse);
    else if (arg.startsWith('-') && arg.length > 1) scanShort(arg, rest, values, refuse);
    else refuse(`Unexpected argument '${arg}'`, arg);
  }
  return { values, unknown };
}

type Refuse = (message: string, argument: string) => void;

function scanLong(arg: string, rest: string[], values: OptionValues, refuse: Refuse): void {
  const equals = arg.indexOf('=');
  const typed = arg.slice(2, equals < 0 ? undefined : equals);
  const option = findLong(typed);
  if (option === undefined) {
    const near = nearestName(typed, longNames());
    refuse(`Invalid long option '--${typed}'${near === undefined ? '' : `; did you mean '--${near}'?`}`, arg);
    if (equals < 0 && rest[0] !== undefined && !rest[0].startsWith('-')) rest.shift();
    return;
  }
  if (option.argument === undefined) {
    values.add(optionKey(option), '');
    return;
  }
  const value = equals < 0 ? rest.shift() : arg.slice(equals + 1);
  if (value === undefined) refuse(`Missing value for option '--${option.name}'`, arg);
  else values.add(optionKey(option), value);
}

function scanShort(arg: string, rest: string[], values: OptionValues, refuse: Refuse): void {
  for (let at = 1; at < arg.length; at += 1) {
    const letter = arg.charAt(at);
    const option = PERF_OPTIONS.find(({ short }) => short === letter || (letter === '?' && short === 'h'));
    if (option === undefined) {
      refuse(`Invalid short option '-${letter}'`, arg);
      return;
    }
    if (option.argument === undefined) {
      values.add(optionKey(option), '');
      continue;
    }
    const attached = arg.slice(at + 1);
    const value = attached === '' ? rest.shift() : attached;
    if (value === undefined) refuse(`Missing value for option '-${letter}'`, arg);
    else values.add(optionKey(option), value);
    return;
  }
}

function longNames(): string[] {
  return PERF_OPTIONS.map(({ name }) => name).filter((name) => name !== '');
}

function findLong(typed: string): PerfOption | undefined {
  const exact = PERF_OPTIONS.find(({ name }) => name === typed);
  if (exact !== undefined) return exact;
  const matches = PERF_OPTIONS.filter(({ name }) => typed !== '' && name.startsWith(typed));
  return matches.length === 1 ? matches[0] : undefined;
}
