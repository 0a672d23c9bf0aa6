// Parts of the load generator from memory: lanes that are answered by hand, and messages that name their place.

import type { Clock } from '../base/clock.ts';
import type { LoadMessage } from '../perf/load/lane.ts';
import { Lane, NO_MESSAGE } from '../perf/load/lane.ts';
import type { MessageSource } from '../perf/load/load-driver.ts';

/** A lane whose answers come when a test says so. */
export class HandLane extends Lane {
  readonly #clock: Clock;
  isWaiting = false;
  isClosed = false;
  /** All that was sent, in order. */
  readonly sentMessages: LoadMessage[] = [];

  constructor(clock: Clock) {
    super();
    this.#clock = clock;
  }

  /** Throws when a request is outstanding already; the sent message is added to `sentMessages`. */
  send(message: LoadMessage): void {
    if (this.isWaiting) throw new Error('the lane has a request outstanding already');
    this.begin(message, this.#clock.nowNs());
    this.sentNs = this.startNs;
    this.isWaiting = true;
    this.sentMessages.push(message);
  }

  /** A response of a request that will have more. */
  respond(): void {
    this.responseCount += 1;
  }

  /** The last response; with an error the request failed, in transport or by the server's word. */
  answer(error?: string, isTransportError = false): void {
    this.isWaiting = false;
    this.endNs = this.#clock.nowNs();
    this.firstNs = this.endNs;
    this.responseCount += 1;
    this.error = error;
    this.isTransportError = isTransportError;
    this.onDone(this);
  }

  /** Drops what is outstanding, without an answer. */
  close(): void {
    this.isClosed = true;
    this.isWaiting = false;
  }
}

/** Messages of which each names its slot as the stream and its number as the step. */
export class CountingSource implements MessageSource {
  /** Slots whose sequence is open, so that a drain ends it. */
  readonly open = new Set<number>();
  #step = 0;
  readonly #isSequence: boolean;

  constructor({ isSequence = false } = {}) {
    this.#isSequence = isSequence;
  }

  next(slot: number): LoadMessage {
    this.#step += 1;
    if (this.#isSequence) this.open.add(slot);
    return { ...NO_MESSAGE, stream: slot, step: this.#step };
  }

  finish(slot: number): LoadMessage | undefined {
    return this.open.delete(slot) ? { ...NO_MESSAGE, stream: slot, isSequenceEnd: true } : undefined;
  }
}
