// The shell of a suite: runs programs and keeps what they print in a log. A suite that runs alone is shown as it goes. Its
// programs have a folder of their own for temporary files, which goes with the suite however it ended.

import { spawn } from 'node:child_process';
import { createWriteStream, mkdtempSync, writeFileSync } from 'node:fs';
import { readdir, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
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
  /** One line for whoever watches, without its end. */
  say(text: string): void;
}

/** The variables that tell programs where temporary files go, on all systems. */
function temporaryFilesIn(folder: string): Readonly<Record<string, string>> {
  return { TMPDIR: folder, TMP: folder, TEMP: folder };
}

/** What was left in a folder, "conch-e2e-* (3)" for names that differ in what was drawn at random. */
async function leftIn(folder: string): Promise<readonly string[]> {
  const counts = new Map<string, number>();
  for (const name of (await readdir(folder)).sort()) {
    const known = name.replace(/(?<=[-._])[A-Za-z0-9]{6}$/, '*');
    counts.set(known, (counts.get(known) ?? 0) + 1);
  }
  return [...counts].map(([name, count]) => `${name} (${count})`);
}

/** Begins a new log. `run` resolves when the program has ended, and rejects when it cannot be started. */
export function openSuiteShell({ name, cores, logFolder, isShown, say }: ShellOptions): SuiteShell {
  const logFile = path.join(logFolder, `${name}.log`);
  writeFileSync(logFile, '');
  const temporary = mkdtempSync(path.join(os.tmpdir(), 'conch-suite-'));
  return {
    cores,
    say,
    close: async () => {
      const left = await leftIn(temporary);
      if (left.length > 0) say(`${name}: left behind for temporary files: ${left.join(', ')}`);
      await rm(temporary, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    },
    output: () => readFile(logFile, 'utf8'),
    run: async (command, args, environment = {}) => {
      const child = spawn(command, args, {
        cwd: root,
        env: childEnvironment({ ...COMPILED, ...temporaryFilesIn(temporary), ...environment }),
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
