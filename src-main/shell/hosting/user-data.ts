// Where our own files live when nobody says otherwise: the same folder in both shells.

import os from 'node:os';
import path from 'node:path';

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
