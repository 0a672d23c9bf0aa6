// Loaded versions as the sampler sees them. One object per loaded version, so that a reload starts a new history.

import type { Model } from '../../repository/model.ts';
import type { ObservedModel } from './model-sampler.ts';

/** Gives the same object for the same loaded version each time; it is collected with the version. */
export class ObservedModels {
  readonly #known = new WeakMap<Model, ObservedModel>();
  readonly #ready: () => Iterable<Model>;

  constructor(ready: () => Iterable<Model>) {
    this.#ready = ready;
  }

  /** Those that are ready at this moment. */
  *all(): Iterable<ObservedModel> {
    for (const model of this.#ready()) yield this.#of(model);
  }

  #of(model: Model): ObservedModel {
    const known = this.#known.get(model);
    if (known !== undefined) return known;
    const { statistics } = model.runtime;
    const observed: ObservedModel = {
      name: model.id.name,
      version: model.version,
      requestLatency: statistics.requestLatency,
      snapshot: () => statistics.snapshot(),
      get rejectedCount() {
        return statistics.failures.REJECTED + statistics.queueFullCount;
      },
      get timedOutCount() {
        return statistics.timedOutCount;
      },
      get pendingCount() {
        return statistics.pendingCount;
      },
      get executingCount() {
        return model.runtime.slots.reduce(
          (total, slot) => total + (slot.state === 'busy' ? (slot.current?.requests.length ?? 1) : 0),
          0,
        );
      },
      takeMostPending: () => statistics.takeMostPending(),
      busyNs: (nowNs) => model.runtime.slots.map((slot) => slot.busyNs(nowNs)),
    };
    this.#known.set(model, observed);
    return observed;
  }
}
