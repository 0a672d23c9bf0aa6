// Which loaded version answers for a model.

import type { Model } from '../../repository/model.ts';
import type { ModelRepository } from '../../repository/model-repository.ts';

/** Ready versions of a model, oldest first; all of them when `version` is "". */
export function servedVersions(
  repository: Pick<ModelRepository, 'ready'>,
  name: string,
  version: string,
): readonly Model[] {
  return [...repository.ready()]
    .filter((model) => model.id.name === name && (version === '' || model.version === version))
    .sort((a, b) => Number(a.version) - Number(b.version));
}

/** The version asked for, or the newest for "", as far as it serves. */
export function servingVersion(
  repository: Pick<ModelRepository, 'ready'>,
  name: string,
  version: string,
): Model | undefined {
  return servedVersions(repository, name, version).at(-1);
}
