import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';

import { openSuiteShell } from './suite-process.ts';

let logFolder = '';
beforeEach(() => {
  logFolder = mkdtempSync(path.join(os.tmpdir(), 'conch-suite-'));
});
afterEach(() => rmSync(logFolder, { recursive: true, force: true }));

const told: string[] = [];
const open = () =>
  openSuiteShell({ name: 'one', cores: 1, logFolder, isShown: false, say: (text) => told.push(text) });

test('what programs print is kept, one behind the other, and their exit codes are told', async () => {
  const shell = open();
  expect(await shell.run(process.execPath, ['-e', 'console.log("out"); process.exit(3)'])).toBe(3);
  expect(await shell.run(process.execPath, ['-e', 'console.error("err")'])).toBe(0);
  expect(await shell.output()).toBe('out\nerr\n');
});

test('a program that a signal ends counts as failed, and the signal is said', async () => {
  expect(await open().run(process.execPath, ['-e', 'process.kill(process.pid, "SIGKILL")'])).toBe(1);
  expect(told).toEqual([`one: ${path.basename(process.execPath)} was ended by SIGKILL`]);
});

test('programs find the compiled code of those before, and what the suite sets counts', async () => {
  const shell = open();
  const tell = ['-e', 'console.log(process.env.NODE_COMPILE_CACHE)'];
  await shell.run(process.execPath, tell);
  await shell.run(process.execPath, tell, { NODE_COMPILE_CACHE: '/elsewhere' });
  expect((await shell.output()).split('\n')).toEqual([expect.stringMatching(/compiled$/), '/elsewhere', '']);
});
