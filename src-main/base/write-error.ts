// A file that cannot be written because the disk is full, in words that say which file, where, and what to do.

import path from 'node:path';

import { writeErrors } from './write-errors.ts';

/** No block is left, or none for this user. */
const FULL: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT']);

/**
 * UNAVAILABLE for what a full disk made fail; whatever else was thrown comes back as it is. `file` is what was to be
 * there at the end; without it the system's own path is named, if it tells one.
 */
export function writeError(thrown: unknown, file?: string): unknown {
  if (!(thrown instanceof Error)) return thrown;
  const { code, path: source, dest } = thrown as NodeJS.ErrnoException & { readonly dest?: string };
  if (!FULL.has(code)) return thrown;
  const target = file ?? dest ?? source;
  if (target === undefined) return writeErrors.fullSomewhere({ cause: thrown });
  return writeErrors.full({ file: path.basename(target), folder: path.dirname(target) }, { cause: thrown });
}
