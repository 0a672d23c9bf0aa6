// Asks a question in a process of its own, which ends with its answer. One that ends without it, or not in time, has
// given an answer too: why.

import { fileURLToPath } from 'node:url';

import { systemClock } from '../../base/clock.ts';
import { forkProgram } from '../../base/fork-program.ts';
import type { ProcessSpawner } from '../../base/process-spawner.ts';

/** What a process that has answered may still write to its standard error, before it is ended. */
const LAST_WORDS_MS = 250;

/** What a process of its own is to find out, and within what time. */
export interface Question {
  /** Where the code of the process lies. */
  readonly entry: URL;
  readonly argument: string;
  /** Milliseconds. */
  readonly limitMs: number;
  /** Set in its environment besides that of this process. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** What became of such a process. */
export interface ProcessAnswer<Answer> {
  /** What it sent; undefined when it sent nothing. */
  readonly answer: Answer | undefined;
  /** Why there is no answer, as a sentence: "It ended its process (signal SIGSEGV)." */
  readonly failure: string;
  /** The end of what it wrote to its standard error. */
  readonly said: string;
}

let spawner: ProcessSpawner = {
  spawn: (args, file) => {
    if (file === undefined) throw new Error('only program files are started here');
    return forkProgram(file, args, { keepsErrors: true });
  },
};

/** From now on such processes are started by the shell. In the packaged app this program itself is no Node. */
export function askThrough(shell: ProcessSpawner): void {
  spawner = shell;
}

/** Rejects only when aborted; the process is killed then. */
export function askProcess<Answer>(
  { entry, argument, limitMs, environment = {} }: Question,
  signal: AbortSignal,
): Promise<ProcessAnswer<Answer>> {
  signal.throwIfAborted();
  const child = spawner.spawn([argument], { path: fileURLToPath(entry), environment });
  const kill = (): void => {
    child.kill();
    child.kill();
  };
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      kill();
      reject(signal.reason as Error);
    };
    let answer: Answer | undefined;
    let failure: string | undefined;
    let limit = systemClock.after(limitMs, () => {
      failure = `It did not answer within ${limitMs / 1000} s.`;
      kill();
    });
    signal.addEventListener('abort', abort, { once: true });
    child.onMessage((message) => {
      answer = message as Answer;
      limit.cancel();
      limit = systemClock.after(LAST_WORDS_MS, kill);
    });
    child.onExit(({ detail, said = '' }) => {
      limit.cancel();
      signal.removeEventListener('abort', abort);
      resolve({ answer, said, failure: failure ?? `It ended its process (${detail}).` });
    });
  });
}
