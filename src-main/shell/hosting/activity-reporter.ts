// Tells the process above which models may be in native code, so that a crash can be put down to one: those that are
// being loaded, and those with a request that is not answered. A model is reported before its request runs; one that is
// used all the time costs one message, one that is used now and then two for each use and at most twenty a second.

import type { Clock, Timer } from '../../base/clock.ts';
import type { EventBus, Subscription } from '../../base/event-bus.ts';
import type { Model } from '../../repository/model.ts';
import type { RepositoryEvents } from '../../repository/repository-events.ts';
import type { FromEngine } from '../supervision/engine-messages.ts';

/** How long after its last request an idle model is still reported, at most twice this. */
const TICK_MS = 100;

/** A version in service, as far as blame goes. */
export interface ActiveModel {
  readonly name: string;
  /** It has requests that are not answered. */
  readonly isBusy: boolean;
  /** Models that run in its place; empty unless it is an ensemble. */
  readonly steps: readonly string[];
}

/** Models that are loaded, and whether one runs a request; an ensemble with its steps. */
export function activeModels(ready: Iterable<Model>): readonly ActiveModel[] {
  return [...ready].map(({ id, config, runtime }) => ({
    name: id.name,
    isBusy: runtime.inflightCount > 0,
    steps: (config.ensembleScheduling?.step ?? []).map(({ modelName }) => modelName),
  }));
}

/**
 * Sends a message when what is active has changed; a model counts as used for a while after its last
 * request.
 */
export class ActivityReporter {
  readonly #clock: Clock;
  readonly #send: (message: FromEngine) => void;
  readonly #models: () => Iterable<ActiveModel>;
  readonly #loading = new Map<string, Set<string>>();
  /** Models that got a request since the last tick but one. */
  #used = new Set<string>();
  #usedLately = new Set<string>();
  #reported = '';
  readonly #subscription: Subscription;
  #timer: Timer | undefined;

  constructor(options: {
    readonly clock: Clock;
    readonly events: EventBus<RepositoryEvents>;
    /** Versions in service. */
    readonly models: () => Iterable<ActiveModel>;
    readonly send: (message: FromEngine) => void;
  }) {
    this.#clock = options.clock;
    this.#send = options.send;
    this.#models = options.models;
    // A version waits in state LOADING for its turn; only with a phase it is being built.
    this.#subscription = options.events.subscribe('loadPhase', ({ id, version, phase }) => {
      this.#noteState(id.name, version, phase !== undefined);
    });
  }

  /** A request for the model is about to run. */
  noteUse(model: string): void {
    this.#usedLately.add(model);
    if (this.#used.has(model)) return;
    this.#used.add(model);
    this.#report();
    this.#timer ??= this.#clock.every(TICK_MS, () => this.#forget());
  }

  /** Sends no message any more. */
  close(): void {
    this.#subscription[Symbol.dispose]();
    this.#timer?.cancel();
  }

  #noteState(model: string, version: string, isLoading: boolean): void {
    const versions = this.#loading.get(model) ?? new Set<string>();
    if (isLoading) versions.add(version);
    else versions.delete(version);
    if (versions.size > 0) this.#loading.set(model, versions);
    else this.#loading.delete(model);
    this.#report();
  }

  /** Keeps what was used since the last tick or still has requests; without any there are no ticks. */
  #forget(): void {
    const models = [...this.#models()];
    const kept = models.filter(({ name, isBusy }) => this.#used.has(name) && isBusy).map(({ name }) => name);
    this.#used = new Set([...this.#usedLately, ...kept]);
    this.#usedLately = new Set();
    this.#report(models);
    if (this.#used.size > 0) return;
    this.#timer?.cancel();
    this.#timer = undefined;
  }

  #report(models: Iterable<ActiveModel> = this.#models()): void {
    const steps = new Map([...models].map((model) => [model.name, model.steps] as const));
    const loading = [...this.#loading.keys()];
    const executing = [...new Set([...this.#used].flatMap((model) => leaves(model, steps)))];
    const text = JSON.stringify([loading, executing]);
    if (text === this.#reported) return;
    this.#reported = text;
    this.#send({ type: 'activity', loading, executing });
  }
}

/** The models that run for one: itself, or the steps of an ensemble and of the ensembles among them. */
function leaves(model: string, steps: ReadonlyMap<string, readonly string[]>): readonly string[] {
  const own = steps.get(model) ?? [];
  return own.length === 0 ? [model] : own.flatMap((step) => leaves(step, steps));
}
