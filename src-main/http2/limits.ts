// What one connection may cost. Every number here ends or delays a connection that goes beyond it.

import { ConnectionFault, FAULT } from './codes.ts';

/** What one connection may ask of a server, and how long it may take. */
export const LIMITS = {
  /** Calls of one connection at a time; more are refused and may be tried again. */
  streams: 10_000,
  /** Fields of one call, counted as RFC 9113, 6.5.2 does: what gRPC takes at most. */
  headerListBytes: 16_384,
  /** The same of an answer, which ours reads as a client. */
  answerListBytes: 65_536,
  /**
   * Header block as it comes, and the frames that it may come in. Many times what is taken: a call with too much is
   * refused by itself, and the others of its connection go on.
   */
  headerBlockBytes: 1024 * 1024,
  headerBlockFrames: 64,
  headerTableBytes: 4096,
  /** Bytes that a client may send before it is told to go on: of a call, and of all calls. */
  streamWindow: 4 * 1024 * 1024,
  connectionWindow: 16 * 1024 * 1024,
  /** What every client may send; larger ones are not faster, as data is handed on in the parts in which it comes. */
  frameBytes: 16_384,
  /** Frames that go out are no larger, whatever the client takes: calls take turns. */
  sentFrameBytes: 1024 * 1024,
  /** Written but not taken by the client: beyond this no more data is put behind it ... */
  waitingBytes: 1024 * 1024,
  /** ... and this much more of answers to pings and settings ends the connection. */
  waitingControlBytes: 256 * 1024,
  /** Calls that the client or a fault of its resets: at once, and per second. Clients that cancel much stay below. */
  resets: { burst: 100_000, perSecond: 10_000 },
  /** Settings, and frames that carry nothing: at once, and per second. */
  idleFrames: { burst: 10_000, perSecond: 1000 },
  /** For the preface of a new connection. */
  prefaceMs: 20_000,
} as const;

/** Counts events against a burst and a rate. */
class Budget {
  readonly #burst: number;
  readonly #perMs: number;
  #left: number;
  #atMs: number;

  constructor({ burst, perSecond }: { readonly burst: number; readonly perSecond: number }, nowMs: number) {
    this.#burst = burst;
    this.#perMs = perSecond / 1000;
    this.#left = burst;
    this.#atMs = nowMs;
  }

  /** False when there were too many. */
  take(nowMs: number): boolean {
    this.#left = Math.min(this.#burst, this.#left + (nowMs - this.#atMs) * this.#perMs) - 1;
    this.#atMs = nowMs;
    return this.#left >= 0;
  }
}

/** Frames of which a client may send only so many; counting one too many throws. */
export class FrameBudgets {
  readonly #resets: Budget;
  readonly #idleFrames: Budget;

  constructor(nowMs: number) {
    this.#resets = new Budget(LIMITS.resets, nowMs);
    this.#idleFrames = new Budget(LIMITS.idleFrames, nowMs);
  }

  /** A call that ends by a reset. */
  reset(nowMs: number): void {
    if (!this.#resets.take(nowMs)) throw new ConnectionFault(FAULT.enhanceYourCalm, 'too many resets');
  }

  /** A frame that carries nothing. */
  idle(nowMs: number): void {
    if (this.#idleFrames.take(nowMs)) return;
    throw new ConnectionFault(FAULT.enhanceYourCalm, 'too many frames that say nothing');
  }
}
