// Typed publish and subscribe. Subscribing hands back its own off-switch; a failing listener never hurts the others.

/** Disposing twice does nothing the second time. */
export interface Subscription {
  [Symbol.dispose](): void;
}

type Listener<T> = (event: T) => void;

/**
 * Listeners are called at once, inside `publish`, in the order in which they subscribed; what one throws goes to
 * `onListenerError`.
 */
export class EventBus<Events extends object> {
  readonly #listeners = new Map<keyof Events, Set<Listener<never>>>();
  readonly #onListenerError: (thrown: unknown) => void;

  constructor(onListenerError: (thrown: unknown) => void) {
    this.#onListenerError = onListenerError;
  }

  /** Whoever subscribes ends it. A listener that subscribes during an event hears from the next one on. */
  subscribe<K extends keyof Events>(name: K, listener: Listener<Events[K]>): Subscription {
    const set = this.#listeners.get(name) ?? new Set<Listener<never>>();
    this.#listeners.set(name, set);
    set.add(listener);
    return { [Symbol.dispose]: () => void set.delete(listener) };
  }

  /** Never throws. Returns when every listener has returned; promises of listeners are not awaited. */
  publish<K extends keyof Events>(name: K, event: Events[K]): void {
    const set = this.#listeners.get(name);
    if (set === undefined) return;
    for (const listener of [...set]) {
      try {
        (listener as Listener<Events[K]>)(event);
      } catch (thrown) {
        this.#onListenerError(thrown);
      }
    }
  }
}
