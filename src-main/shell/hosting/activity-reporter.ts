// Tells the process above which models are in native code, so that a crash can be put down to one: those that are being
// loaded, and those that got a request within the last second. A model is reported before its request runs, and a busy
// one costs one message a second.

import type { Clock, Timer } from '../../base/clock.ts';
import type { EventBus, Subscription } from '../../base/event-bus.ts';
import type { RepositoryEvents } from '../../repository/repository-events.ts';
import type { FromEngine } from '../supervision/engine-messages.ts';

const RECENT_MS = 1000;

export class ActivityReporter {
  readonly #clock: Clock;
  readonly #send: (message: FromEngine) => void;
  readonly #loading = new Map<string, Set<string>>();
  /** Model -> when it last got a request, monotonic ns. */
  readonly #used = new Map<string, number>();
  readonly #subscription: Subscription;
  readonly #timer: Timer;

  constructor(options: {
    readonly clock: Clock;
    readonly events: EventBus<RepositoryEvents>;
    readonly send: (message: FromEngine) => void;
  }) {
    this.#clock = options.clock;
    this.#send = options.send;
    // A version waits in state LOADING for its turn; only with a phase it is being built.
    this.#subscription = options.events.subscribe('loadPhase', ({ id, version, phase }) => {
      this.#noteState(id.name, version, phase !== '');
    });
    this.#timer = options.clock.every(RECENT_MS, () => this.#forget());
  }

  /** A request for the model is about to run. */
  noteUse(model: string): void {
    const isKnown = this.#used.has(model);
    this.#used.set(model, this.#clock.nowNs());
    if (!isKnown) this.#report();
  }

  close(): void {
    this.#subscription[Symbol.dispose]();
    this.#timer.cancel();
  }

  #noteState(model: string, version: string, isLoading: boolean): void {
    const versions = this.#loading.get(model) ?? new Set<string>();
    const wasLoading = versions.size > 0;
    if (isLoading) versions.add(version);
    else versions.delete(version);
    if (versions.size > 0) this.#loading.set(model, versions);
    else this.#loading.delete(model);
    if (wasLoading !== versions.size > 0) this.#report();
  }

  #forget(): void {
    const oldestNs = this.#clock.nowNs() - RECENT_MS * 1e6;
    const before = this.#used.size;
    for (const [model, atNs] of this.#used) if (atNs < oldestNs) this.#used.delete(model);
    if (this.#used.size !== before) this.#report();
  }

  #report(): void {
    this.#send({ type: 'activity', loading: [...this.#loading.keys()], executing: [...this.#used.keys()] });
  }
}
