// Strict readiness: every model the server was asked for serves, or was unloaded on purpose. Models whose folder could
// not even be read are not known here and do not count.

import type { VersionState } from './lifecycle-state.ts';
import { UNLOADED_REASON } from './lifecycle-state.ts';

interface ModelStates {
  readonly versions: readonly { readonly state: VersionState; readonly reason: string }[];
}

/** True when the model does not keep the server from being ready. */
export function isModelFine({ versions }: ModelStates): boolean {
  if (versions.length === 0) return false;
  return versions.every(
    ({ state, reason }) => state === 'READY' || (state === 'UNAVAILABLE' && reason === UNLOADED_REASON),
  );
}

/** True when no model keeps the server from being ready; also without any model. */
export function isRepositoryReady(models: Iterable<ModelStates>): boolean {
  for (const model of models) if (!isModelFine(model)) return false;
  return true;
}
