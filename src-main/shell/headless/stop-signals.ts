// SIGINT and SIGTERM start the graceful stop once; further ones are ignored, as in the reference.

import os from 'node:os';

/** Resolves with the first signal; `announce` gets the line to print. */
export function firstStopSignal(announce: (line: string) => void): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    let isStopping = false;
    const handle = (signal: NodeJS.Signals): void => {
      if (isStopping) return;
      isStopping = true;
      announce(`Signal (${os.constants.signals[signal]}) received.`);
      resolve(signal);
    };
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, handle);
  });
}
