// The end of a process, tried with real ones.

import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';

const LIMIT_MS = 15_000;

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'conch-end-'));
});

afterEach(() => rm(folder, { recursive: true, force: true }));

/** How a process ends that runs `code` and then ends itself with 3. */
async function endOf(code: string, isStuck: boolean): Promise<unknown> {
  const module = path.join(import.meta.dirname, 'end-process.ts');
  const source = `${code}
    const { endProcess } = await import(${JSON.stringify(module)});
    process.stdout.write('said before\\n');
    await endProcess(3, ${isStuck});`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', source], {
    timeout: LIMIT_MS,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const [exitCode, signal] = (await once(child, 'close')) as [number | null, string | null];
  return { exitCode, signal, output };
}

const ENDED = { exitCode: 3, signal: null, output: 'said before\n' };

test('a process with nothing left ends with its code, and its output is whole', async () => {
  expect(await endOf('', false)).toEqual(ENDED);
});

test.skipIf(process.platform === 'win32')('a file operation that never ends does not hold it', async () => {
  const pipe = path.join(folder, 'pipe');
  execFileSync('mkfifo', [pipe]);
  const read = `import { open } from 'node:fs/promises'; void open(${JSON.stringify(pipe)});`;
  expect(await endOf(read, false)).toEqual(ENDED);
});

test.skipIf(process.platform === 'win32')('what is said to be stuck is left behind, code kept', async () => {
  expect(await endOf('', true)).toEqual(ENDED);
});

test('what nobody handled ends a process that would only warn', async () => {
  const module = path.join(import.meta.dirname, 'end-process.ts');
  const source = `const { endOnUnhandledRejection } = await import(${JSON.stringify(module)});
    endOnUnhandledRejection();
    void Promise.reject(new Error('lost'));
    setTimeout(() => process.exit(0), 5000);`;
  const args = ['--unhandled-rejections=warn', '--input-type=module', '--eval', source];
  const child = spawn(process.execPath, args, { timeout: LIMIT_MS, stdio: ['ignore', 'ignore', 'pipe'] });
  let output = '';
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const [exitCode] = (await once(child, 'close')) as [number | null];
  expect([exitCode, output]).toEqual([1, expect.stringContaining('lost')]);
});
