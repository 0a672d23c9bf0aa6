// Sends requests when they are due, whether or not earlier ones were answered. Where lanes are limited, a request that
// finds none waits and is sent late, with its due time kept; the recorder then sees how late.

import type { Clock } from '../../base/clock.ts';
import { Fifo } from '../../base/fifo.ts';
import type { Arrivals } from './arrival-times.ts';
import { IdleWait } from './idle-wait.ts';
import type { Lane, LoadMessage } from './lane.ts';
import type { LanePool, LoadDriver, LoadListener, MessageSource } from './load-driver.ts';
import type { Pacer } from './pacer.ts';

/** Sends in one turn of the event loop before answers are looked at again. */
const BURST = 64;

/** Requests at given times, whatever has been answered. */
export interface OpenLoopOptions {
  readonly clock: Clock;
  readonly pacer: Pacer;
  readonly arrivals: Arrivals;
  readonly pool: LanePool;
  readonly source: MessageSource;
  readonly listener: LoadListener;
  /** Requests outstanding at most; serial slots are their own limit. */
  readonly laneLimit: number;
  /** Slots taken in turn: sequences that are alive at a time; 1 without sequences. */
  readonly slotCount: number;
  /** One outstanding request per slot. */
  readonly isSerial: boolean;
  /** Stop after so many requests; undefined = when the arrivals end. */
  readonly requestLimit?: number | undefined;
}

/** Takes a lane for each request; with `isSerial` a slot waits for its own answer before it sends the next. */
export class OpenLoop implements LoadDriver {
  readonly #options: OpenLoopOptions;
  readonly #busy = new Set<Lane>();
  readonly #busySlots = new Set<number>();
  /** Due times without the time held, with their slots: one list per slot when slots are serial, else one for all. */
  readonly #waiting: Fifo<{ readonly dueNs: number; readonly slot: number }>[];
  #dueNs = 0;
  #plannedCount = 0;
  #heldSinceNs: number | undefined;
  /** Time held so far. */
  #heldNs = 0;
  #hasEnded = false;
  readonly #idleWait: IdleWait;

  constructor(options: OpenLoopOptions) {
    this.#options = options;
    this.#idleWait = new IdleWait(options.clock);
    this.#waiting = Array.from({ length: options.isSerial ? options.slotCount : 1 }, () => new Fifo());
  }

  get isExhausted(): boolean {
    return this.#hasEnded && this.#busy.size === 0 && this.#waiting.every(({ length }) => length === 0);
  }

  start(): void {
    this.#dueNs = this.#options.clock.nowNs();
    if (this.#draw()) this.#wake();
  }

  /** Time spent held does not count: what was due is due that much later. */
  hold(isHeld: boolean): void {
    const nowNs = this.#options.clock.nowNs();
    if (isHeld === (this.#heldSinceNs !== undefined)) return;
    if (isHeld) {
      this.#heldSinceNs = nowNs;
      this.#options.pacer.cancel();
      return;
    }
    const heldNs = nowNs - (this.#heldSinceNs ?? nowNs);
    this.#heldNs += heldNs;
    this.#dueNs += heldNs;
    this.#heldSinceNs = undefined;
    for (let slot = 0; slot < this.#waiting.length; slot += 1) {
      while ((this.#waiting[slot]?.length ?? 0) > 0 && !this.#isBlocked(slot)) this.#sendWaiting(slot);
    }
    this.#wake();
  }

  async drain(timeoutMs: number): Promise<void> {
    this.#hasEnded = true;
    this.#options.pacer.cancel();
    for (const list of this.#waiting) while (list.length > 0) list.shift();
    await this.#whenIdle(timeoutMs);
    for (let slot = 0; slot < this.#options.slotCount; slot += 1) {
      const last = this.#options.source.finish(slot);
      if (last !== undefined) this.#send(slot, this.#options.clock.nowNs(), last);
    }
    await this.#whenIdle(timeoutMs);
    for (const lane of this.#busy) this.#options.pool.discard(lane);
    this.#busy.clear();
  }

  /** Moves on to the next due time; false when there is none. */
  #draw(): boolean {
    const { arrivals, requestLimit } = this.#options;
    const gapNs = requestLimit !== undefined && this.#plannedCount >= requestLimit ? undefined : arrivals();
    if (gapNs === undefined) {
      this.#hasEnded = true;
      return false;
    }
    this.#plannedCount += 1;
    this.#dueNs += gapNs;
    return true;
  }

  #wake(): void {
    if (this.#heldSinceNs !== undefined || this.#hasEnded) return;
    this.#options.pacer.wakeAt(this.#dueNs, () => this.#sendDue());
  }

  #sendDue(): void {
    const { clock, slotCount } = this.#options;
    for (let sent = 0; sent < BURST; sent += 1) {
      this.#offer(this.#dueNs, (this.#plannedCount - 1) % slotCount);
      if (!this.#draw()) return;
      if (this.#dueNs > clock.nowNs()) break;
    }
    this.#wake();
  }

  #offer(dueNs: number, slot: number): void {
    if (this.#isBlocked(slot)) {
      const list = this.#waiting[this.#options.isSerial ? slot : 0];
      list?.push({ dueNs: dueNs - this.#heldNs, slot });
    } else this.#send(slot, dueNs, this.#options.source.next(slot));
  }

  #isBlocked(slot: number): boolean {
    const { laneLimit, isSerial } = this.#options;
    return isSerial ? this.#busySlots.has(slot) : this.#busy.size >= laneLimit;
  }

  #send(slot: number, dueNs: number, message: LoadMessage): void {
    const lane = this.#options.pool.take();
    lane.slot = slot;
    lane.onDone = (done) => this.#done(done);
    this.#busy.add(lane);
    if (this.#options.isSerial) this.#busySlots.add(slot);
    lane.send(message);
    lane.dueNs = Math.min(dueNs, lane.startNs);
    this.#options.listener.sent(lane);
  }

  #done(lane: Lane): void {
    this.#busy.delete(lane);
    this.#busySlots.delete(lane.slot);
    this.#options.listener.done(lane);
    this.#options.pool.giveBack(lane);
    this.#sendWaiting(lane.slot);
    if (this.#busy.size === 0) this.#idleWait.reached();
  }

  /** The oldest request that the end of another one lets go. */
  #sendWaiting(slot: number): void {
    if (this.#heldSinceNs !== undefined) return;
    const next = this.#waiting[this.#options.isSerial ? slot : 0]?.shift();
    if (next !== undefined)
      this.#send(next.slot, next.dueNs + this.#heldNs, this.#options.source.next(next.slot));
  }

  async #whenIdle(timeoutMs: number): Promise<void> {
    if (this.#busy.size > 0) await this.#idleWait.within(timeoutMs);
  }
}
