// Which counters this window shows from a later moment than their load. Lives as long as the window; the engine
// forgets a reset when the version is loaded again.

import { createStore } from 'zustand/vanilla';

interface ViewResetsState {
  /** Model and version -> id of the reset. */
  readonly byVersion: ReadonlyMap<string, string>;
}

/** By `resetKey`. */
export const viewResets = createStore<ViewResetsState>(() => ({ byVersion: new Map() }));

/** The key of a version in `viewResets`. */
export function resetKey(model: string, version: string): string {
  return `${version} ${model}`;
}

/** `resetId` undefined = since load again. */
export function setViewReset(key: string, resetId: string | undefined): void {
  const byVersion = new Map(viewResets.getState().byVersion);
  if (resetId === undefined) byVersion.delete(key);
  else byVersion.set(key, resetId);
  viewResets.setState({ byVersion });
}
