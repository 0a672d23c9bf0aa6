// Where what the program ships beside its code may lie: a run from source, a built bundle and a packaged app have it at
// different heights above the file that asks.

import path from 'node:path';

/** Absolute paths of `resources/<name>` at every height above `here`, nearest first. Nothing is looked at. */
export function resourceFolders(name: string, here: string): readonly string[] {
  return ['..', '../..', '../../..', '../../../..'].map((up) => path.resolve(here, up, 'resources', name));
}
