// How the headless parent starts other processes: this same program again, with a message channel.

import type { ChildProcess } from 'node:child_process';
import { fork } from 'node:child_process';

import { forkProgram } from '../../base/fork-program.ts';
import type { ProgramFile, SpawnedProcess } from '../../base/process-spawner.ts';
import type { FromEngine } from '../supervision/engine-messages.ts';
import type { EngineProcess } from '../supervision/engine-supervisor.ts';

/** First argument of an engine process; not a command for people. */
export const ENGINE_COMMAND = 'engine-process';

function ownProgram(): string {
  const program = process.argv[1];
  if (program === undefined) throw new Error('this process has no program file to start again');
  return program;
}

/** A message to a process that just ended is lost, which its exit reports. */
function post(child: ChildProcess, message: unknown): void {
  if (child.connected) child.send(message as object, () => undefined);
}

/** The engine as a child; its output is that of this process. */
export function forkEngine(): EngineProcess {
  const child = fork(ownProgram(), [ENGINE_COMMAND], {
    serialization: 'advanced',
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  });
  return {
    send: (message) => post(child, message),
    onMessage: (listener) => void child.on('message', (message) => listener(message as FromEngine)),
    onExit: (listener) =>
      void child.once('exit', (code, signal) => listener(code ?? undefined, signal ?? undefined)),
    kill: () => void child.kill('SIGKILL'),
  };
}

/** This program with other arguments, or a program file; see ProcessSpawner. */
export function spawnConch(args: readonly string[], file?: ProgramFile): SpawnedProcess {
  if (file !== undefined) return forkProgram(file, args, { keepsErrors: true });
  return forkProgram({ path: ownProgram(), environment: {} }, args, { keepsErrors: false });
}
