// Tables of options as rows: what most options have stands in a fixed order, what few have at the end.

import type { ScannableOption } from './argv-scanner.ts';

/** Why an option does not do what its name says. */
export interface OptionLimits {
  /** Accepted, and said to do nothing. */
  readonly noEffect?: string;
  /** Not accepted. */
  readonly refused?: string;
}

/** An option of a table: what the scanner needs, and what its help says. */
export interface ListedOption<Name extends string | undefined> extends ScannableOption, OptionLimits {
  readonly name: Name;
  readonly help: string;
}

/** One option; `short` is one letter, and an option without a long name has one. */
export type OptionRow<Name extends string | undefined> = readonly [
  name: Name,
  short: string | undefined,
  argument: string | undefined,
  help: string,
  limits?: OptionLimits,
];

/** The options that the rows are of, in their order. */
export function optionsOfRows<Name extends string | undefined>(
  rows: readonly OptionRow<Name>[],
): ListedOption<Name>[] {
  return rows.map(([name, short, argument, help, limits]) => ({ name, short, argument, help, ...limits }));
}
