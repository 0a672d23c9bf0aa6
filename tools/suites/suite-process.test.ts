import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';

import { openSuiteShell } from './suite-process.ts';
import type { SuiteShell } from './suite.ts';

let logFolder = '';
let told: string[] = [];
let shells: SuiteShell[] = [];

beforeEach(() => {
  logFolder = mkdtempSync(path.join(os.tmpdir(), 'conch-suites-'));
  told = [];
});
afterEach(async () => {
  for (const shell of shells.splice(0)) await shell.close();
  rmSync(logFolder, { recursive: true, force: true });
});

function open(): SuiteShell {
  const say = (text: string): void => void told.push(text);
  const shell = openSuiteShell({ name: 'one', cores: 1, logFolder, isShown: false, say });
  shells.push(shell);
  return shell;
}

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

test('what programs leave in their folder for temporary files goes with the suite, and is said', async () => {
  const shell = open();
  const leave = `
    const { mkdtempSync } = require('node:fs'), path = require('node:path'), os = require('node:os');
    for (const name of ['a-', 'a-', 'b-']) mkdtempSync(path.join(os.tmpdir(), name));
    process.stdout.write(os.tmpdir());`;
  await shell.run(process.execPath, ['-e', leave]);
  const folder = await shell.output();
  expect(path.dirname(folder)).toBe(os.tmpdir());
  expect(existsSync(folder)).toBe(true);
  await shell.close();
  shells = [];
  expect(existsSync(folder)).toBe(false);
  expect(told).toEqual(['one: left behind for temporary files: a-* (2), b-* (1)']);
});
