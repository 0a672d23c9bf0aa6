// How many files and sockets this process may have open.

import { readFileSync } from 'node:fs';

/** What a system that does not say is taken to allow. */
const USUAL = 1024;

/** The limit of open descriptors, as Linux tells it; elsewhere a usual one. */
export function descriptorLimit(): number {
  try {
    const text = /^Max open files\s+(\w+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1];
    if (text === 'unlimited') return Infinity;
    return Number(text ?? USUAL) || USUAL;
  } catch {
    return USUAL;
  }
}
