// Cuts a command line into options, with the rules of GNU getopt_long: `--name value`, `--name=value`, unambiguous
// prefixes of names, one-letter options alone or together with the value attached or behind them; everything after `--`
// is positional. Knows nothing of what options mean, nor how a fault is worded.

import { nearestName } from '../../src-shared/config/nearest-name.ts';

/** What the scanner has to know of an option. */
export interface ScannableOption {
  /** Long name without dashes; undefined = it has a letter only. */
  readonly name: string | undefined;
  /** One letter; undefined = it has a long name only. */
  readonly short?: string | undefined;
  /** undefined = the option takes no value. */
  readonly argument: string | undefined;
}

/** An option as it was given, with the text of its value. */
export interface ScannedOption<O extends ScannableOption> {
  readonly option: O;
  /** Empty for an option that takes none. */
  readonly value: string;
}

/** What is wrong with a command line; whoever scanned words it. `words`: the part of the command line at fault. */
export type ArgvFault<O extends ScannableOption> =
  | {
      readonly kind: 'unknown';
      readonly typed: string;
      readonly near: string | undefined;
      readonly words: string;
    }
  | { readonly kind: 'unknown-letter'; readonly letter: string; readonly words: string }
  | {
      readonly kind: 'ambiguous';
      readonly typed: string;
      readonly candidates: readonly O[];
      readonly words: string;
    }
  | { readonly kind: 'value-missing'; readonly option: O; readonly words: string }
  | { readonly kind: 'value-unexpected'; readonly option: O; readonly words: string };

/** A command line that was taken apart. */
export interface ScannedArgv<O extends ScannableOption> {
  /** In the order given. */
  readonly options: readonly ScannedOption<O>[];
  readonly positional: readonly string[];
}

/** `before`: the options in front of what is at fault. */
export type OnArgvFault<O extends ScannableOption> = (
  fault: ArgvFault<O>,
  before: readonly ScannedOption<O>[],
) => void;

/**
 * `onFault` throws, or notes the fault to have the rest read: `words` is then what was left out, `--name=value`. The
 * word behind an unknown option counts as its value when it does not look like an option.
 */
export function scanArgv<O extends ScannableOption>(
  args: readonly string[],
  options: readonly O[],
  onFault: OnArgvFault<O>,
): ScannedArgv<O> {
  const scan = new Scan(args, options, onFault);
  return scan.run();
}

class Scan<O extends ScannableOption> {
  readonly #rest: string[];
  readonly #table: readonly O[];
  readonly #onFault: (fault: ArgvFault<O>) => void;
  readonly #options: ScannedOption<O>[] = [];
  readonly #positional: string[] = [];

  constructor(args: readonly string[], table: readonly O[], onFault: OnArgvFault<O>) {
    this.#rest = [...args];
    this.#table = table;
    this.#onFault = (fault) => onFault(fault, [...this.#options]);
  }

  run(): ScannedArgv<O> {
    for (let word = this.#rest.shift(); word !== undefined; word = this.#rest.shift()) {
      if (word === '--') this.#positional.push(...this.#rest.splice(0));
      else if (word.startsWith('--')) this.#long(word);
      else if (word.startsWith('-') && word !== '-') this.#letters(word);
      else this.#positional.push(word);
    }
    return { options: this.#options, positional: this.#positional };
  }

  #long(word: string): void {
    const equals = word.indexOf('=');
    const typed = word.slice(2, equals < 0 ? undefined : equals);
    const inline = equals < 0 ? undefined : word.slice(equals + 1);
    const exact = this.#table.find(({ name }) => name === typed);
    const candidates = typed === '' ? [] : this.#table.filter(({ name }) => name?.startsWith(typed) === true);
    const option = exact ?? (candidates.length === 1 ? candidates[0] : undefined);
    if (option !== undefined) {
      this.#take(option, inline, word);
      return;
    }
    const words = this.#withValueBehind(word, equals >= 0);
    if (candidates.length > 1) this.#onFault({ kind: 'ambiguous', typed: word.slice(2), candidates, words });
    else this.#onFault({ kind: 'unknown', typed: word.slice(2), near: this.#near(typed), words });
  }

  #take(option: O, inline: string | undefined, word: string): void {
    if (option.argument === undefined) {
      if (inline === undefined) this.#options.push({ option, value: '' });
      else this.#onFault({ kind: 'value-unexpected', option, words: word });
      return;
    }
    const value = inline ?? this.#rest.shift();
    if (value === undefined) this.#onFault({ kind: 'value-missing', option, words: word });
    else this.#options.push({ option, value });
  }

  /** `-abc`: letters without a value, up to one that takes the rest, or the next word, as its value. */
  #letters(word: string): void {
    for (let at = 1; at < word.length; at += 1) {
      const letter = word.charAt(at);
      const option = this.#table.find(({ short }) => short === letter);
      if (option === undefined) {
        this.#onFault({ kind: 'unknown-letter', letter, words: word });
        return;
      }
      const attached = word.slice(at + 1);
      const takesRest = option.argument !== undefined;
      this.#take(option, takesRest && attached !== '' ? attached : undefined, word);
      if (takesRest) return;
    }
  }

  #withValueBehind(word: string, hasValue: boolean): string {
    const [next] = this.#rest;
    if (hasValue || next === undefined || next.startsWith('-')) return word;
    this.#rest.shift();
    return `${word}=${next}`;
  }

  #near(typed: string): string | undefined {
    return nearestName(
      typed,
      this.#table.map(({ name }) => name).filter((name) => name !== undefined),
    );
  }
}
