// The kinds of values that options take: how a text is read, how a value is written, and how the Settings screen edits
// it. Every refusal is a UsageError with the reference's words.

import type { SettingDefinition, SettingValue } from '../../src-shared/contract/setting-definition.ts';
import type { IntegerLimits } from './option-values.ts';
import { parseBool, parseInteger, parseNumber } from './option-values.ts';
import { UsageError } from './usage-error.ts';

/** How values of one type are read, printed and shown. */
export interface ValueType<T extends SettingValue> {
  /** As the usage text names the argument. */
  readonly argument: string;
  readonly kind: SettingDefinition['kind'];
  /** Of a choice: the words, as they are kept. */
  readonly choices: readonly T[];
  /** Throws UsageError. */
  readonly parse: (text: string) => T;
  /** What `parse` reads back as the same value. */
  readonly print: (value: T) => string;
}

/** The words that `parseBool` takes; printed as true or false. */
export const truth: ValueType<boolean> = {
  argument: 'boolean',
  kind: 'boolean',
  choices: [],
  parse: parseBool,
  print: String,
};

/** A whole number in 32 bits, or within the limits given. */
export function whole(limits: IntegerLimits = {}): ValueType<number> {
  return {
    argument: 'integer',
    kind: 'number',
    choices: [],
    parse: (text) => parseInteger(text, limits),
    print: String,
  };
}

/** A number with or without a fraction. */
export const decimal: ValueType<number> = {
  argument: 'float',
  kind: 'number',
  choices: [],
  parse: parseNumber,
  print: String,
};

/** Every text, the empty one too. */
export const anyText: ValueType<string> = {
  argument: 'string',
  kind: 'text',
  choices: [],
  parse: (text) => text,
  print: (value) => value,
};

/** One of some words; those in small letters are taken in any case, unless `isExact`. */
export function oneOf<const Word extends string>(
  option: string,
  words: readonly Word[],
  isExact = false,
): ValueType<Word> {
  return {
    argument: 'string',
    kind: 'choice',
    choices: words,
    parse: (text) => {
      const found = words.find((word) => word === text || (!isExact && word === text.toLowerCase()));
      if (found !== undefined) return found;
      const names = words.map((word) => `"${word}"`).join(', ');
      throw new UsageError(`invalid argument for --${option}`, {
        hint: `Expected one of ${names}. Got ${text}`,
      });
    },
    print: (value) => value,
  };
}
