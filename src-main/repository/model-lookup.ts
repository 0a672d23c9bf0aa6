// From a name and a version to the model that serves, with the messages clients know. The one place that decides which
// version answers a request without version: the highest that is ready.

import type { Model } from './model.ts';
import type { ModelKey } from './model-identity.ts';
import type { ModelLifecycle } from './model-lifecycle.ts';
import { modelErrors } from './model-errors.ts';

const NEWEST = -1;

/**
 * Messages name a model of a namespace as `<namespace>::<name>`.
 * Throws NOT_FOUND, UNAVAILABLE, or INVALID_ARG for a name that several namespaces have. `version` -1 = newest ready;
 * other negative numbers, and those beyond 2^53, are versions that no model has.
 */
export function lookupModel(
  lifecycle: ModelLifecycle,
  candidates: readonly ModelKey[],
  name: string,
  version: number | bigint,
): Model {
  const [key] = candidates;
  if (candidates.length > 1) {
    throw modelErrors.ambiguous({ count: candidates.length, name });
  }
  if (key === undefined || !lifecycle.isKnown(key)) throw modelErrors.unknown({ name: key ?? name });
  if (version === NEWEST) {
    const newest = lifecycle.newestReady(key);
    if (newest === undefined) {
      throw modelErrors.withoutVersion({ key });
    }
    return newest;
  }
  const record = typeof version === 'bigint' ? undefined : lifecycle.version(key, version);
  if (record === undefined) {
    throw modelErrors.unknownVersion({ key, version });
  }
  if (record.model === undefined) {
    throw modelErrors.versionNotReady({ key, version });
  }
  return record.model;
}
