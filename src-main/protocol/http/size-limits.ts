// Messages of the size limits that several routes share.

import type { ServerError } from '../../../src-shared/errors.ts';
import { httpErrors } from './http-errors.ts';

/** A JSON part or a whole JSON body above the limit. */
export function jsonTooLarge(byteSize: number, limit: number): ServerError {
  return httpErrors.jsonTooLarge({ size: byteSize, limit });
}
