// What the measuring side asks of a load: keep it going, hold it, end it without losing answers.

import type { Lane, LoadMessage } from './lane.ts';

/** Where the requests come from. */
export interface MessageSource {
  /** Next request of a slot. */
  next(slot: number): LoadMessage;
  /** The request that ends what a slot has begun; undefined when nothing is open. */
  finish(slot: number): LoadMessage | undefined;
}

/** Sees every request when it was sent and when it ended. */
export interface LoadListener {
  /** Once per request, after `lane.startNs` and `lane.dueNs` are set and before its `done`. */
  sent(lane: Lane): void;
  /**
   * With success or an error in `lane.error`; read the lane now, it is used again; never for a request that
   * `drain` gave up.
   */
  done(lane: Lane): void;
}

/** Sends the load of one level. */
export interface LoadDriver {
  /** To be called once; what follows is told to the driver's LoadListener. */
  start(): void;
  /** Nothing new is sent while held; what is out comes back. */
  hold(isHeld: boolean): void;
  /** Sends nothing more, waits for what is out, at most `timeoutMs`, and ends open sequences. */
  drain(timeoutMs: number): Promise<void>;
  /** Nothing is left to send and nothing is out; only loads with an end get there. */
  readonly isExhausted: boolean;
}

/** Lanes that live as long as a run: levels borrow and return them. */
export class LanePool {
  readonly #make: () => Lane;
  readonly #free: Lane[] = [];
  readonly #all = new Set<Lane>();

  constructor(make: () => Lane) {
    this.#make = make;
  }

  /** Lanes that were given back and wait to be taken. */
  get freeCount(): number {
    return this.#free.length;
  }

  /** One that was given back, else a new one: the pool has no limit. */
  take(): Lane {
    const free = this.#free.pop();
    if (free !== undefined) return free;
    const lane = this.#make();
    this.#all.add(lane);
    return lane;
  }

  /** Only for a lane with nothing outstanding; its `onDone` is taken off. */
  giveBack(lane: Lane): void {
    lane.onDone = () => undefined;
    this.#free.push(lane);
  }

  /** Gives up a lane whose answer never came. */
  discard(lane: Lane): void {
    lane.onDone = () => undefined;
    lane.close();
    this.#all.delete(lane);
  }

  /** Closes all lanes, those that are taken too; nobody hears of requests that it cuts. */
  close(): void {
    for (const lane of this.#all) lane.close();
    this.#all.clear();
    this.#free.length = 0;
  }
}
