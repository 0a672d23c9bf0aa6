// What a load does to each version of a model. Pure: facts in, actions out.
// A version that serves keeps serving until its replacement is ready (`replace`); only instance groups and the version
// policy can change in place (`update`); versions the policy no longer wants are unloaded after the swap.

import type { VersionState } from './lifecycle-state.ts';

/** What the lifecycle knows of a version. */
export interface VersionFact {
  readonly version: number;
  readonly state: VersionState;
}

/** All that decides what a load does. */
export interface TransitionFacts {
  /** Versions known to the lifecycle. */
  readonly known: readonly VersionFact[];
  /** Versions the policy selected. */
  readonly selected: readonly number[];
  /** Files that belong to the version, or to all versions, are newer than at its last load. */
  readonly isVersionModified: (version: number) => boolean;
  /** Configuration differs in more than instance groups and version policy. */
  readonly isConfigChanged: boolean;
  /** Ensembles are always rebuilt: what they are made of changed. */
  readonly isEnsemble: boolean;
  /** Rebuild although nothing changed. */
  readonly isForced: boolean;
}

/** What is done with one version, to get from what serves to what is wanted. */
export type VersionAction = {
  readonly version: number;
  /** `start`: nothing serves. `replace`: built beside the one that serves. `update`: instances change in place. */
  readonly kind: 'start' | 'replace' | 'update';
};

/** What a load does, in the order in which it is done. */
export interface TransitionPlan {
  readonly actions: readonly VersionAction[];
  /** Serving versions to unload once every action succeeded. */
  readonly unload: readonly number[];
}

/** One action for each selected version, ascending, and the serving versions that go. Never throws. */
export function planTransition(facts: TransitionFacts): TransitionPlan {
  const ready = new Set(facts.known.filter(({ state }) => state === 'READY').map(({ version }) => version));
  const selected = new Set(facts.selected);
  const actions = [...selected]
    .sort((a, b) => a - b)
    .map((version): VersionAction => {
      if (!ready.has(version)) return { version, kind: 'start' };
      const mustRebuild =
        facts.isForced || facts.isEnsemble || facts.isConfigChanged || facts.isVersionModified(version);
      return { version, kind: mustRebuild ? 'replace' : 'update' };
    });
  return { actions, unload: [...ready].filter((version) => !selected.has(version)).sort((a, b) => a - b) };
}
