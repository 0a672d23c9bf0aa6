// A file that cannot be read, in the words operators know: the path, and the system's own text for the fault.

import { getSystemErrorMap } from 'node:util';
import { ServerError } from '../../src-shared/errors.ts';
import { limitErrors } from './limit-errors.ts';

/**
 * INTERNAL `failed to open text file for read <path>: <text of the system>`. What is one of our own errors already
 * (a named pipe, a file that is too large) says its path itself and passes.
 */
export function readError(file: string, thrown: unknown): ServerError {
  if (thrown instanceof ServerError) return thrown;
  return limitErrors.unreadable({ file, reason: systemText(thrown) }, { cause: thrown });
}

/**
 * "No such file or directory" where Node says "ENOENT: no such file or directory, open '...'"; the message as it is when
 * it is none of the system.
 */
export function systemText(thrown: unknown): string {
  const { code, errno, message } = thrown as NodeJS.ErrnoException;
  if (code === 'EISDIR') return 'Is a directory';
  if (errno === undefined) return message;
  // `getSystemErrorMessage` says the same, but not before Node 22.12.
  const [, text] = getSystemErrorMap().get(errno) ?? ['', message];
  return text.charAt(0).toUpperCase() + text.slice(1);
}
