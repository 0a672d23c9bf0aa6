// Which of the existing versions a version policy wants. Pure: numbers in, numbers and warnings out.
// An absent policy means the newest version; an empty policy message means all; `latest {}` wants none.

import type { ModelVersionPolicy } from '../../src-shared/config/model-config.ts';
import { invalidArg } from '../../src-shared/errors.ts';

export interface VersionSelection {
  /** Ascending. */
  readonly versions: readonly number[];
  /** Listed by a `specific` policy but absent on disk. */
  readonly missing: readonly number[];
}

/** `existing` in any order; duplicates are counted once. */
export function selectVersions(
  policy: ModelVersionPolicy | undefined,
  existing: readonly number[],
): VersionSelection {
  const present = [...new Set(existing)].sort((a, b) => a - b);
  if (policy?.specific !== undefined) {
    const wanted = new Set(policy.specific.versions);
    return {
      versions: present.filter((version) => wanted.has(version)),
      missing: [...wanted].filter((version) => !present.includes(version)).sort((a, b) => a - b),
    };
  }
  const count = policy === undefined ? 1 : (policy.latest?.numVersions ?? present.length);
  return { versions: count === 0 ? [] : present.slice(-count), missing: [] };
}

/** The error of a model whose policy selects nothing. */
export function noVersionError(modelName: string): Error {
  return invalidArg(
    `at least one version must be available under the version policy of model '${modelName}'`,
  );
}
