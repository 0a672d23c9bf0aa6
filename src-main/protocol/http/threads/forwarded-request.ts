// A request that a thread has read and the engine answers.

import type { PlainHead } from '../wire/plain-head.ts';
import type { WireOwner, WireRequest } from '../wire/wire-rules.ts';

/** Its answer comes once; `giveUp` is called when nobody waits for it any more before. */
export class ForwardedRequest implements WireRequest {
  readonly head: PlainHead;
  readonly number: number;
  readonly receivedAtNs: number;
  readonly isWaitedFor = false;
  parts: readonly Uint8Array[] | undefined;
  isKeptAlive: boolean;
  readonly #connection: WireOwner;
  readonly #giveUp: (number: number) => void;

  constructor(
    connection: WireOwner,
    head: PlainHead,
    number: number,
    receivedAtNs: number,
    giveUp: (number: number) => void,
  ) {
    this.#connection = connection;
    this.head = head;
    this.number = number;
    this.receivedAtNs = receivedAtNs;
    this.isKeptAlive = head.isKeptAlive;
    this.#giveUp = giveUp;
  }

  /** The whole answer, head and body. Goes nowhere where the connection has ended. */
  answer(bytes: Uint8Array, isKeptAlive: boolean): void {
    if (!this.#connection.isOpen) return;
    this.parts = [bytes];
    this.isKeptAlive = isKeptAlive;
    this.#connection.answered(this);
  }

  over(wasSent: boolean): void {
    if (!wasSent && this.parts === undefined) this.#giveUp(this.number);
  }
}
