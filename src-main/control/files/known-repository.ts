// Which of the repositories in use a path of the window means.

import path from 'node:path';

import { isStorePath } from '../../object-stores/store-path.ts';
import { filesErrors } from './file-errors.ts';

/**
 * The repository as it is in use, to write into. NOT_FOUND when `root` is none of `roots`, INVALID_ARG when it is in an
 * object store.
 */
export function knownRepository(roots: readonly string[], root: string): string {
  if (isStorePath(root)) throw filesErrors.inStore({ path: root });
  const wanted = path.resolve(root);
  const known = roots.find((candidate) => path.resolve(candidate) === wanted);
  if (known === undefined) throw filesErrors.unknownRepository({ root });
  return known;
}
