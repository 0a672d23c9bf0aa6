// Notices that a channel which is still open has become silent: the engine stands still, or the network swallows what
// it sends. The engine tells numbers every second, so silence means something. Times are wall-clock ms.

const TICK_MS = 1000;
/** A timer that comes later than this says that the page itself stood still, as while the machine slept. */
const LATE_MS = 3000;

/** How long a channel may be silent. */
export interface SilenceLimits {
  /** Then the server counts as not answering. */
  readonly quietMs: number;
  /** Then the channel is given up; undefined where another one could not be opened. */
  readonly giveUpMs?: number | undefined;
}

/** What is told of a channel. */
interface SilenceListener {
  /** Once for each silence; `sinceMs` is when the last message came. */
  readonly onQuiet: (sinceMs: number) => void;
  /** The first message after a silence. */
  readonly onHeard: () => void;
  readonly onGiveUp: () => void;
}

/** Watches from the start until `stop`; `heard` is to be called for every message. */
export class SilenceWatch {
  readonly #limits: SilenceLimits;
  readonly #listener: SilenceListener;
  readonly #timer: ReturnType<typeof setInterval>;
  #heardAtMs = Date.now();
  #lastTickMs = Date.now();
  #isQuiet = false;

  constructor(limits: SilenceLimits, listener: SilenceListener) {
    this.#limits = limits;
    this.#listener = listener;
    this.#timer = setInterval(() => this.#tick(), TICK_MS);
  }

  /** Tells the listener when this message ends a silence. */
  heard(): void {
    this.#heardAtMs = Date.now();
    if (!this.#isQuiet) return;
    this.#isQuiet = false;
    this.#listener.onHeard();
  }

  /** To be called when the channel is gone; the listener hears no more. */
  stop(): void {
    clearInterval(this.#timer);
  }

  #tick(): void {
    const nowMs = Date.now();
    const wasLate = nowMs - this.#lastTickMs > LATE_MS;
    this.#lastTickMs = nowMs;
    // What came meanwhile may still wait to be read.
    if (wasLate && !this.#isQuiet) this.#heardAtMs = nowMs;
    const silentMs = nowMs - this.#heardAtMs;
    const { quietMs, giveUpMs = Infinity } = this.#limits;
    if (silentMs >= quietMs && !this.#isQuiet) {
      this.#isQuiet = true;
      this.#listener.onQuiet(this.#heardAtMs);
    }
    if (silentMs >= giveUpMs) {
      this.stop();
      this.#listener.onGiveUp();
    }
  }
}
