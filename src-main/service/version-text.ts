// Version numbers as clients write them. "" leaves the choice to the server; leading decimal digits count.

import { modelErrors } from '../repository/model-errors.ts';

/** The server's choice: the highest version that is ready. */
export const ANY_VERSION = -1;

const MAX_INT64 = 2n ** 63n - 1n;

/**
 * A number beyond 2^53, which no model has, stays exact, since messages name it. Throws INVALID_ARG for texts that are no
 * version.
 */
export function parseVersion(text: string): number | bigint {
  if (text === '') return ANY_VERSION;
  const digits = /^\s*([+-]?\d+)/.exec(text)?.[1];
  const value = digits === undefined ? undefined : BigInt(digits.replace('+', ''));
  if (value === undefined || value > MAX_INT64 || value < -MAX_INT64) {
    throw modelErrors.versionNoNumber({ version: text });
  }
  if (value < 0n) {
    throw modelErrors.versionNegative({ version: text });
  }
  return value > BigInt(Number.MAX_SAFE_INTEGER) ? value : Number(value);
}
