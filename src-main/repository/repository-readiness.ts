// Strict readiness: every model the server was asked for serves, or was unloaded on purpose. Models whose folder could
// not even be read are not known here and do not count.

import type { VersionState } from './lifecycle-state.ts';
import { UNLOADED_REASON } from './lifecycle-state.ts';

export function isRepositoryReady(
  models: Iterable<{
    readonly versions: readonly { readonly state: VersionState; readonly reason: string }[];
  }>,
): boolean {
  for (const { versions } of models) {
    if (versions.length === 0) return false;
    const isFine = versions.every(
      ({ state, reason }) => state === 'READY' || (state === 'UNAVAILABLE' && reason === UNLOADED_REASON),
    );
    if (!isFine) return false;
  }
  return true;
}
