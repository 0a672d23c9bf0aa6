// The token of the window's port. Who may connect at all is the origin guard's business, as on every HTTP port.

import { timingSafeEqual } from 'node:crypto';

/** Compares without telling by its time how much was right. An empty token matches nothing. */
export function isToken(given: string | null | undefined, token: string): boolean {
  const a = Buffer.from(given ?? '');
  const b = Buffer.from(token);
  return a.length === b.length && b.length > 0 && timingSafeEqual(a, b);
}
