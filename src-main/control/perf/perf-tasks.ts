// Performance runs among the tasks: how far the run is that goes on, and a way to stop it. Runs that wait have no line.

import type { PerfProgress, PerfRunSummary } from '../../../src-shared/contract/perf-views.ts';
import type { FollowedTask, TaskRegistry } from '../tasks/task-registry.ts';

interface PerfTasksOptions {
  readonly tasks: TaskRegistry;
  readonly stop: (run: string) => void;
}

/** Told of every change of a run; the task's id is made of the run's. */
export class PerfTasks {
  readonly #options: PerfTasksOptions;
  #current: { readonly run: string; readonly task: FollowedTask; said: string } | undefined;

  constructor(options: PerfTasksOptions) {
    this.#options = options;
  }

  /** A run that begins becomes a task; one that ends, ends it. */
  changed(summary: PerfRunSummary): void {
    const { id, name, model, state } = summary;
    const { tasks, stop } = this.#options;
    if (state === 'running') {
      if (this.#current?.run === id) return;
      const task = tasks.follow(
        `perf ${id}`,
        name === '' ? `Measure ${model}` : `Measure ${model}: ${name}`,
        () => stop(id),
      );
      this.#current = { run: id, task, said: '' };
    } else if (state !== 'queued' && this.#current?.run === id) {
      this.#current.task.end(...endOf(summary));
      this.#current = undefined;
    }
  }

  /** The same words twice are told once. */
  progressed({ runId, state, level, share }: PerfProgress): void {
    const at = level === undefined ? state : `${state}, ${level.unit} ${level.value}`;
    const said = `${at} ${share}`;
    if (this.#current?.run !== runId || this.#current.said === said) return;
    this.#current.said = said;
    this.#current.task.report(share, at);
  }
}

/** A run whose numbers are not steady is not done. */
function endOf({ state, error, levelCount, unstableCount }: PerfRunSummary): Parameters<FollowedTask['end']> {
  if (state === 'failed' || state === 'interrupted') return ['failed', error];
  if (state === 'stopped') return ['cancelled', error];
  if (unstableCount === 0) return ['done', error];
  return ['short', `${unstableCount} of ${levelCount} ${levelCount === 1 ? 'level' : 'levels'} not stable`];
}
