// Whether a process still runs, for tests that end some. One that has ended stays listed until its parent asks about it,
// and where nobody does (a container whose first process takes no orphans) it stays for good: it does not run any more.

import { readFileSync } from 'node:fs';

const DEAD = /^[ZX]$/;

/** False for a pid that is not there, and for a process that has ended and that nobody has asked about yet. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    if (process.platform !== 'linux') return true;
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name before the state may hold blanks and brackets.
    return !DEAD.test(stat.slice(stat.lastIndexOf(')') + 2, stat.lastIndexOf(')') + 3));
  } catch {
    return false;
  }
}
