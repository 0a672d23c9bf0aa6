// Where the counters of a version stood when a page reset its view. The server's own counters are never touched: what
// a page sees afterwards is a difference. Kept per load, so that a reload makes a reset pass away.

import { randomUUID } from 'node:crypto';

import type { ModelStatisticsSnapshot } from '../../metrics/infer-statistics.ts';
import type { SparseHistogram } from '../../metrics/latency-histogram.ts';
import type { Model } from '../../repository/model.ts';

/** Everything the counters card shows, at one moment. */
export interface CounterState {
  readonly atMs: number;
  readonly statistics: ModelStatisticsSnapshot;
  readonly latency: SparseHistogram;
  readonly queueFull: number;
  readonly timedOut: number;
  readonly cancelled: number;
  /** Executions per instance, in instance order. */
  readonly executions: readonly number[];
}

const KEPT = 100;

/** Keeps the latest resets of all pages; an older one is as unknown as one that never was. */
export class ViewResets {
  readonly #resets = new Map<string, { readonly model: WeakRef<Model>; readonly state: CounterState }>();

  /** Returns the id that `find` knows it by. Does not keep the model alive. */
  remember(model: Model, state: CounterState): string {
    const id = randomUUID();
    this.#resets.set(id, { model: new WeakRef(model), state });
    const [oldest] = this.#resets.keys();
    if (this.#resets.size > KEPT && oldest !== undefined) this.#resets.delete(oldest);
    return id;
  }

  /** Undefined for an unknown id, and when another load serves by now. */
  find(id: string, model: Model): CounterState | undefined {
    const reset = this.#resets.get(id);
    return reset?.model.deref() === model ? reset.state : undefined;
  }
}
