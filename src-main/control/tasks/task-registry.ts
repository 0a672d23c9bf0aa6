// Long work the user started: what runs, how far it is, how to cancel it. Ended tasks stay listed for a while.

import { randomUUID } from 'node:crypto';

import type { TaskView } from '../../../src-shared/contract/observe-views.ts';
import type { ServerError } from '../../../src-shared/errors.ts';
import { PageGone } from '../../../src-shared/rpc/page-gone.ts';
import type { Clock } from '../../base/clock.ts';
import type { CopyOptions } from '../files/copy-folder.ts';
import { tasksErrors } from './tasks-errors.ts';

const KEPT_ENDED_TASKS = 20;
/** Work that is over sooner is not worth a line. */
const LONG_MS = 1000;

/** What long work gets: when it is to stop, and where it tells how far it is. */
export interface TaskHandle {
  readonly signal: AbortSignal;
  /** `progress` 0..1, undefined = unknown. */
  report(progress: number | undefined, detail: string): void;
}

/** Work that somebody else runs. */
export interface FollowedTask {
  /** `progress` is a share of 1; undefined = it cannot be told. */
  report(progress: number | undefined, detail: string): void;
  /** Once; nothing is reported afterwards. "short": done, but not what it was for. */
  end(outcome: 'done' | 'short' | 'failed' | 'cancelled', detail: string): void;
}

interface Task {
  view: TaskView;
  readonly cancel: () => void;
}

/**
 * Runs tasks side by side and tells of every change of one; aborting is up to the signal that a task gets.
 */
export class TaskRegistry {
  readonly #clock: Clock;
  readonly #onChange: (view: TaskView) => void;
  readonly #tasks = new Map<string, Task>();

  constructor(options: { readonly clock: Clock; readonly onChange: (view: TaskView) => void }) {
    this.#clock = options.clock;
    this.#onChange = options.onChange;
  }

  /** Those that run, and those that ended a while ago, in the order of their start. */
  list(): readonly TaskView[] {
    return [...this.#tasks.values()].map(({ view }) => view);
  }

  /**
   * Runs `work` as a task; rejects as `work` does. Cancelling aborts the handle's signal; a page that went away does not, as
   * the list of tasks shows the work when it is back.
   */
  async run<T>(
    id: string,
    title: string,
    work: (handle: TaskHandle) => Promise<T>,
    options: { readonly signal?: AbortSignal } = {},
  ): Promise<T> {
    const controller = new AbortController();
    const cancel = (): void => controller.abort(cancelled(title));
    const task = this.#start({ id, title, losesWork: true }, cancel);
    const onAbort = (): void => {
      if (!(options.signal?.reason instanceof PageGone)) cancel();
    };
    options.signal?.addEventListener('abort', onAbort, { once: true });
    try {
      const result = await work({
        signal: controller.signal,
        report: (progress, detail) => this.#update(task, { progress, detail }),
      });
      this.#update(task, { state: 'done', progress: 1 });
      return result;
    } catch (thrown) {
      const detail = thrown instanceof Error ? thrown.message : String(thrown);
      this.#update(task, { state: controller.signal.aborted ? 'cancelled' : 'failed', detail });
      throw thrown;
    } finally {
      options.signal?.removeEventListener('abort', onAbort);
      this.#forgetOld();
    }
  }

  /** As `run`, but without a trace when the work is over within a second. `isAnswer`: it is for the page alone, and ends with it. */
  async runLong<T>(
    title: string,
    work: (handle: TaskHandle) => Promise<T>,
    options: { readonly signal: AbortSignal; readonly isAnswer?: boolean },
  ): Promise<T> {
    const controller = new AbortController();
    const cancel = (): void =>
      controller.abort(options.signal.aborted ? options.signal.reason : cancelled(title));
    let task: FollowedTask | undefined;
    let last: readonly [progress: number | undefined, detail: string] = [undefined, ''];
    const timer = this.#clock.after(LONG_MS, () => {
      task = this.follow(randomUUID(), title, cancel);
      task.report(...last);
    });
    const onAbort = (): void => {
      if (options.isAnswer === true || !(options.signal.reason instanceof PageGone)) cancel();
    };
    options.signal.addEventListener('abort', onAbort, { once: true });
    try {
      const result = await work({
        signal: controller.signal,
        report: (...now) => {
          last = now;
          task?.report(...now);
        },
      });
      task?.end('done', last[1]);
      return result;
    } catch (thrown) {
      const detail = thrown instanceof Error ? thrown.message : String(thrown);
      task?.end(controller.signal.aborted ? 'cancelled' : 'failed', detail);
      throw thrown;
    } finally {
      timer.cancel();
      options.signal.removeEventListener('abort', onAbort);
    }
  }

  /** A task for work that runs elsewhere, and that keeps what it has when it ends; `cancel` asks it to. */
  follow(id: string, title: string, cancel: () => void): FollowedTask {
    const task = this.#start({ id, title, losesWork: false }, cancel);
    return {
      report: (progress, detail) => this.#update(task, { progress, detail }),
      end: (outcome, detail) => {
        const state = outcome === 'short' ? 'done' : outcome;
        const falls = outcome === 'short' ? { fallsShort: true } : {};
        this.#update(task, { state, detail, ...falls, ...(state === 'done' ? { progress: 1 } : {}) });
        this.#forgetOld();
      },
    };
  }

  /** Asks the task to end, which takes its time. Does nothing for one that is over. */
  cancel(id: string): void {
    const task = this.#tasks.get(id);
    if (task?.view.state === 'running') task.cancel();
  }

  /** Cancels everything that runs. */
  close(): void {
    for (const id of this.#tasks.keys()) this.cancel(id);
  }

  #start(what: Pick<TaskView, 'id' | 'title' | 'losesWork'>, cancel: () => void): Task {
    const view: TaskView = {
      ...what,
      state: 'running',
      progress: undefined,
      detail: '',
      startedAtMs: this.#clock.wallMs(),
    };
    const task: Task = { view, cancel };
    this.#tasks.set(what.id, task);
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

function cancelled(title: string): ServerError {
  return tasksErrors.cancelled({ title });
}

/** Copying that reports to a task and ends with it. */
export function copyOptions(handle: TaskHandle): CopyOptions {
  return {
    signal: handle.signal,
    onProgress: ({ copiedBytes, totalBytes, file }) =>
      handle.report(totalBytes === 0 ? undefined : copiedBytes / totalBytes, file),
  };
}
