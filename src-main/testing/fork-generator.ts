// Starts the load generator from the sources, as a shell starts it from a build.

import { fork } from 'node:child_process';

import type { ProcessSpawner } from '../base/process-spawner.ts';

/** Its processes answer on IPC and know nothing of a build; a test ends them with `kill`. */
export const forkGenerator: ProcessSpawner = {
  spawn: () => {
    const child = fork(new URL('./generator-entry.ts', import.meta.url), { serialization: 'advanced' });
    return {
      pid: child.pid,
      send: (message) => {
        if (child.connected) child.send(message as object, () => undefined);
      },
      onMessage: (listener) => void child.on('message', listener),
      onExit: (listener) =>
        void child.once('exit', (code) => listener({ code: code ?? undefined, detail: `exit code ${code}` })),
      kill: () => void child.kill(),
    };
  },
};
