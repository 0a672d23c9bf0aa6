// Layouts on their way and done, one per place (a model's graph, a neighbourhood). They live outside React: a layout
// goes on while another tab is shown, and is not made again when one comes back.

import { createStore } from 'zustand/vanilla';

import type { TaskView } from '../../../src-shared/contract/observe-views.ts';
import type { GraphLayout, LayoutInput } from './graph-layout.ts';
import type { LayoutAnswer } from './layout-worker.ts';

/** What is used of a Worker. */
export interface LayoutWorker {
  /** Once per worker: the graph to lay out. */
  postMessage(input: LayoutInput): void;
  /** Called when its answer is here, or not wanted any more. */
  terminate(): void;
  /** Set before the question; hears of a layout or an error, once. */
  onmessage: ((event: MessageEvent<LayoutAnswer>) => void) | null;
  /** Set before the question; the worker itself failed. */
  onerror: ((event: ErrorEvent) => void) | null;
}

/** One layout, from its start on; times are milliseconds since the epoch. */
export interface LayoutJob {
  /** What is drawn; another key is another drawing. */
  readonly key: string;
  readonly state: TaskView['state'];
  readonly nodeCount: number;
  readonly startedAtMs: number;
  readonly layout: GraphLayout | undefined;
  readonly error: string | undefined;
}

type Jobs = ReadonlyMap<string, LayoutJob>;

/** Layouts by place; each runs in a worker of its own, which ends with it. */
export class LayoutJobs {
  readonly store = createStore<{ readonly byPlace: Jobs }>(() => ({ byPlace: new Map() }));
  readonly #open: () => LayoutWorker;
  readonly #now: () => number;
  readonly #workers = new Map<string, LayoutWorker>();

  /** `now`: milliseconds of a clock that goes on while other tabs are shown. */
  constructor(open: () => LayoutWorker, now: () => number = Date.now) {
    this.#open = open;
    this.#now = now;
  }

  /** No effect while or after the same drawing was laid out, or when that was cancelled; `again` starts over. */
  start(place: string, key: string, input: LayoutInput, again = false): void {
    const known = this.store.getState().byPlace.get(place);
    if (known?.key === key && !again) return;
    this.#end(place);
    const startedAtMs = this.#now();
    const job = { key, nodeCount: input.nodes.length, startedAtMs, error: undefined, layout: undefined };
    this.#put(place, { ...job, state: 'running' });
    const worker = this.#open();
    this.#workers.set(place, worker);
    const settle = (change: Partial<LayoutJob>): void => {
      if (this.#workers.get(place) !== worker) return;
      this.#end(place);
      this.#put(place, { ...job, state: 'done', ...change });
    };
    worker.onmessage = ({ data }) => {
      settle('error' in data ? { state: 'failed', error: data.error } : { layout: data.layout });
    };
    worker.onerror = ({ message }) => settle({ state: 'failed', error: message });
    worker.postMessage(input);
  }

  /** No effect on a layout that is not running; it begins again only with `again`. */
  cancel(place: string): void {
    const job = this.store.getState().byPlace.get(place);
    if (job?.state !== 'running') return;
    this.#end(place);
    this.#put(place, { ...job, state: 'cancelled' });
  }

  /** Ends what runs and forgets what is known, for places that `belongs` names. */
  forget(belongs: (place: string) => boolean): void {
    const byPlace = new Map(this.store.getState().byPlace);
    for (const place of byPlace.keys()) {
      if (!belongs(place)) continue;
      this.#end(place);
      byPlace.delete(place);
    }
    this.store.setState({ byPlace });
  }

  #end(place: string): void {
    this.#workers.get(place)?.terminate();
    this.#workers.delete(place);
  }

  #put(place: string, job: LayoutJob): void {
    this.store.setState(({ byPlace }) => ({ byPlace: new Map(byPlace).set(place, job) }));
  }
}
