#!/usr/bin/env node
// The `conch` command: starts the built program on a Node that is new enough. Built-ins only.

import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import module from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const NEEDED = [24, 0];
/** From here on the runtime reads model inputs in place; before, they are copied once more. */
const BEST = [24, 9];
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

/** Keeps compiled code for the next start, in a folder of this user: what lies there is run. Threads find it too. */
function keepCompiledCode() {
  const { env } = process;
  if (env.NODE_COMPILE_CACHE !== undefined || env.NODE_DISABLE_COMPILE_CACHE !== undefined) return;
  const ofUser = process.platform === 'win32' ? env.LOCALAPPDATA : env.XDG_CACHE_HOME;
  const folder = path.join(ofUser || path.join(os.homedir(), '.cache'), 'conch', 'code');
  const { ENABLED } = module.constants?.compileCacheStatus ?? {};
  if (module.enableCompileCache?.(folder).status === ENABLED) env.NODE_COMPILE_CACHE = folder;
}

/**
 * How a server's memory outside of the heap is kept, as glibc reads it from the environment.
 *
 * One arena per processor: glibc lets up to eight threads per processor allocate from arenas of their own and keeps what is
 * freed there, so a server whose models are loaded anew again and again ends up with a hundred megabytes nobody uses.
 *
 * Up to 128 MiB at the end of an arena stay when they are free, and blocks below 32 MiB come from arenas: glibc starts with
 * the opposite and learns from what it sees, so that after certain loads every tensor of 16 MiB was given back to the system
 * and taken again, 8,000 page faults a request.
 *
 * Large pages where the system has them for those who ask: weights of tens of megabytes, read once per run, are found in
 * few of them, and a tensor of 16 MiB is first written to for 8 page faults instead of 4,096.
 */
function memorySettings() {
  return {
    MALLOC_ARENA_MAX: String(Math.max(2, os.availableParallelism())),
    MALLOC_TRIM_THRESHOLD_: String(128 * 1024 * 1024),
    MALLOC_MMAP_THRESHOLD_: String(32 * 1024 * 1024),
    GLIBC_TUNABLES: 'glibc.malloc.hugetlb=1',
  };
}

/** It can be said before a process starts only, so this one starts anew in its own place, as the same process. */
function settleMemory() {
  const { env, execArgv, execPath, platform } = process;
  const isServer = args[0] === 'serve' && process.channel === undefined;
  if (!isServer || platform !== 'linux' || env.CONCH_MEMORY_SETTINGS !== undefined) return;
  const added = Object.entries(memorySettings()).filter(([name]) => env[name] === undefined);
  process.execve?.(execPath, [execPath, ...execArgv, import.meta.filename, ...args], {
    ...env,
    ...Object.fromEntries(added),
    // Processes of models are left alone.
    CONCH_MEMORY_SETTINGS: added.map(([name]) => name).join(','),
  });
}

function isAtLeast([major, minor]) {
  const [ourMajor, ourMinor] = process.versions.node.split('.').map(Number);
  return ourMajor > major || (ourMajor === major && ourMinor >= minor);
}

if (!existsSync(program)) {
  fail(`not built yet (${program} is missing). Run: npm ci && npm run build`);
} else {
  const better = isAtLeast(BEST) ? undefined : newerNode();
  if (better !== undefined) restartOn(better);
  else if (isAtLeast(NEEDED)) {
    settleMemory();
    keepCompiledCode();
    await import(pathToFileURL(program).href);
  } else fail(`needs Node ${NEEDED.join('.')} or newer, this is ${process.version}. Run: npm ci`);
}
