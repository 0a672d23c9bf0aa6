// Errors that are listed: each with its code, its text, what causes it and what to do. A room defines its errors in one
// place with `defineErrors` and throws what that gives; docs/errors.md is made of the same entries, and whoever shows
// such an error can say what to do about it.

import type { ServerErrorOptions, StatusCode } from './errors.ts';
import { ServerError } from './errors.ts';

/** One error as the room that throws it defines it. */
export interface ErrorEntry<Text extends string = string> {
  readonly code: StatusCode;
  /** What the client is told; `{name}` stands for a value. Where clients match the reference's words, those words. */
  readonly text: Text;
  /** One sentence: what has happened when this is thrown. */
  readonly cause: string;
  /** One sentence: what the person who sees it can do. */
  readonly remedy: string;
}

/** Names of the values that a text needs. */
type ValueNames<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ValueNames<Rest>
  : never;

type Value = string | number | bigint;

/** Makes the error from its values; from nothing when its text needs none. */
export type ErrorMaker<Text extends string> = (
  ...given: [ValueNames<Text>] extends [never]
    ? [options?: ServerErrorOptions]
    : [values: Readonly<Record<ValueNames<Text>, Value>>, options?: ServerErrorOptions]
) => ServerError;

/** For each entry of a catalogue the function that makes the error, with the values that its text names. */
export type ErrorMakers<Entries extends Readonly<Record<string, ErrorEntry>>> = {
  readonly [Key in keyof Entries]: ErrorMaker<Entries[Key]['text']>;
};

/** The errors of one room, by their names there. */
export interface ErrorCatalogue<Entries extends Readonly<Record<string, ErrorEntry>>> {
  /** First half of each error's id, "sequences" in "sequences/startMissing". */
  readonly room: string;
  readonly entries: Entries;
  readonly errors: ErrorMakers<Entries>;
}

/** The id of an error goes with it as `details.errorId`, and so do its cause and its remedy. */
export function defineErrors<const Entries extends Readonly<Record<string, ErrorEntry>>>(
  room: string,
  entries: Entries,
): ErrorCatalogue<Entries> {
  const makers = Object.entries(entries).map(([name, entry]) => [name, makerOf(`${room}/${name}`, entry)]);
  return { room, entries, errors: Object.fromEntries(makers) as ErrorMakers<Entries> };
}

function makerOf(id: string, { code, text, cause, remedy }: ErrorEntry) {
  const parts = text.split(PLACE);
  const details = Object.freeze({ errorId: id, cause, remedy });
  return (...given: readonly unknown[]): ServerError => {
    const [values, options] = (parts.length > 1 ? given : [undefined, ...given]) as [
      Readonly<Record<string, Value>> | undefined,
      ServerErrorOptions | undefined,
    ];
    // Every other part is the name of a value.
    const message = parts.map((part, at) => (at % 2 === 0 ? part : String(values?.[part]))).join('');
    if (options === undefined) return new ServerError(code, message, { details });
    return new ServerError(code, message, { ...options, details: { ...options.details, ...details } });
  };
}

const PLACE = /\{(\w+)\}/;
