// Reads the values of options: booleans, numbers and pairs. Every refusal is a UsageError with the reference's words.

import { leadingDecimal, leadingInteger } from '../base/leading-number.ts';
import { UsageError } from './usage-error.ts';

const TRUE = new Set(['true', 'on', '1']);
const FALSE = new Set(['false', 'off', '0']);

/** `true`, `on`, `1` / `false`, `off`, `0`, in any case. */
export function parseBool(value: string): boolean {
  const lower = value.toLowerCase();
  if (TRUE.has(lower)) return true;
  if (FALSE.has(lower)) return false;
  throw new UsageError(`invalid value for bool option: ${value}`);
}

/** Both ends are allowed values. Without one, that end of a 32-bit signed integer. */
export interface IntegerLimits {
  readonly min?: number;
  readonly max?: number;
}

const INT32: Required<IntegerLimits> = { min: -(2 ** 31), max: 2 ** 31 - 1 };

/** A whole number in 32 bits, or within the limits given. As for the reference, leading digits count: `8x` is 8. */
export function parseInteger(value: string, limits: IntegerLimits = {}): number {
  const number = leadingInteger(value);
  if (number === undefined) throw new UsageError(`Invalid option value. Got ${value}`);
  if (number < (limits.min ?? INT32.min) || number > (limits.max ?? INT32.max)) {
    throw new UsageError(`Provided option value is out of bound. Got ${value}`);
  }
  return number;
}

/** Byte counts: 64 bits in the reference, here as far as whole numbers are exact. */
export function parseByteSize(value: string): number {
  return parseInteger(value, { min: 0, max: Number.MAX_SAFE_INTEGER });
}

/** A finite number; what stands behind it does not count. Throws a UsageError for anything else. */
export function parseNumber(value: string): number {
  const number = leadingDecimal(value);
  if (number === undefined || !Number.isFinite(number))
    throw new UsageError(`Invalid option value. Got ${value}`);
  return number;
}

/** `<left><separator><right>` cut at the first separator. */
export function parsePair(value: string, separator: string): readonly [string, string] {
  const at = value.indexOf(separator);
  if (at < 0) {
    throw new UsageError(
      `Cannot parse pair option due to incorrect number of inputs.--<pair option> argument requires format <first>${separator}<second>. Found: ${value}`,
    );
  }
  return [value.slice(0, at), value.slice(at + separator.length)];
}

/** `<gpu>:<number>` */
export function parseDevicePair(value: string): readonly [deviceId: number, text: string] {
  const [device, text] = parsePair(value, ':');
  return [parseInteger(device), text];
}
