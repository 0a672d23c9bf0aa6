// Work waiting for the worker's thread: of several questions of the same kind about the same document only the newest
// is answered. Urgent ones come first; otherwise different kinds keep their order.

/** `onSuperseded` is called for each item that is dropped, so that whoever waits for it hears. */
export class LatestQueue<Item> {
  readonly #waiting = new Map<string, Item>();
  readonly #schedule: (drain: () => void) => void;
  readonly #work: (item: Item) => void;
  readonly #onSuperseded: (item: Item) => void;
  readonly #isUrgent: (item: Item) => boolean;
  #isScheduled = false;

  /** `schedule` must run its argument later, after messages that have already arrived. */
  constructor(options: {
    readonly schedule: (drain: () => void) => void;
    readonly work: (item: Item) => void;
    readonly onSuperseded: (item: Item) => void;
    readonly isUrgent?: (item: Item) => boolean;
  }) {
    this.#schedule = options.schedule;
    this.#work = options.work;
    this.#onSuperseded = options.onSuperseded;
    this.#isUrgent = options.isUrgent ?? (() => false);
  }

  /** An item of the same `key` that still waits is dropped; the new one goes to the end. */
  push(key: string, item: Item): void {
    const older = this.#waiting.get(key);
    if (older !== undefined) {
      this.#waiting.delete(key);
      this.#onSuperseded(older);
    }
    this.#waiting.set(key, item);
    this.#plan();
  }

  #plan(): void {
    if (this.#isScheduled || this.#waiting.size === 0) return;
    this.#isScheduled = true;
    this.#schedule(() => {
      this.#isScheduled = false;
      this.#one();
      this.#plan();
    });
  }

  /** One item per turn, so that a newer question can still replace one that waits. */
  #one(): void {
    const waiting = [...this.#waiting];
    const next = waiting.find(([, item]) => this.#isUrgent(item)) ?? waiting[0];
    if (next === undefined) return;
    const [key, item] = next;
    this.#waiting.delete(key);
    this.#work(item);
  }
}
