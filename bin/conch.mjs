#!/usr/bin/env node
// The `conch` command: starts the built program on a Node that is new enough. Built-ins only.

import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const NEEDED_MAJOR = 24;
const root = path.resolve(import.meta.dirname, '..');
const program = path.join(root, 'out', 'main', 'conch.js');
const args = process.argv.slice(2);

function fail(text) {
  process.stderr.write(`conch: ${text}\n`);
  process.exitCode = 1;
}

/** npm puts `node` beside us in a checkout, or hoists it when Conch is itself a dependency. */
function newerNode() {
  const name = process.platform === 'win32' ? 'node.exe' : 'node';
  return [path.join(root, 'node_modules'), path.dirname(root)]
    .map((folder) => path.join(folder, 'node', 'bin', name))
    .find((file) => existsSync(file));
}

function restartOn(node) {
  // A server ends when this process does, also by a signal that nobody can pass on.
  const { CONCH_LAUNCHERS: outer } = process.env;
  const launchers = outer === undefined ? `${process.pid}` : `${outer},${process.pid}`;
  const env = { ...process.env, CONCH_LAUNCHERS: launchers };
  const child = spawn(node, [import.meta.filename, ...args], { stdio: 'inherit', env });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.once('exit', (code, signal) => {
    if (signal === null) {
      process.exitCode = code ?? 1;
      return;
    }
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}

if (!existsSync(program)) {
  fail(`not built yet (${program} is missing). Run: npm ci && npm run build`);
} else if (Number(process.versions.node.split('.')[0]) >= NEEDED_MAJOR) {
  await import(pathToFileURL(program).href);
} else {
  const node = newerNode();
  if (node === undefined)
    fail(`needs Node ${NEEDED_MAJOR} or newer, this is ${process.version}. Run: npm ci`);
  else restartOn(node);
}
