// Resident memory of another process, as the system tells it: from /proc on Linux, from `ps` on macOS. Windows has no
// quick way without native code; there it is not known.

import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';

const PATIENCE_MS = 2000;

/** Bytes; undefined when the process is gone or the system does not tell. Never throws. */
export async function residentBytesOf(pid: number): Promise<number | undefined> {
  if (process.platform === 'linux') {
    const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
    return kibibytes(/^VmRSS:\s*(\d+) kB$/m.exec(status)?.[1]);
  }
  if (process.platform === 'win32') return undefined;
  return new Promise((resolve) => {
    execFile('ps', ['-o', 'rss=', '-p', String(pid)], { timeout: PATIENCE_MS }, (_error, stdout) =>
      resolve(kibibytes(stdout.trim())),
    );
  });
}

function kibibytes(text: string | undefined): number | undefined {
  const count = Number(text);
  return text === undefined || text === '' || !Number.isFinite(count) ? undefined : count * 1024;
}
