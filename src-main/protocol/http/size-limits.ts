// Messages of the size limits that several routes share.

import type { ServerError } from '../../../src-shared/errors.ts';
import { httpErrors } from './http-errors.ts';

/** Bodies above this size are refused before they are read, when their model cannot take them. */
export const EARLY_CHECK_BYTES = 1024 * 1024;

/** A JSON part or a whole JSON body above the limit. */
export function jsonTooLarge(byteSize: number, limit: number): ServerError {
  return httpErrors.jsonTooLarge({ size: byteSize, limit });
}
