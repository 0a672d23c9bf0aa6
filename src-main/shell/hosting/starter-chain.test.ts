// Whose end a server follows, by made-up process tables.

import { expect, test } from 'vitest';

import { readProcess, starterChain } from './starter-chain.ts';

const NPM = { npm_execpath: '/usr/lib/node_modules/npm/bin/npm-cli.js' };

/** Processes 10 (ours), 9 (its parent), 8, ...; "elsewhere:" in front of one puts it into another session. */
function chainOf(environment: Record<string, string>, ...commands: readonly (readonly string[])[]) {
  const self = 10;
  return starterChain(environment, self, (pid) => {
    const command = pid === self ? ['node', 'conch.mjs', 'serve'] : commands[self - 1 - pid];
    if (command === undefined) return undefined;
    const isDetached = command[0] === 'elsewhere:';
    return { parent: pid - 1, session: isDetached ? 2 : 1, command: isDetached ? command.slice(1) : command };
  });
}

test.each([
  [
    'npm exec with its shell',
    NPM,
    [['sh', '-c', "'conch' serve"], ['npm exec conch serve'], ['bash']],
    [9, 8],
  ],
  ['npm run, shell replaced', NPM, [['npm run serve'], ['-bash']], [9]],
  ['npx as a script', NPM, [['node', '/usr/bin/npx', 'conch'], ['zsh']], [9]],
  [
    'npm start and our launcher',
    { ...NPM, CONCH_LAUNCHERS: '9' },
    [['node', 'tools/start.mjs'], ['sh', '-c', 'node tools/start.mjs'], ['npm start'], ['bash']],
    [9, 8, 7],
  ],
  [
    'npm below another npm',
    NPM,
    [['npm run inner'], ['sh', '-c', 'npm run inner'], ['npm run outer'], ['bash']],
    [9, 8, 7],
  ],
  [
    'our launcher, which gives it a session of its own',
    { ...NPM, CONCH_LAUNCHERS: '9' },
    [
      ['elsewhere:', 'node', 'tools/start.mjs'],
      ['elsewhere:', 'sh', '-c', 'node tools/start.mjs'],
      ['elsewhere:', 'npm start'],
      ['bash'],
    ],
    [9, 8, 7],
  ],
  ['our launcher alone', { CONCH_LAUNCHERS: '9' }, [['node', 'bin/conch.mjs'], ['npm start']], [9]],
  ["a user's shell", {}, [['bash']], []],
  ["a user's shell that an npm script opened", NPM, [['bash'], ['npm run terminal']], []],
  ['a program that npm runs', NPM, [['node', 'server.js'], ['npm start']], []],
  ['a shell without a runner above it', NPM, [['sh', '-c', 'conch serve'], ['cron']], []],
  ['put into the background', NPM, [['sh', '-c', 'conch serve &'], ['npm run serve']], []],
  ['with nohup', NPM, [['sh', '-c', 'nohup conch serve > log'], ['npm run serve']], []],
  ['with setsid', NPM, [['elsewhere:', 'sh', '-c', 'conch serve'], ['npm run serve']], []],
  ['several commands', NPM, [['sh', '-c', 'build && conch serve'], ['npm run serve']], [9, 8]],
])('%s', (_, environment, commands, expected) => {
  expect(chainOf(environment, ...commands)).toEqual(expected);
});

test.skipIf(process.platform === 'win32')('the system tells about a process', () => {
  expect(readProcess(process.pid)).toMatchObject({ parent: process.ppid });
  expect(readProcess(process.pid)?.command.join(' ')).toContain('node');
  expect(readProcess(2 ** 30)).toBeUndefined();
});
