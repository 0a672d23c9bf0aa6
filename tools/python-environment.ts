// A Python environment of our own below `.cache`, filled from PyPI once. Where Python or PyPI is missing the reason is
// told instead, so that callers can skip.

import { spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '..');
const INSTALL_LIMIT_MS = 600_000;

/** The environment's interpreter and folder, or why there is none. */
export type PythonEnvironment =
  | { readonly python: string; readonly folder: string }
  | { readonly missing: string };

/** How a command ended. */
export interface Finished {
  readonly code: number;
  /** Both streams. */
  readonly output: string;
}

/** Runs a command to its end; code 127 when it cannot be started. `echo` also shows the output as it comes. */
export function runProgram(
  command: string,
  args: readonly string[],
  options: { readonly env?: NodeJS.ProcessEnv; readonly limitMs?: number; readonly echo?: boolean } = {},
): Promise<Finished> {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd: root,
      env: options.env ?? process.env,
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: options.limitMs ?? INSTALL_LIMIT_MS,
      killSignal: 'SIGKILL',
    });
    let output = '';
    const read = (chunk: Buffer): void => {
      output += chunk.toString();
      if (options.echo === true) process.stdout.write(chunk);
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.once('error', (error) => resolve({ code: 127, output: error.message }));
    child.once('close', (code) => resolve({ code: code ?? 1, output }));
  });
}

/** `name` is the folder below `.cache`; `packages` as pip reads them. A changed list is installed anew. */
export async function pythonEnvironment(
  name: string,
  packages: readonly string[],
): Promise<PythonEnvironment> {
  const folder = path.join(root, '.cache', name);
  const python = path.join(folder, 'bin', 'python');
  const record = path.join(folder, 'installed.txt');
  const wanted = packages.join('\n');
  if (existsSync(record) && readFileSync(record, 'utf8') === wanted) return { python, folder };
  const made = await runProgram('python3', ['-m', 'venv', folder]);
  if (made.code !== 0)
    return { missing: `python3 cannot make an environment here: ${lastLine(made.output)}` };
  const installed = await runProgram(python, [
    '-m',
    'pip',
    'install',
    '--quiet',
    '--disable-pip-version-check',
    ...packages,
  ]);
  if (installed.code !== 0)
    return { missing: `${packages.join(', ')} cannot be installed: ${lastLine(installed.output)}` };
  writeFileSync(record, wanted);
  return { python, folder };
}

function lastLine(text: string): string {
  return text.trim().split('\n').at(-1) ?? '';
}
