// How many parts a request may have. The reference has no such limits; these lie far above what any client sends, and
// keep what one request can cost the event loop, after its bytes were read elsewhere, within tens of milliseconds.

import type { ServerError } from '../../src-shared/errors.ts';
import { limitErrors } from './limit-errors.ts';

/** Inputs, outputs, or parameters in one place. */
const MAX_PARTS = 65_536;
/** Dimensions of one tensor. */
export const MAX_DIMS = 1024;

/** Files of one load call; each is written before the model is looked at. */
const MAX_FILES = 4096;
/** Fields of one gRPC request besides the elements of its tensors. */
const MAX_FIELDS = 1_000_000;

/** Throws INVALID_ARG for too many of something. `what`: "inputs", "parameters", ... */
export function checkPartCount(what: string, count: number): void {
  if (count > MAX_PARTS) throw tooMany(`request has ${count} ${what}`, MAX_PARTS);
}

/** Throws INVALID_ARG for a load call with too many files. */
export function checkFileCount(count: number): void {
  if (count > MAX_FILES) throw tooMany(`load request has ${count} files`, MAX_FILES);
}

/** Throws INVALID_ARG for a gRPC request of too many fields. */
export function checkFieldCount(count: number): void {
  if (count > MAX_FIELDS) throw tooMany(`request has at least ${count} fields`, MAX_FIELDS);
}

/** Throws INVALID_ARG for a shape of too many dimensions. */
export function checkDimCount(inputName: string, count: number): void {
  if (count > MAX_DIMS) throw limitErrors.dimensions({ name: inputName, limit: MAX_DIMS });
}

function tooMany(found: string, limit: number): ServerError {
  return limitErrors.tooMany({ found, limit });
}
