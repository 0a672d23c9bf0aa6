// The threads in front of one HTTP server. One that ends while it is wanted is replaced; it takes nothing with it but its
// own connections.

import { systemClock } from '../../../base/clock.ts';
import { getLogger } from '../../../base/log.ts';
import type { HttpServerOptions } from '../http-options.ts';
import type { RemoteRules } from './remote-requests.ts';
import { RemoteThread } from './remote-thread.ts';

/** A thread that ends sooner than this is not replaced at once. */
const SOON_MS = 5000;
const RESTART_MS = 1000;

const log = getLogger('http');

/** All of them share one port. */
export class WireThreads {
  readonly #rules: RemoteRules;
  readonly #options: HttpServerOptions;
  readonly #enginePath: string;
  readonly #threads = new Set<RemoteThread>();
  readonly #ended = Promise.withResolvers<void>();
  #isStopping = false;
  #port = 0;

  /** `enginePath`: where the engine's loop takes the connections that threads do not read. */
  constructor(rules: RemoteRules, options: HttpServerOptions, enginePath: string) {
    this.#rules = rules;
    this.#options = options;
    this.#enginePath = enginePath;
  }

  /** 0 while none listens. */
  get port(): number {
    return this.#port;
  }

  /** At least one has not ended. */
  get isOpen(): boolean {
    return this.#threads.size > 0;
  }

  /** With those that are tunnelled to the engine. */
  get connectionCount(): number {
    return this.#sum((thread) => thread.connectionCount);
  }

  /** Requests of all threads whose body is still arriving. */
  get readingCount(): number {
    return this.#sum((thread) => thread.readingCount);
  }

  /** Starts `count` threads; throws UNAVAILABLE when the port is taken, and has none then. Resolves to the port. */
  async listen(port: number, count: number): Promise<number> {
    try {
      // The first one finds the port, where any will do.
      this.#port = await this.#start(port).listening;
      await Promise.all(Array.from({ length: count - 1 }, () => this.#start(this.#port).listening));
    } catch (thrown) {
      this.#isStopping = true;
      void this.closeListeners();
      this.cut();
      this.#settle();
      await this.#ended.promise;
      throw thrown;
    }
    return this.#port;
  }

  /** They read nothing and accept who has connected by now; resolves when that is so. */
  async quiet(): Promise<void> {
    this.#isStopping = true;
    await Promise.all([...this.#threads].map((thread) => thread.drain()));
  }

  /** They accept no further connection; resolves when none listens. They still read nothing. */
  async closeListeners(): Promise<void> {
    await Promise.all([...this.#threads].map((thread) => thread.closeListener()));
  }

  /** They end with their last connection. */
  readOn(): void {
    for (const thread of this.#threads) thread.readOn();
    this.#settle();
  }

  /** Cuts every connection that is still open. */
  cut(): void {
    for (const thread of this.#threads) thread.cut();
  }

  /** Resolves when all threads have ended. */
  ended(): Promise<void> {
    return this.#ended.promise;
  }

  #start(port: number): RemoteThread {
    const startedAtMs = performance.now();
    const options = { ...this.#options, port };
    const thread = new RemoteThread(this.#rules, options, this.#enginePath, (reason) => {
      this.#threads.delete(thread);
      this.#settle();
      if (this.#isStopping) return;
      log.error(`a thread of the HTTP endpoint ended and is started again: ${reason}`);
      const delayMs = performance.now() - startedAtMs < SOON_MS ? RESTART_MS : 0;
      systemClock.after(delayMs, () => {
        if (!this.#isStopping) this.#start(this.#port);
      });
    });
    this.#threads.add(thread);
    return thread;
  }

  #settle(): void {
    if (this.#isStopping && this.#threads.size === 0) this.#ended.resolve();
  }

  #sum(of: (thread: RemoteThread) => number): number {
    let sum = 0;
    for (const thread of this.#threads) sum += of(thread);
    return sum;
  }
}
