// Which ends of work are worth a notice of the system: those that the user has stopped waiting for. And which work is worth
// a question before the app ends it.

import type { TaskView } from './observe-views.ts';

/** Work that took no longer than so many milliseconds is not missed. */
const LONG_TASK_MS = 15_000;
/** A copy that takes no longer is over before a question is read. */
const SHORT_TASK_MS = 1000;

/** Whether a task has ended by itself after long work; `nowMs` is time of the wall, as its start is. */
export function endIsWorthTelling({ state, startedAtMs }: TaskView, nowMs: number): boolean {
  // A cancelled task was ended by the user, who knows.
  return (state === 'done' || state === 'failed') && nowMs - startedAtMs > LONG_TASK_MS;
}

/** Whether ending the task now is worth a question: it loses what it has made, or has gone on for so long that it would be missed. */
export function isWorthAsking({ state, startedAtMs, losesWork }: TaskView, nowMs: number): boolean {
  return state === 'running' && nowMs - startedAtMs >= (losesWork ? SHORT_TASK_MS : LONG_TASK_MS);
}
