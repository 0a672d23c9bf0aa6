// Version numbers as clients write them. "" leaves the choice to the server; leading decimal digits count.

import { invalidArg } from '../../src-shared/errors.ts';

/** The server's choice: the highest version that is ready. */
export const ANY_VERSION = -1;

const MAX_INT64 = 2n ** 63n - 1n;

/** Throws INVALID_ARG for texts that are no version. */
export function parseVersion(text: string): number {
  if (text === '') return ANY_VERSION;
  const digits = /^\s*([+-]?\d+)/.exec(text)?.[1];
  const value = digits === undefined ? undefined : BigInt(digits.replace('+', ''));
  if (value === undefined || value > MAX_INT64 || value < -MAX_INT64) {
    throw invalidArg(
      `failed to get model version from specified version string '${text}' (details: stol), ` +
        'version should be an integral value > 0',
    );
  }
  if (value < 0n) {
    throw invalidArg(`invalid model version specified '${text}' , version should be an integral value > 0`);
  }
  return Number(value);
}
