// What left this machine: requests of the window, and connections of the processes behind it.

import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

const hook = pathToFileURL(path.join(import.meta.dirname, 'record-connections.ts')).href;

/**
 * What goes to this machine itself is left out. Processes note connections as they begin, whether they succeed
 * or not.
 */
export class Outgoing {
  readonly #file: string;
  readonly #requests: string[] = [];

  /** `file` is written by the processes that get `env`. */
  constructor(file: string) {
    this.#file = file;
  }

  /** For the processes whose connections are to be noted; children of theirs inherit it. */
  get env(): Readonly<Record<string, string>> {
    const given = process.env['NODE_OPTIONS'] ?? '';
    return { NODE_OPTIONS: `${given} --import=${hook}`.trim(), CONCH_TEST_OUTGOING: this.#file };
  }

  /** To be called with the URL of every request that the window makes. */
  readonly onRequest = (url: string): void => {
    this.#requests.push(url);
  };

  /** Every address the window asked for. */
  get requests(): readonly string[] {
    return this.#requests;
  }

  /** Those that lead off this machine. */
  get foreignRequests(): readonly string[] {
    return this.#requests.filter((url) => {
      const { protocol, hostname } = new URL(url);
      const isInside = ['data:', 'blob:', 'conch:', 'devtools:'].includes(protocol);
      return !isInside && !/^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
    });
  }

  async #lines(): Promise<readonly string[]> {
    return (await readFile(this.#file, 'utf8').catch(() => '')).split('\n').filter((line) => line !== '');
  }

  /** Command lines of the processes that were watched. */
  async watched(): Promise<readonly string[]> {
    return (await this.#lines()).filter((line) => line.startsWith('watching '));
  }

  /** What the processes did beyond loopback. */
  async connections(): Promise<readonly string[]> {
    return (await this.#lines()).filter((line) => !line.startsWith('watching '));
  }

  /** Runs a script under the same watch, to see that it would notice. */
  async runWatched(script: string): Promise<void> {
    await promisify(execFile)(process.execPath, ['-e', script], { env: { ...process.env, ...this.env } });
  }
}
