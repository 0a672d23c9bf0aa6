// Messages of the size limits that several routes share.

import type { ServerError } from '../../../src-shared/errors.ts';
import { invalidArg } from '../../../src-shared/errors.ts';

/** A JSON part or a whole JSON body above the limit. */
export function jsonTooLarge(byteSize: number, limit: number): ServerError {
  return invalidArg(
    `request JSON size of ${byteSize} bytes exceeds the maximum allowed input size of ${limit} bytes. Use --http-max-input-size to increase the limit.`,
  );
}
