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
  changed({ id, name, model, state, error }: PerfRunSummary): void {
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
      const isFailed = state === 'failed' || state === 'interrupted';
      this.#current.task.end(isFailed ? 'failed' : state === 'stopped' ? 'cancelled' : 'done', error);
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
