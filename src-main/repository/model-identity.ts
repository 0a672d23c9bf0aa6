// A model is identified by namespace and name. The namespace is the repository path as configured when namespacing is
// on, else "". The key is the text form used in maps and in log lines.

import { modelErrors } from './model-errors.ts';

/** A model among all repositories. `namespace` is its repository with --model-namespacing, else "". */
export interface ModelId {
  readonly namespace: string;
  readonly name: string;
}

/** `<namespace>::<name>`, or just the name without namespace. */
export type ModelKey = string;

/** The text by which a model is looked up and named in messages. */
export function modelKey(id: ModelId): ModelKey {
  return id.namespace === '' ? id.name : `${id.namespace}::${id.name}`;
}

/** Order of the repository index: by namespace, then by name. */
export function compareIds(a: ModelId, b: ModelId): number {
  if (a.namespace !== b.namespace) return a.namespace < b.namespace ? -1 : 1;
  if (a.name === b.name) return 0;
  return a.name < b.name ? -1 : 1;
}

/** Throws INVALID_ARG for a name that can be no folder of a repository. */
export function checkModelName(name: string): void {
  const trimmed = name.trim();
  if (trimmed === '') {
    throw modelErrors.emptyName();
  }
  if (trimmed === '..' || trimmed.includes('/')) {
    throw modelErrors.nameLeadsOut({ name });
  }
}
