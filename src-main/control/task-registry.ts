// Long work the user started: what runs, how far it is, how to cancel it. Ended tasks stay listed for a while.

import type { TaskView } from '../../src-shared/contract/observe-views.ts';
import type { Clock } from '../base/clock.ts';
import type { CopyOptions } from './imports/copy-folder.ts';

const KEPT_ENDED_TASKS = 20;

export interface TaskHandle {
  readonly signal: AbortSignal;
  /** `progress` 0..1, undefined = unknown. */
  report(progress: number | undefined, detail: string): void;
}

interface Task {
  view: TaskView;
  readonly controller: AbortController;
}

export class TaskRegistry {
  readonly #clock: Clock;
  readonly #onChange: (view: TaskView) => void;
  readonly #tasks = new Map<string, Task>();

  constructor(options: { readonly clock: Clock; readonly onChange: (view: TaskView) => void }) {
    this.#clock = options.clock;
    this.#onChange = options.onChange;
  }

  list(): readonly TaskView[] {
    return [...this.#tasks.values()].map(({ view }) => view);
  }

  /** Runs `work` as a task; rejects as `work` does. Cancelling aborts the handle's signal. */
  async run<T>(
    id: string,
    title: string,
    work: (handle: TaskHandle) => Promise<T>,
    options: { readonly signal?: AbortSignal } = {},
  ): Promise<T> {
    const task = this.#start(id, title);
    const cancel = (): void => task.controller.abort(new Error('cancelled'));
    options.signal?.addEventListener('abort', cancel, { once: true });
    try {
      const result = await work({
        signal: task.controller.signal,
        report: (progress, detail) => this.#update(task, { progress, detail }),
      });
      this.#update(task, { state: 'done', progress: 1 });
      return result;
    } catch (thrown) {
      const detail = thrown instanceof Error ? thrown.message : String(thrown);
      this.#update(task, { state: task.controller.signal.aborted ? 'cancelled' : 'failed', detail });
      throw thrown;
    } finally {
      options.signal?.removeEventListener('abort', cancel);
      this.#forgetOld();
    }
  }

  cancel(id: string): void {
    this.#tasks.get(id)?.controller.abort(new Error('cancelled'));
  }

  /** Cancels everything that runs. */
  close(): void {
    for (const id of this.#tasks.keys()) this.cancel(id);
  }

  #start(id: string, title: string): Task {
    const view: TaskView = {
      id,
      title,
      state: 'running',
      progress: undefined,
      detail: '',
      startedAtMs: this.#clock.wallMs(),
    };
    const task: Task = { view, controller: new AbortController() };
    this.#tasks.set(id, task);
    this.#onChange(view);
    return task;
  }

  #update(task: Task, change: Partial<TaskView>): void {
    task.view = { ...task.view, ...change };
    this.#onChange(task.view);
  }

  #forgetOld(): void {
    const ended = [...this.#tasks.values()].filter(({ view }) => view.state !== 'running');
    for (const { view } of ended.slice(0, Math.max(0, ended.length - KEPT_ENDED_TASKS)))
      this.#tasks.delete(view.id);
  }
}

/** Copying that reports to a task and ends with it. */
export function copyOptions(handle: TaskHandle): CopyOptions {
  return {
    signal: handle.signal,
    onProgress: ({ copiedBytes, totalBytes, file }) =>
      handle.report(totalBytes === 0 ? undefined : copiedBytes / totalBytes, file),
  };
}
