// When a trace is over: once its request has ended and whoever asked for the trace has ended it, whichever comes last. A
// model may release a request after its last response was sent, and a request may be refused before it began.

import type { TraceActivity } from '../inference/request-trace.ts';

/** The end of one trace; `onOver` is called once. */
export class TraceEnd {
  readonly #onOver: () => void;
  #isRequestOpen = false;
  #isWanted = false;
  #isOver = false;

  constructor(onOver: () => void) {
    this.#onOver = onOver;
  }

  /** Nothing is recorded from then on. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Hears of every moment of the request. */
  follow(activity: TraceActivity): void {
    if (activity === 'REQUEST_START') this.#isRequestOpen = true;
    else if (activity === 'REQUEST_END') this.requestEnded();
  }

  /** By itself, or because it was refused. */
  requestEnded(): void {
    this.#isRequestOpen = false;
    if (this.#isWanted) this.want();
  }

  /** Whoever asked for the trace wants no more of it. */
  want(): void {
    this.#isWanted = true;
    if (this.#isOver || this.#isRequestOpen) return;
    this.#isOver = true;
    this.#onOver();
  }
}
