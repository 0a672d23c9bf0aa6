// What the system tells the user while the window is not in front, or while there is none: a model that could not be
// loaded, the end of long work. A click brings the window to the place.

import type { ModelView } from '../../../src-shared/contract/model-view.ts';
import type { TaskView } from '../../../src-shared/contract/observe-views.ts';
import { endIsWorthTelling } from '../../../src-shared/contract/task-notice.ts';
import type { Clock, Timer } from '../../base/clock.ts';

/** Models that fail together are told together. */
const COLLECT_MS = 1000;

/** A message of the system, with what a click on it opens. */
export interface Notice {
  readonly title: string;
  readonly body: string;
  /** Address in the window; undefined = the window as it is. */
  readonly address: string | undefined;
}

interface NoticesOptions {
  readonly clock: Clock;
  readonly isInFront: () => boolean;
  readonly show: (notice: Notice) => void;
}

/** Says each thing once, and nothing while the window is in front. */
export class Notices {
  readonly #options: NoticesOptions;
  readonly #told = new Set<string>();
  readonly #failed = new Map<string, string>();
  #failures: ModelView[] = [];
  #timer: Timer | undefined;

  constructor(options: NoticesOptions) {
    this.#options = options;
  }

  /** A task changed; only its end is told, and only when it took long. */
  task(task: TaskView): void {
    const { id, title, state, detail, fallsShort } = task;
    const { clock, isInFront, show } = this.#options;
    if (!endIsWorthTelling(task, clock.wallMs()) || this.#told.has(id)) return;
    this.#told.add(id);
    if (isInFront()) return;
    const ended = fallsShort === true ? `It ended: ${detail}.` : 'It is done.';
    show({ title, body: state === 'failed' ? `It failed: ${detail}` : ended, address: undefined });
  }

  /** Views that changed; each failure is told once until the model is loaded again. */
  models(changed: readonly ModelView[]): void {
    for (const model of changed) {
      if (model.state !== 'failed') {
        this.#failed.delete(model.name);
        continue;
      }
      const { reason = '' } = model;
      if (this.#failed.get(model.name) === reason) continue;
      this.#failed.set(model.name, reason);
      this.#failures.push(model);
    }
    if (this.#failures.length > 0) {
      this.#timer ??= this.#options.clock.after(COLLECT_MS, () => this.#tellFailures());
    }
  }

  /** What was about to be told is not. */
  close(): void {
    this.#timer?.cancel();
  }

  #tellFailures(): void {
    this.#timer = undefined;
    const failures = this.#failures;
    this.#failures = [];
    const [first] = failures;
    if (first === undefined || this.#options.isInFront()) return;
    if (failures.length === 1) {
      const address = `wb://models/${encodeURIComponent(first.name)}`;
      const body = first.failure?.title ?? first.reason ?? '';
      this.#options.show({ title: `'${first.name}' could not be loaded`, body, address });
      return;
    }
    const names = failures.map(({ name }) => name).join(', ');
    const title = `${failures.length} models could not be loaded`;
    this.#options.show({ title, body: names, address: 'wb://models' });
  }
}
