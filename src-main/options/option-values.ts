// Reads the values of options: booleans, numbers and the small pair languages of the command line. Every refusal is a
// UsageError with the reference's words.

import { UsageError } from './option-definition.ts';

const TRUE = new Set(['true', 'on', '1']);
const FALSE = new Set(['false', 'off', '0']);

/** `true`, `on`, `1` / `false`, `off`, `0`, in any case. */
export function parseBool(value: string): boolean {
  const lower = value.toLowerCase();
  if (TRUE.has(lower)) return true;
  if (FALSE.has(lower)) return false;
  throw new UsageError(`invalid value for bool option: ${value}`);
}

export interface IntegerLimits {
  readonly min?: number;
  readonly max?: number;
}

const INT32: Required<IntegerLimits> = { min: -(2 ** 31), max: 2 ** 31 - 1 };

/** A whole number in 32 bits, or within the limits given. */
export function parseInteger(value: string, limits: IntegerLimits = {}): number {
  if (!/^[+-]?\d+$/.test(value.trim())) throw new UsageError(`Invalid option value. Got ${value}`);
  const number = Number(value);
  if (number < (limits.min ?? INT32.min) || number > (limits.max ?? INT32.max)) {
    throw new UsageError(`Provided option value is out of bound. Got ${value}`);
  }
  return number;
}

/** Byte counts: 64 bits in the reference, here as far as whole numbers are exact. */
export function parseByteSize(value: string): number {
  return parseInteger(value, { min: 0, max: Number.MAX_SAFE_INTEGER });
}

export function parseNumber(value: string): number {
  const number = value.trim() === '' ? Number.NaN : Number(value);
  if (!Number.isFinite(number)) throw new UsageError(`Invalid option value. Got ${value}`);
  return number;
}

/** One of the words, or UsageError with `message`. */
export function parseWord<Word extends string>(value: string, words: readonly Word[], message: string): Word {
  const found = words.find((word) => word === value);
  if (found === undefined) throw new UsageError(message);
  return found;
}

/** `<left><separator><right>` cut at the first separator. */
export function parsePair(value: string, separator: string): readonly [string, string] {
  const at = value.indexOf(separator);
  if (at < 0) {
    throw new UsageError(`Cannot parse '${value}': expected a '${separator}' between name and value`);
  }
  return [value.slice(0, at), value.slice(at + separator.length)];
}

/** `[<scope>,]<key>=<value>`; scope "" when it is left out. */
export function parseScopedSetting(value: string): { scope: string; key: string; value: string } {
  const equals = value.indexOf('=');
  const comma = value.indexOf(',');
  if (equals < 0) throw new UsageError(`Cannot parse '${value}': expected <key>=<value>`);
  const isScoped = comma >= 0 && comma < equals;
  const scope = isScoped ? value.slice(0, comma) : '';
  const key = value.slice(isScoped ? comma + 1 : 0, equals);
  if (key === '' || (isScoped && scope === '')) {
    throw new UsageError(`Cannot parse '${value}': a name is empty`);
  }
  return { scope, key, value: value.slice(equals + 1) };
}

/** `<gpu>:<number>` */
export function parseDevicePair(value: string): readonly [deviceId: number, text: string] {
  const [device, text] = parsePair(value, ':');
  return [parseInteger(device, { min: 0 }), text];
}
