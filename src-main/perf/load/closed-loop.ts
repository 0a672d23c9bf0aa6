// Keeps a fixed number of requests outstanding: a lane whose answer came sends the next request at once.

import type { Clock, Timer } from '../../base/clock.ts';
import { IdleWait } from './idle-wait.ts';
import type { Lane } from './lane.ts';
import type { LanePool, LoadDriver, LoadListener, MessageSource } from './load-driver.ts';

/** Pause of a lane whose connection broke, so that a server that is gone is not called in a tight loop. */
const RETRY_MS = 100;

/** A fixed number of requests in flight. */
export interface ClosedLoopOptions {
  readonly clock: Clock;
  readonly concurrency: number;
  readonly pool: LanePool;
  readonly source: MessageSource;
  readonly listener: LoadListener;
  /** Stop after so many requests; undefined = never. */
  readonly requestLimit?: number | undefined;
}

/** Takes its lanes from the pool at the start and gives every one back once, when it is drained. */
export class ClosedLoop implements LoadDriver {
  readonly #options: ClosedLoopOptions;
  readonly #busy = new Set<Lane>();
  readonly #idle: Lane[] = [];
  /** Lanes that pause before they try again. */
  readonly #retries = new Map<Lane, Timer>();
  #sentCount = 0;
  #isHeld = false;
  #isEnding = false;
  readonly #idleWait: IdleWait;

  constructor(options: ClosedLoopOptions) {
    this.#options = options;
    this.#idleWait = new IdleWait(options.clock);
  }

  get isExhausted(): boolean {
    return this.#isSpent() && this.#busy.size === 0;
  }

  start(): void {
    const { concurrency, pool } = this.#options;
    for (let slot = 0; slot < concurrency; slot += 1) {
      const lane = pool.take();
      lane.slot = slot;
      lane.onDone = (done) => this.#done(done);
      this.#idle.push(lane);
    }
    this.#sendIdle();
  }

  hold(isHeld: boolean): void {
    this.#isHeld = isHeld;
    if (!isHeld) this.#sendIdle();
  }

  async drain(timeoutMs: number): Promise<void> {
    this.#isEnding = true;
    for (const [lane, retry] of this.#retries) {
      retry.cancel();
      this.#idle.push(lane);
    }
    this.#retries.clear();
    await this.#whenIdle(timeoutMs);
    for (const lane of this.#idle.splice(0)) {
      const last = this.#options.source.finish(lane.slot);
      if (last === undefined) this.#idle.push(lane);
      else this.#send(lane, last);
    }
    await this.#whenIdle(timeoutMs);
    for (const lane of this.#busy) this.#options.pool.discard(lane);
    for (const lane of this.#idle) this.#options.pool.giveBack(lane);
    this.#busy.clear();
    this.#idle.length = 0;
  }

  #isSpent(): boolean {
    const { requestLimit } = this.#options;
    return requestLimit !== undefined && this.#sentCount >= requestLimit;
  }

  #sendIdle(): void {
    for (let lane = this.#idle.pop(); lane !== undefined; lane = this.#idle.pop()) this.#next(lane);
  }

  #next(lane: Lane): void {
    if (this.#isEnding || this.#isHeld || this.#isSpent()) {
      this.#idle.push(lane);
      if (this.#busy.size === 0) this.#idleWait.reached();
      return;
    }
    this.#send(lane, this.#options.source.next(lane.slot));
  }

  #send(lane: Lane, message: Parameters<Lane['send']>[0]): void {
    this.#busy.add(lane);
    this.#sentCount += 1;
    lane.send(message);
    lane.dueNs = lane.startNs;
    this.#options.listener.sent(lane);
  }

  #done(lane: Lane): void {
    this.#busy.delete(lane);
    this.#options.listener.done(lane);
    if (!lane.isTransportError || this.#isEnding) {
      this.#next(lane);
      return;
    }
    const retry = this.#options.clock.after(RETRY_MS, () => {
      this.#retries.delete(lane);
      this.#next(lane);
    });
    this.#retries.set(lane, retry);
  }

  async #whenIdle(timeoutMs: number): Promise<void> {
    if (this.#busy.size > 0) await this.#idleWait.within(timeoutMs);
  }
}
