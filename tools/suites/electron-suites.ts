// End-to-end tests in the desktop app: which Electron and which display they get.

import { spawnSync } from 'node:child_process';

import { ensureBuilt, pinnedNode } from '../bootstrap.mjs';
import { electronForTests } from '../electron-for-tests.mjs';
import type { Counts, SuiteShell } from './suite.ts';
import { byExitCode } from './suite.ts';
import { playwright } from './test-programs.ts';

type Found = Awaited<ReturnType<typeof electronForTests>>;

let found: Promise<Found> | undefined;

function electron(): Promise<Found> {
  found ??= electronForTests();
  return found;
}

/** Why no Electron can run here. May fetch one. */
export async function missingElectron(): Promise<string | undefined> {
  return (await electron()).reason;
}

/** `only`: files or folders of tests; default all. */
export async function inElectron(
  shell: SuiteShell,
  name: string,
  only: readonly string[] = [],
): Promise<Counts> {
  await ensureBuilt();
  const { file = '', before = [] } = await electron();
  const environment = { CONCH_BROWSER: '', CONCH_ELECTRON: file };
  return playwright(shell, name, { project: 'electron', only, environment, before });
}

/** Why no package can be made and started here. */
export async function missingForPackage(): Promise<string | undefined> {
  if (process.platform !== 'linux') return `the package is tried on Linux only`;
  if (spawnSync('dpkg-deb', ['--version'], { stdio: 'ignore' }).error !== undefined)
    return 'there is no dpkg-deb';
  return missingElectron();
}

/** Makes the folder and the deb, and starts what is in the folder. */
export async function packageAndTry(shell: SuiteShell): Promise<Counts> {
  const { before = [] } = await electron();
  const [command = pinnedNode(), ...args] = [...before, pinnedNode(), 'tools/package.ts', '--try'];
  return byExitCode(await shell.run(command, args));
}
