// `npm run package`: packages of the app for the system it runs on, into dist. On Linux a folder and a deb are made here;
// electron-builder makes the rest: an AppImage, NSIS or dmg. Where the Electron that we ship cannot be had, the folder and
// the deb are made with an older one, to try the package out; that is said, and nobody is to be given it. `-- --try` makes
// the folder and the deb only, and starts the app of the folder.

import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';

import { pinnedNode, root, run, say } from './bootstrap.mjs';
import { electronOnDisk } from './electron-binary.mjs';
import { olderElectron } from './older-electron/make-older-electron.mjs';
import { makeDeb } from './package/make-deb.ts';
import { tryPackage } from './package/try-package.ts';

const dist = path.join(root, 'dist');
const packageJson = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
  readonly version: string;
};

/** What electron-builder translates of its settings is used once, and not kept among temporary files. */
const ENVIRONMENT = { ...process.env, JITI_FS_CACHE: 'false' };

/** Runs a file of the repository with our Node; its failure ends the tool. */
async function script(file: string, ...args: readonly string[]): Promise<void> {
  const code = await run(pinnedNode(), [path.join(root, file), ...args], { cwd: root, env: ENVIRONMENT });
  if (code !== 0) throw new Error(`${path.basename(file)} ended with ${code}`);
}

/** The same with a program of the packages we install. */
function program(name: string, ...args: readonly string[]): Promise<void> {
  return script(path.join('node_modules', name), ...args);
}

function builder(...args: readonly string[]): Promise<void> {
  return program('electron-builder/cli.js', '--publish', 'never', ...args);
}

/** Settings of electron-builder for the Electron on disk; undefined = it fetches the one we ship. */
async function electronSettings(work: string): Promise<readonly string[] | undefined> {
  if (electronOnDisk() !== undefined) {
    const folder = path.dirname(electronOnDisk() ?? '');
    return [
      `-c.electronDist=${folder}`,
      `-c.electronVersion=${readFileSync(path.join(folder, 'version'), 'utf8').trim()}`,
    ];
  }
  const { folder, reason = '' } = await olderElectron();
  if (folder === undefined) {
    say(`no older Electron to try the package with: ${reason}`);
    return undefined;
  }
  const copy = path.join(work, 'electron');
  const starter = path.join(folder, 'resources', 'app');
  cpSync(folder, copy, { recursive: true, filter: (file) => file !== starter });
  const version = readFileSync(path.join(folder, 'version'), 'utf8').trim();
  say(
    `the Electron that is shipped is not on disk; this package has Electron ${version}, for trying it out only`,
  );
  return [`-c.electronDist=${copy}`, `-c.electronVersion=${version}`];
}

async function packageForLinux(isWhole: boolean): Promise<void> {
  const work = mkdtempSync(path.join(os.tmpdir(), 'conch-package-'));
  try {
    const settings = (await electronSettings(work)) ?? [];
    await builder('--linux', 'dir', ...settings);
    const deb = makeDeb({
      folder: path.join(dist, 'linux-unpacked'),
      target: dist,
      version: packageJson.version,
    });
    say(`made ${path.relative(root, deb)}`);
    if (!isWhole) return;
    await builder('--linux', 'AppImage', '--prepackaged', path.join(dist, 'linux-unpacked')).catch(
      (thrown: unknown) => {
        say(`no AppImage: electron-builder could not make it (${String(thrown)})`);
      },
    );
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

const { values } = parseArgs({ options: { try: { type: 'boolean', default: false } } });
await program('electron-vite/bin/electron-vite.js', 'build');
await script('tools/dependencies/make-release-lists.ts');
if (process.platform === 'linux') {
  await packageForLinux(!values.try);
  if (values.try) {
    const seconds = await tryPackage(path.join(dist, 'linux-unpacked'));
    say(`the package served a model ${seconds.toFixed(1)} s after its start, and ended when asked to`);
  }
} else {
  await builder();
}
