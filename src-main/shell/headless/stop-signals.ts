// What signals do to a server in the foreground. SIGINT and SIGTERM stop it, further ones are only told, as in the
// reference; so does the end of npm or of the launcher that it was started by, or of a program that started it with a
// message channel. SIGUSR1 ends it at once, as any program: Node.js would open a port for a debugger. SIGUSR2 does nothing.

import os from 'node:os';

import { systemClock } from '../../base/clock.ts';
import { parentChannel } from '../../base/parent-channel.ts';
import type { Environment } from '../../options/serve-draft.ts';
import { STARTER_GONE_TEXT, watchStarter } from '../hosting/starter-watch.ts';

/** Resolves with the first reason to stop; `announce` gets the line to print. */
export function firstStopRequest(environment: Environment, announce: (line: string) => void): Promise<void> {
  return new Promise((resolve) => {
    let isStopping = false;
    const stop = (line: string): void => {
      if (isStopping) return;
      isStopping = true;
      announce(line);
      resolve();
    };
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.on(signal, () => {
        const line = `Signal (${os.constants.signals[signal]}) received.`;
        if (isStopping) announce(line);
        else stop(line);
      });
    }
    // Gone before it is sent again, so that the system acts on it.
    process.once('SIGUSR1', () => process.kill(process.pid, 'SIGUSR1'));
    process.on('SIGUSR2', () => {});
    parentChannel()?.onClose(() => stop(STARTER_GONE_TEXT));
    watchStarter(systemClock, environment, () => stop(STARTER_GONE_TEXT));
  });
}
