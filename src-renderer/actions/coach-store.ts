// Whether the strip with the first steps is shown, and which of them were taken.

import { createStore } from 'zustand/vanilla';

/** The steps in the order in which the strip shows them: a request, its statistics, a perf run, a repaired model. */
export type CoachStep = 'send' | 'stats' | 'perf' | 'fix';

/** The strip of first steps: whether it is there, and what was done of it. */
export interface CoachState {
  readonly isShown: boolean;
  readonly done: ReadonlySet<CoachStep>;
}

/** Which first steps the user has taken, and whether the list of them is shown. */
export const coach = createStore<CoachState>(() => ({ isShown: false, done: new Set<CoachStep>() }));

/** Once taken, a step stays taken. */
export function tick(step: CoachStep): void {
  const { done } = coach.getState();
  if (!done.has(step)) coach.setState({ done: new Set(done).add(step) });
}
