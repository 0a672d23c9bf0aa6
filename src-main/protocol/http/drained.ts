// Waiting for a slow reader of an answer that is written in parts.

import type { ServerResponse } from 'node:http';

/** Resolves when what was written has left, or never will because the client has gone. */
export function drained(res: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      res.off('drain', done);
      res.off('close', done);
      resolve();
    };
    res.on('drain', done);
    res.on('close', done);
  });
}
