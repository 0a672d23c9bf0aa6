// The life of code in a thread or a process: a start that can be called off, and an end with a deadline, because code that
// hangs cannot be asked to stop.

import type { Clock } from '../../base/clock.ts';

interface Ending {
  /** Ends the code now; resolves when it is gone. */
  terminate(): Promise<void>;
}

/**
 * For one start of the code; a restart takes a new one. Its owner tells it what it hears: running, failed,
 * finalized, ended.
 */
export class CodeLife {
  readonly #ready = Promise.withResolvers<void>();
  readonly #finalized = Promise.withResolvers<void>();
  #state: 'starting' | 'running' | 'closing' | 'ended' = 'starting';

  constructor() {
    // Whoever waits for the start hears of it; code that ends before that is no unhandled rejection.
    this.#ready.promise.catch(() => undefined);
  }

  /**
   * Makes code, and resolves with it when it was told `running`. Rejects with the error it failed with, or the reason of
   * the signal; the code is gone then.
   */
  static async start<Code extends Ending>(
    make: () => { readonly code: Code; readonly life: CodeLife; readonly begin?: Promise<void> },
    signal: AbortSignal | undefined,
  ): Promise<Code> {
    signal?.throwIfAborted();
    const { code, life, begin } = make();
    const onAbort = (): void => void code.terminate();
    signal?.addEventListener('abort', onAbort, { once: true });
    try {
      await begin;
      // What was called off before there was anything to end.
      signal?.throwIfAborted();
      await life.#ready.promise;
      return code;
    } catch (thrown) {
      await code.terminate();
      signal?.throwIfAborted();
      throw thrown;
    } finally {
      signal?.removeEventListener('abort', onAbort);
    }
  }

  /** The code is gone; it can be asked nothing any more. */
  get hasEnded(): boolean {
    return this.#state === 'ended';
  }

  /** Neither its start is done, nor has it ended. */
  get isStarting(): boolean {
    return this.#state === 'starting';
  }

  /** It was asked to finalize, and has not ended. */
  get isClosing(): boolean {
    return this.#state === 'closing';
  }

  /** Its start is done, and neither its end nor its loss has begun. */
  get isRunning(): boolean {
    return this.#state === 'running';
  }

  /** The model's initialize() is done. */
  running(): void {
    this.#state = 'running';
    this.#ready.resolve();
  }

  /** The start failed. */
  failed(error: Error): void {
    this.#ready.reject(error);
  }

  /** The model's finalize() is done. */
  finalized(): void {
    this.#finalized.resolve();
  }

  /** Asks running code to finalize, and waits for it no longer than `graceMs`; `onLate` is told then. */
  async finalize(clock: Clock, graceMs: number, ask: () => void, onLate: () => void): Promise<void> {
    if (this.#state !== 'running') return;
    this.#state = 'closing';
    ask();
    const timer = clock.after(graceMs, () => {
      onLate();
      this.#finalized.resolve();
    });
    await this.#finalized.promise;
    timer.cancel();
  }

  /** The code is gone. Returns whether it was lost: it had been started before. */
  ended(error: Error): boolean {
    const wasStarted = this.#state !== 'starting';
    this.#state = 'ended';
    this.#ready.reject(error);
    this.#finalized.resolve();
    return wasStarted;
  }
}
