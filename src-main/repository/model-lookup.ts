// From a name and a version to the model that serves, with the messages clients know. The one place that decides which
// version answers a request without version: the highest that is ready.

import { invalidArg, notFound, unavailable } from '../../src-shared/errors.ts';
import type { Model } from './model.ts';
import type { ModelKey } from './model-identity.ts';
import type { ModelLifecycle } from './model-lifecycle.ts';

/**
 * Messages name a model of a namespace as `<namespace>::<name>`.
 * Throws NOT_FOUND, UNAVAILABLE, or INVALID_ARG for a name that several namespaces have. `version` -1 = newest ready.
 */
export function lookupModel(
  lifecycle: ModelLifecycle,
  candidates: readonly ModelKey[],
  name: string,
  version: number,
): Model {
  const [key] = candidates;
  if (candidates.length > 1) {
    throw invalidArg(
      `There are ${candidates.length} identifiers of model '${name}' in global map, ` +
        'model namespace must be provided to resolve ambiguity.',
    );
  }
  if (key === undefined) throw notFound(`Request for unknown model: '${name}' is not found`);
  if (version < 0) {
    const newest = lifecycle.newestReady(key);
    if (newest === undefined) {
      throw notFound(`Request for unknown model: '${key}' has no available versions`);
    }
    return newest;
  }
  const record = lifecycle.version(key, version);
  if (record === undefined) {
    throw notFound(`Request for unknown model: '${key}' version ${version} is not found`);
  }
  if (record.model === undefined) {
    throw unavailable(`Request for unknown model: '${key}' version ${version} is not at ready state`);
  }
  return record.model;
}
