// What the client may still send over a whole connection, and when it is told to go on.

import { ConnectionFault, FAULT, FRAME } from './codes.ts';
import { numberFrame } from './frame-writer.ts';
import { LIMITS } from './limits.ts';
import type { Output } from './output.ts';

/**
 * The client is told to go on (WINDOW_UPDATE) each time half of the window has been used. Bytes count as used when they
 * arrive, not when somebody has read them: what is unread is held up by the window of its own stream.
 */
export class ReceiveWindow {
  readonly #output: Output;
  #left: number = LIMITS.connectionWindow;
  #unacknowledged = 0;

  constructor(output: Output) {
    this.#output = output;
  }

  /** Throws when the client sends more than it may. */
  take(byteSize: number): void {
    this.#left -= byteSize;
    if (this.#left < 0) throw new ConnectionFault(FAULT.flowControl, 'more data than the connection takes');
    this.#unacknowledged += byteSize;
    if (this.#unacknowledged < LIMITS.connectionWindow / 2) return;
    this.#output.pushControl(numberFrame(FRAME.windowUpdate, 0, this.#unacknowledged));
    this.#left += this.#unacknowledged;
    this.#unacknowledged = 0;
  }
}
