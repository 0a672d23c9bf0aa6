// One program of a longer work: its lines as they come, its whole group of processes ended when the work is cancelled.

import { spawn } from 'node:child_process';
import readline from 'node:readline';

import { pythonSetupErrors } from './python-setup-errors.ts';

/** `onLine` gets lines of both outputs, without their ends. */
export interface Step {
  readonly program: string;
  readonly args: readonly string[];
  readonly signal: AbortSignal;
  readonly onLine: (line: string) => void;
  /** Variables that differ from the server's; undefined = removed. */
  readonly variables?: Readonly<Record<string, string | undefined>> | undefined;
}

const KEPT_LINES = 20;

/** Rejects with the signal's reason when cancelled, and with UNAVAILABLE and the program's last words when it failed. */
export async function runStep({ program, args, signal, onLine, variables }: Step): Promise<void> {
  signal.throwIfAborted();
  const isWindows = process.platform === 'win32';
  const child = spawn(program, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: !isWindows,
    windowsHide: true,
    env: { ...process.env, ...variables },
  });
  const end = (): void => {
    if (isWindows || child.pid === undefined) child.kill();
    else killGroup(child.pid);
  };
  signal.addEventListener('abort', end, { once: true });
  const last: string[] = [];
  for (const input of [child.stdout, child.stderr]) {
    readline.createInterface({ input }).on('line', (line) => {
      last.push(line);
      if (last.length > KEPT_LINES) last.shift();
      onLine(line);
    });
  }
  try {
    const code = await new Promise<number | null>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', resolve);
    });
    signal.throwIfAborted();
    if (code !== 0)
      throw pythonSetupErrors.stepFailed({
        reason: lastWords(last, `${program} ended with code ${String(code)}`),
      });
  } finally {
    signal.removeEventListener('abort', end);
  }
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It ended by itself meanwhile.
  }
}

/** The line that says what was wrong, else the last one. */
function lastWords(lines: readonly string[], fallback: string): string {
  const said = lines.filter((line) => line.trim() !== '');
  return said.findLast((line) => /error/i.test(line)) ?? said.at(-1) ?? fallback;
}
