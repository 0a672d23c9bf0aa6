// The name that is offered for a model which is made of a file.

import path from 'node:path';

import { plainName } from './plain-name.ts';

/** The folder of one upload, which nobody named. */
const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;
/** What files are called in any version folder: it says nothing of the model. */
const USUAL = new Set(['model', 'dali', 'saved_model']);

/**
 * The file's name, or its folder's when the file has a usual one; version folders are passed over. `said`: what the file
 * calls itself, for one of a usual name in a folder without a name.
 */
export function suggestedName(file: string, said?: string): string {
  const base = path.basename(file, path.extname(file));
  if (!USUAL.has(base)) return plainName(base);
  const folders = path.dirname(path.resolve(file)).split(path.sep);
  const folder = folders.findLast((name) => !/^\d*$/.test(name));
  return plainName(folder !== undefined && !UUID.test(folder) ? folder : (said ?? base));
}
