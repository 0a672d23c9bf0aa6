// Asks a program of the system one question. A machine without the program costs one failed start.

import { execFile } from 'node:child_process';

const LIMIT_MS = 10_000;

/** Standard output; rejects where the program is missing, fails, or takes longer than ten seconds. */
export type RunTool = (program: string, args: readonly string[]) => Promise<string>;

/**
 * Resolves with what the program printed to its standard output. Rejects when there is no such program, it
 * fails, or it takes too long.
 */
export const runTool: RunTool = (program, args) =>
  new Promise((resolve, reject) => {
    execFile(program, [...args], { timeout: LIMIT_MS, windowsHide: true }, (error, output) => {
      if (error === null) resolve(output);
      else reject(error);
    });
  });
