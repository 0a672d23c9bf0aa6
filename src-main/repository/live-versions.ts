// Versions that have something loaded, for whoever waits until nothing has.

import type { ModelId } from './model-identity.ts';
import { modelKey } from './model-identity.ts';
import type { ModelLifecycle } from './model-lifecycle.ts';

/** Each as `<model> v<version>: <state>`, in order. While the repository closes, all of them are being unloaded. */
export function liveVersions(lifecycle: ModelLifecycle, isClosing: boolean): readonly string[] {
  const shown = (id: ModelId, version: number | string, state: string): string =>
    `${modelKey(id)} v${version}: ${state}`;
  const loaded = [...lifecycle.models()].flatMap(({ id, versions }) =>
    versions
      .filter(({ state }) => state === 'READY' || state === 'LOADING')
      .map(({ version, state }) => shown(id, version, isClosing ? 'UNLOADING' : state)),
  );
  const closing = [...lifecycle.closingModels].map(({ id, version }) => shown(id, version, 'UNLOADING'));
  return [...loaded, ...closing].sort();
}
