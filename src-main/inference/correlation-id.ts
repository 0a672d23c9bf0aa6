// Texts that name a sequence: how long they may be, whichever way a request comes.

import { inputErrors } from './input-errors.ts';

/** In bytes of UTF-8. */
const MAX_LENGTH = 128;

/** The text itself. UNSUPPORTED where it is longer than 128 bytes. */
export function checkedCorrelationId(text: string): string {
  const mayBeLong = text.length * 3 > MAX_LENGTH;
  if (mayBeLong && Buffer.byteLength(text) > MAX_LENGTH)
    throw inputErrors.correlationLength({ limit: MAX_LENGTH });
  return text;
}
