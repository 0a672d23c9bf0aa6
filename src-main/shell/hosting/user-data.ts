// Where our own files live when nobody says otherwise: the same folder in both shells. And what is said where they cannot
// be written.

import { mkdtempSync, rmdirSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import { makeFolderSync } from '../../base/make-folder.ts';
import { systemText } from '../../base/read-error.ts';
import type { Environment } from '../../options/serve-draft.ts';

/** `chosen` is the value of --user-data. */
export function userDataFolder(
  chosen: string | undefined,
  environment: Environment,
  platform: NodeJS.Platform = process.platform,
): string {
  if (chosen !== undefined) return path.resolve(chosen);
  const home = os.homedir();
  switch (platform) {
    case 'win32':
      return path.join(environment['APPDATA'] ?? path.join(home, 'AppData', 'Roaming'), 'conch');
    case 'darwin':
      return path.join(home, 'Library', 'Application Support', 'conch');
    default:
      return path.join(environment['XDG_CONFIG_HOME'] ?? path.join(home, '.config'), 'conch');
  }
}

/** What is said when the system refused to write into the folder of our own files. */
export function userDataFaultText(folder: string, thrown: unknown): string {
  return `The folder '${folder}', where Conch keeps its own files, cannot be written: ${systemText(thrown)}. Make it writable, or name another one with --user-data.`;
}

/** Why nothing can be written into the folder, which is made where it is missing; undefined when it can. */
export function userDataFault(folder: string): string | undefined {
  try {
    makeFolderSync(folder);
    rmdirSync(mkdtempSync(path.join(folder, 'try-')));
    return undefined;
  } catch (thrown) {
    return userDataFaultText(folder, thrown);
  }
}
