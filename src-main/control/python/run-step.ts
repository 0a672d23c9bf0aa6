// One program of a longer work: its lines as they come, its whole group of processes ended when the work is cancelled.

import { spawn } from 'node:child_process';
import readline from 'node:readline';
import { stripVTControlCharacters } from 'node:util';

import type { ServerError } from '../../../src-shared/errors.ts';
import { lastWords } from './last-words.ts';

/** `onLine` gets lines of both outputs, without their ends and colours. */
export interface Step {
  readonly program: string;
  readonly args: readonly string[];
  readonly signal: AbortSignal;
  /** Called before the program is started. */
  readonly onStart?: () => void;
  /** Called while the program runs, in the order in which each output was printed. */
  readonly onLine: (line: string) => void;
  /** What is thrown when it fails: its last words, and the last lines that it printed. */
  readonly failure: (reason: string, output: string) => ServerError;
  /** Variables that differ from the server's; undefined = removed. */
  readonly variables?: Readonly<Record<string, string | undefined>> | undefined;
}

const KEPT_LINES = 60;

/** Rejects with the signal's reason when cancelled, and with what `failure` makes of it when the program failed. */
export async function runStep(step: Step): Promise<void> {
  const { program, args, signal, onLine, variables } = step;
  signal.throwIfAborted();
  step.onStart?.();
  const isWindows = process.platform === 'win32';
  const child = spawn(program, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: !isWindows,
    windowsHide: true,
    env: { ...process.env, ...variables },
  });
  const kill = (): void => {
    if (isWindows || child.pid === undefined) child.kill();
    else killGroup(child.pid);
  };
  signal.addEventListener('abort', kill, { once: true });
  const last: string[] = [];
  for (const input of [child.stdout, child.stderr]) {
    readline.createInterface({ input }).on('line', (printed) => {
      // Colours come even without a terminal where variables ask for them.
      const line = stripVTControlCharacters(printed);
      last.push(line);
      if (last.length > KEPT_LINES) last.shift();
      onLine(line);
    });
  }
  try {
    const end = await new Promise<Ending>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (code, killer) => resolve({ code, killer }));
    });
    signal.throwIfAborted();
    if (end.code !== 0) throw step.failure(whyEnded(program, end, last), last.join('\n'));
  } finally {
    signal.removeEventListener('abort', kill);
  }
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It ended by itself meanwhile.
  }
}

interface Ending {
  readonly code: number | null;
  readonly killer: NodeJS.Signals | null;
}

/** A program that was killed had no last words: what it printed before is no reason. */
function whyEnded(program: string, { code, killer }: Ending, lines: readonly string[]): string {
  if (killer === 'SIGKILL')
    return `${program} was killed, as systems do with the largest program when memory runs out`;
  if (killer !== null) return `${program} was ended by ${killer}`;
  return lastWords(lines, `${program} ended with code ${String(code)}`);
}
