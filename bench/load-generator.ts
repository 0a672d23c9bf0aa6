// Starts the load process and hands it one job at a time.

import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';

import type { LoadJob, LoadReply, LoadResult } from './load-protocol.ts';

/** One job at a time; the process lives until it is closed. */
export class LoadGenerator {
  readonly #child: ChildProcess;

  constructor() {
    this.#child = fork(new URL('./load-process.ts', import.meta.url));
  }

  /** Runs one job. Rejects when a request fails or the server closes a connection. */
  async run(job: Omit<LoadJob, 'messageBase64'> & { readonly message: Buffer }): Promise<LoadResult> {
    const { message, ...rest } = job;
    const full: LoadJob = { ...rest, messageBase64: message.toString('base64') };
    this.#child.send(full);
    const [reply] = (await once(this.#child, 'message')) as [LoadReply];
    if ('error' in reply) throw new Error(`load generator: ${reply.error}`);
    return reply.result;
  }

  /** Kills the process, with the job it may have. */
  close(): void {
    this.#child.kill();
  }
}
