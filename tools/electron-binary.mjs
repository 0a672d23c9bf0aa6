// Decides whether the Electron window can be used. Never loads the `electron` package: outside Electron that would
// download synchronously. A missing binary is fetched once, with a time limit, and a failure is remembered for a day.

import { existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pinnedNode, root, run, say } from './bootstrap.mjs';

const FETCH_LIMIT_MS = 60_000;
const FETCH_PAUSE_MS = 24 * 3_600_000;

const EXECUTABLE = {
  darwin: 'Electron.app/Contents/MacOS/Electron',
  win32: 'electron.exe',
};

/** Path of an Electron executable that is on disk, else undefined. */
export function electronOnDisk() {
  const name = EXECUTABLE[process.platform] ?? 'electron';
  const folders = [process.env.ELECTRON_OVERRIDE_DIST_PATH, path.join(root, 'node_modules/electron/dist')];
  return folders
    .filter((folder) => folder !== undefined && folder !== '')
    .map((folder) => path.join(folder, name))
    .find((file) => existsSync(file));
}

export function hasDisplay() {
  if (process.platform !== 'linux') return true;
  return (process.env.DISPLAY ?? '') !== '' || (process.env.WAYLAND_DISPLAY ?? '') !== '';
}

async function fetchElectron() {
  const failed = path.join(root, '.cache', 'electron-fetch-failed');
  if (existsSync(failed) && Date.now() - statSync(failed).mtimeMs < FETCH_PAUSE_MS) return;
  say(`fetching Electron, for at most ${FETCH_LIMIT_MS / 1000} s`);
  const code = await run(pinnedNode(), [path.join(root, 'node_modules/electron/install.js')], {
    stdio: 'ignore',
    timeout: FETCH_LIMIT_MS,
    killSignal: 'SIGKILL',
  });
  if (code === 0) return;
  mkdirSync(path.dirname(failed), { recursive: true });
  writeFileSync(failed, '');
}

/** `{ file }` of a usable Electron, or `{ reason }` in one clause. */
export async function findElectron() {
  if (!hasDisplay()) return { reason: 'there is no display' };
  let file = electronOnDisk();
  if (file === undefined) {
    await fetchElectron();
    file = electronOnDisk();
  }
  if (file !== undefined) return { file };
  return { reason: 'the Electron binary is not on disk and could not be fetched' };
}
