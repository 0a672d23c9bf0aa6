// How the headless parent starts other processes: this same program again, with a message channel.

import type { ChildProcess } from 'node:child_process';
import { fork } from 'node:child_process';

import type { SpawnedProcess } from '../../base/process-spawner.ts';
import type { FromEngine } from '../supervision/engine-messages.ts';
import type { EngineProcess } from '../supervision/engine-supervisor.ts';

/** First argument of an engine process; not a command for people. */
export const ENGINE_COMMAND = 'engine-process';

function forkSelf(args: readonly string[], stdio: 'inherit' | 'ignore'): ChildProcess {
  const program = process.argv[1];
  if (program === undefined) throw new Error('this process has no program file to start again');
  return fork(program, [...args], { serialization: 'advanced', stdio: [stdio, stdio, stdio, 'ipc'] });
}

/** A message to a process that just ended is lost, which its exit reports. */
function post(child: ChildProcess, message: unknown): void {
  if (child.connected) child.send(message as object, () => undefined);
}

export function forkEngine(): EngineProcess {
  const child = forkSelf([ENGINE_COMMAND], 'inherit');
  return {
    send: (message) => post(child, message),
    onMessage: (listener) => void child.on('message', (message) => listener(message as FromEngine)),
    onExit: (listener) =>
      void child.once('exit', (code, signal) => listener(code ?? undefined, signal ?? undefined)),
    kill: () => void child.kill('SIGKILL'),
  };
}

export function spawnConch(args: readonly string[]): SpawnedProcess {
  const child = forkSelf(args, 'ignore');
  return {
    get pid() {
      return child.pid;
    },
    send: (message) => post(child, message),
    onMessage: (listener) => void child.on('message', listener),
    onExit: (listener) =>
      void child.once('exit', (code, signal) =>
        listener({
          code: code ?? undefined,
          detail: signal === null ? `exit code ${code}` : `signal ${signal}`,
        }),
      ),
    kill: () => void child.kill(child.killed ? 'SIGKILL' : 'SIGTERM'),
  };
}
