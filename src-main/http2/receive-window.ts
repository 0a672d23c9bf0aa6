// What the client may still send over a whole connection, and when it is told to go on.

import { ConnectionFault, FAULT, FRAME } from './codes.ts';
import { numberFrame } from './frame-writer.ts';
import { LIMITS } from './limits.ts';
import type { Output } from './output.ts';

/**
 * Grows by half of its size at a time. Bytes count when they come, not when somebody has used them: each stream
 * has a window for that.
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
