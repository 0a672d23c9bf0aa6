// The shell of a suite: runs programs and keeps what they print in a log. A suite that runs alone is shown as it goes.

import { spawn } from 'node:child_process';
import { createWriteStream, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { finished } from 'node:stream/promises';

import { childEnvironment, root } from '../bootstrap.mjs';
import type { SuiteShell } from './suite.ts';

/**
 * Where Node keeps the code it has compiled. Suites start hundreds of processes from the sources, and taking the types out
 * and compiling what is left is more than half of the work of such a start.
 */
const COMPILED = { NODE_COMPILE_CACHE: path.join(root, '.cache', 'compiled') };

/** `cores`: how many the suite may use. `isShown`: what it prints is shown as well as kept. */
export interface ShellOptions {
  readonly name: string;
  readonly cores: number;
  readonly logFolder: string;
  readonly isShown: boolean;
  say(text: string): void;
}

/** Begins a new log. `run` resolves when the program has ended, and rejects when it cannot be started. */
export function openSuiteShell({ name, cores, logFolder, isShown, say }: ShellOptions): SuiteShell {
  const logFile = path.join(logFolder, `${name}.log`);
  writeFileSync(logFile, '');
  return {
    cores,
    say,
    output: () => readFile(logFile, 'utf8'),
    run: async (command, args, environment = {}) => {
      const child = spawn(command, args, {
        cwd: root,
        env: childEnvironment({ ...COMPILED, ...environment }),
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      const log = createWriteStream(logFile, { flags: 'a' });
      for (const stream of [child.stdout, child.stderr]) {
        stream.on('data', (bytes: Buffer) => {
          log.write(bytes);
          if (isShown) process.stderr.write(bytes);
        });
      }
      const stop = (): void => void child.kill('SIGTERM');
      process.once('SIGTERM', stop);
      const { code, signal } = await new Promise<{ code: number | null; signal: string | null }>(
        (resolve, reject) => {
          child.once('error', reject);
          child.once('close', (code, signal) => resolve({ code, signal }));
        },
      ).finally(() => process.off('SIGTERM', stop));
      log.end();
      await finished(log);
      if (signal !== null) say(`${name}: ${path.basename(command)} was ended by ${signal}`);
      return code ?? 1;
    },
  };
}
