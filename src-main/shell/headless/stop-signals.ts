// What makes a server in the foreground stop: SIGINT and SIGTERM, once, further ones are ignored as in the reference;
// and the end of npm or of the launcher that it was started by, or of a program that started it with a message channel.

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
      process.on(signal, () => stop(`Signal (${os.constants.signals[signal]}) received.`));
    }
    parentChannel()?.onClose(() => stop(STARTER_GONE_TEXT));
    watchStarter(systemClock, environment, () => stop(STARTER_GONE_TEXT));
  });
}
