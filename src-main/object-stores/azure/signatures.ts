// Signatures that were given with paths of Azure's storage. They are secret: no path that is shown or kept has one.

import { shownPath } from '../store-path.ts';
import { queryOf } from './azure-path.ts';

/** Signatures by the paths that they were given with; each holds for its path and for all below it. */
export class Signatures {
  readonly #queries = new Map<string, string>();

  /** Keeps the signature at the end of a path, if there is one. Returns the path without it. */
  adopt(path: string): string {
    const query = queryOf(path);
    const plain = shownPath(path);
    if (query !== undefined) this.#queries.set(folderOf(plain), query);
    return plain;
  }

  /** The one of the nearest folder that has one, with its question mark; undefined when none was given. */
  for(path: string): string | undefined {
    const folders = [...this.#queries.keys()].filter((folder) => folderOf(path).startsWith(folder));
    const nearest = folders.reduce((best, folder) => (folder.length > best.length ? folder : best), '');
    return this.#queries.get(nearest);
  }
}

/** With one slash at its end, so that "models" is not taken to lie below "mod". */
function folderOf(path: string): string {
  return `${path.replace(/\/+$/, '')}/`;
}
