// Which of the repositories in use a path of the window means.

import path from 'node:path';

import { filesErrors } from './file-errors.ts';

/** The repository as it is in use. NOT_FOUND when `root` is none of `roots`. */
export function knownRepository(roots: readonly string[], root: string): string {
  const wanted = path.resolve(root);
  const known = roots.find((candidate) => path.resolve(candidate) === wanted);
  if (known === undefined) throw filesErrors.unknownRepository({ root });
  return known;
}
