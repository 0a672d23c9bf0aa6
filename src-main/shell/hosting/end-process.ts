// The end of a process that serves. `process.exit()` waits for worker threads and for file operations that have begun;
// native code that never returns, or a read of a pipe that nobody writes, would hold the process for ever.

import { systemClock } from '../../base/clock.ts';

/** Work of Node's own thread pool, which `process.exit()` waits for. */
const POOL_WORK = /^(?:FS|GetAddrInfo|GetNameInfo|Zlib|Crypto|\w+Request$)/;

/** The output streams get this long to take what was written. */
const FLUSH_LIMIT_MS = 500;

async function flush(stream: NodeJS.WriteStream): Promise<void> {
  await new Promise<void>((resolve) => {
    systemClock.after(FLUSH_LIMIT_MS, resolve);
    stream.write('', () => resolve());
  });
}

/**
 * Puts a process that only exits with `exitCode` in the place of this one, which ends all threads whatever they do. Where
 * that cannot be had the process kills itself: exit code 1 on Windows, signal SIGKILL elsewhere.
 */
function endByForce(exitCode: number): void {
  const node = process.execPath;
  // Electron's binary is no Node; the process above it was told the code before.
  if (process.versions['electron'] === undefined && typeof process.execve === 'function') {
    try {
      process.execve(node, [node, '--eval', `process.exit(${exitCode})`], {});
    } catch {
      // Not on this platform, or the program file is gone.
    }
  }
  process.kill(process.pid, 'SIGKILL');
}

/**
 * Ends this process at once, after its output was taken. `isStuck` = something of it did not end in time; what Node
 * itself would wait for is found without it.
 */
export async function endProcess(exitCode: number, isStuck: boolean): Promise<void> {
  process.exitCode = exitCode;
  await Promise.all([flush(process.stdout), flush(process.stderr)]);
  if (isStuck || process.getActiveResourcesInfo().some((name) => POOL_WORK.test(name))) endByForce(exitCode);
  process.exit();
}

/**
 * What nobody handled ends the process, so that it is started anew, whole. Node does so by itself; Electron's utility
 * processes only warn from version 37 on.
 */
export function endOnUnhandledRejection(): void {
  process.on('unhandledRejection', (reason) => {
    throw reason;
  });
}
