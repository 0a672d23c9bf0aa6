// Where the JSON part of a body ends and its binary tensors begin, as a header says it: leading digits count, as in C.

import type { ServerError } from '../../../src-shared/errors.ts';
import { httpErrors } from './http-errors.ts';

const MAX_INT32 = 2_147_483_647;

/** As the messages name it. */
export const INT32_RANGE = '[ -2147483648, 2147483647 ]';

interface LengthFaults {
  readonly noNumber: (got: string) => ServerError;
  readonly outOfRange: (got: string) => ServerError;
}

const V2_FAULTS: LengthFaults = {
  noNumber: (got) => httpErrors.headerLengthNoNumber({ got }),
  outOfRange: (got) => httpErrors.headerLengthRange({ range: INT32_RANGE, got }),
};

/** Bytes of the JSON part; 0 = raw request. Throws INVALID_ARG for a text that is no length within the body. */
export function jsonLengthIn(text: string, bodyByteSize: number, faults: LengthFaults = V2_FAULTS): number {
  const digits = /^\s*[+-]?\d+/.exec(text)?.[0];
  if (digits === undefined) throw faults.noNumber(text);
  const length = Number(digits);
  if (length > MAX_INT32 || length < -MAX_INT32 - 1) throw faults.outOfRange(text);
  if (length < 0 || length > bodyByteSize) throw httpErrors.headerLength({ limit: bodyByteSize, got: text });
  return length;
}
