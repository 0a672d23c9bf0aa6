// The arguments of perf_analyzer as values by option, and how a command line that cannot be used is refused.

import type { ArgvFault } from '../../base/argv-scanner.ts';
import { scanArgv } from '../../base/argv-scanner.ts';
import type { PerfOption } from './option-table.ts';
import { optionKey, optionText, PERF_OPTIONS } from './option-table.ts';

/** A command line that cannot be used. The message is what follows "Error: ". */
export class PerfUsageError extends Error {
  override readonly name = 'PerfUsageError';
}

/** Values by option, in the order given; the last one counts where only one can. */
export class OptionValues {
  readonly #values = new Map<string, string[]>();

  /** `key`: as `optionKey` gives it; a value more when there is one already. */
  add(key: string, value: string): void {
    this.#values.set(key, [...(this.#values.get(key) ?? []), value]);
  }

  /** Whether the option was given at all. */
  has(key: string): boolean {
    return this.#values.has(key);
  }

  /** How many times the option was given. */
  count(key: string): number {
    return this.#values.get(key)?.length ?? 0;
  }

  /** The one given last. */
  last(key: string): string | undefined {
    return this.#values.get(key)?.at(-1);
  }

  /** The one given first; undefined when the option was not given. */
  first(key: string): string | undefined {
    return this.#values.get(key)?.[0];
  }

  /** All of an option, in the order given; empty when it was not given. */
  all(key: string): readonly string[] {
    return this.#values.get(key) ?? [];
  }

  /** Options that were given, each once, in the order of their first value. */
  get keys(): readonly string[] {
    return [...this.#values.keys()];
  }
}

/** A command line of perf_analyzer, taken apart. */
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
  const refuse = (message: string, words: string): void => {
    if (!isLenient) throw new PerfUsageError(message);
    unknown.push(words);
  };
  const asked = args.map((word) => (word === '-?' ? '-h' : word));
  const { options, positional } = scanArgv(asked, PERF_OPTIONS, (fault) =>
    refuse(faultText(fault), fault.words),
  );
  for (const { option, value } of options) values.add(optionKey(option), value);
  for (const word of positional) refuse(`Unexpected argument '${word}'`, word);
  return { values, unknown };
}

function faultText(fault: ArgvFault<PerfOption>): string {
  switch (fault.kind) {
    case 'unknown':
      return `Invalid long option '--${fault.typed}'${fault.near === undefined ? '' : `; did you mean '--${fault.near}'?`}`;
    case 'ambiguous':
      return `Invalid long option '--${fault.typed}'; it may stand for ${fault.candidates.map(optionText).join(' or ')}`;
    case 'unknown-letter':
      return `Invalid short option '-${fault.letter}'`;
    case 'value-missing':
      return `Missing value for option '${fault.words}'`;
    case 'value-unexpected':
      return `Option '${optionText(fault.option)}' takes no value`;
  }
}
