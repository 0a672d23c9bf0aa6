// Which ends of work are worth a notice of the system: those that the user has stopped waiting for.

import type { TaskView } from './observe-views.ts';

/** Work that took no longer than so many milliseconds is not missed. */
export const LONG_TASK_MS = 15_000;

/** Whether a task has ended by itself after long work; `nowMs` is time of the wall, as its start is. */
export function endIsWorthTelling({ state, startedAtMs }: TaskView, nowMs: number): boolean {
  // A cancelled task was ended by the user, who knows.
  return (state === 'done' || state === 'failed') && nowMs - startedAtMs > LONG_TASK_MS;
}
