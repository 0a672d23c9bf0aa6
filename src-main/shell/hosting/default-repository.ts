// Where models go when the user has chosen no folder: a place of the user's own that is easy to find. Whoever gives the
// app a user-data folder of its own gets it there instead. Made when the first model goes in, never before.

import os from 'node:os';
import path from 'node:path';

import type { Environment } from '../../options/serve-draft.ts';
import { userDataFolder } from './user-data.ts';

/**
 * `<home>/Conch/models`, or `models` in a user-data folder that is not the usual one. Neither looks at the disk
 * nor makes anything.
 */
export function defaultRepositoryPath(
  userDataPath: string,
  environment: Environment,
  home: string = os.homedir(),
): string {
  const isUsual = path.resolve(userDataPath) === userDataFolder(undefined, environment);
  return isUsual ? path.join(home, 'Conch', 'models') : path.join(userDataPath, 'models');
}
