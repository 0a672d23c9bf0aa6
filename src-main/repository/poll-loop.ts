// Mode `poll`: the first round right after the start, then one after each interval. A round waits for the loads it
// triggers, so rounds never overlap. A failing round is logged and the next one comes all the same.

import { STATUS_WORDS, toServerError } from '../../src-shared/errors.ts';
import type { Clock, Timer } from '../base/clock.ts';
import { getLogger } from '../base/log.ts';

const log = getLogger('repository');

/**
 * The interval runs from the end of one round to the begin of the next. Rounds cannot be cancelled, only waited
 * for.
 */
export class PollLoop {
  readonly #clock: Clock;
  readonly #intervalMs: number;
  readonly #round: () => Promise<void>;
  #timer: Timer | undefined;
  #running: Promise<void> | undefined;
  #isClosed = false;

  constructor(options: {
    readonly clock: Clock;
    readonly intervalMs: number;
    readonly round: () => Promise<void>;
  }) {
    this.#clock = options.clock;
    this.#intervalMs = options.intervalMs;
    this.#round = options.round;
  }

  /** Begins the first round at once. Call it once. */
  start(): void {
    this.#running = this.#run();
  }

  /** Starts no further round and waits for the one that runs. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#timer?.cancel();
    await this.#running;
  }

  async #run(): Promise<void> {
    log.verbose(1, 'Polling model repository');
    try {
      await this.#round();
    } catch (thrown) {
      const { code, message } = toServerError(thrown);
      if (!this.#isClosed) log.error(`failed to poll model repository: ${STATUS_WORDS[code]} - ${message}`);
    }
    if (this.#isClosed) return;
    this.#timer = this.#clock.after(this.#intervalMs, () => {
      this.#running = this.#run();
    });
  }
}
