// Whether the strip with the first steps is shown, and which of them were taken. Kept over a reload of the page.

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

const STEPS: readonly CoachStep[] = ['send', 'stats', 'perf', 'fix'];

/** What is kept of it over a reload of the page. */
export function coachToJson({ isShown, done }: CoachState): string {
  return JSON.stringify({ isShown, done: STEPS.filter((step) => done.has(step)) });
}

/**
 * As it was kept, with what was done since it was `asked` for. A text that nobody here wrote is as good as none.
 */
export function restoreCoach(json: string, asked: CoachState): void {
  const now = coach.getState();
  let kept: { readonly isShown?: unknown; readonly done?: unknown } | null;
  try {
    kept = JSON.parse(json) as typeof kept;
  } catch {
    return;
  }
  if (typeof kept !== 'object' || kept === null) return;
  const before: readonly unknown[] = Array.isArray(kept.done) ? kept.done : [];
  coach.setState({
    isShown: now.isShown === asked.isShown ? kept.isShown === true : now.isShown,
    done: new Set([...STEPS.filter((step) => before.includes(step)), ...now.done]),
  });
}

/** Once taken, a step stays taken. */
export function tick(step: CoachStep): void {
  const { done } = coach.getState();
  if (!done.has(step)) coach.setState({ done: new Set(done).add(step) });
}
