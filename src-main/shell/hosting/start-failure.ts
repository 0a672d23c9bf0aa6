// What the reference prints when a server cannot be created, and when an endpoint cannot start.

import { STATUS_WORDS, toServerError } from '../../../src-shared/errors.ts';

/** One line, without a line end. */
export function startFailureText(thrown: unknown): string {
  const { code, message } = toServerError(thrown);
  if (message.startsWith('failed to start ')) return message;
  return `error: creating server: ${STATUS_WORDS[code]} - ${message}`;
}
