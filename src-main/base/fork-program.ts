// A program of ours as a Node process with a message channel.

import { fork } from 'node:child_process';

import type { ProcessEnd, ProgramFile, SpawnedProcess } from './process-spawner.ts';
import { exitCodeText } from './exit-text.ts';

/** Characters kept of what a program file writes to its standard error. */
const MAX_SAID = 65_536;

/**
 * `keepsErrors`: the end tells what it wrote to its standard error. `isDetached`: an interrupt at the terminal does not
 * reach it. A message to a process that has ended is lost.
 */
export function forkProgram(
  { path, environment }: ProgramFile,
  args: readonly string[],
  { keepsErrors, isDetached = false }: { readonly keepsErrors: boolean; readonly isDetached?: boolean },
): SpawnedProcess {
  const child = fork(path, [...args], {
    env: { ...process.env, ...environment },
    detached: isDetached,
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', keepsErrors ? 'pipe' : 'ignore', 'ipc'],
  });
  let said = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (said = (said + text).slice(-MAX_SAID)));
  const ended = new Promise<ProcessEnd>((resolve) => {
    child.once('error', (error) => resolve({ code: undefined, detail: error.message, said }));
    // After its standard error was read to the end.
    child.once('close', (code, signal) => {
      const detail = signal === null ? exitCodeText(code) : `signal ${signal}`;
      resolve({ code: code ?? undefined, detail, said });
    });
  });
  return {
    get pid() {
      return child.pid;
    },
    send: (message) => {
      if (child.connected) child.send(message as object, () => undefined);
    },
    onMessage: (listener) => void child.on('message', listener),
    onExit: (listener) => void ended.then(listener),
    kill: () => void child.kill(child.killed ? 'SIGKILL' : 'SIGTERM'),
  };
}
