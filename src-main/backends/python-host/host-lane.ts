// The place of one instance in a process: its socket, and the end of both.
// Invariant: `onExit` is told exactly once, after the last frame.

import type { Frame } from './frames.ts';
import type { HostChannel } from './host-channel.ts';

/** What an instance hears from its lane; nothing comes after `onExit`. */
export interface LaneListener {
  /** Frames in the order in which they were sent. The next one waits for a promise that it returns. */
  readonly onFrame: (frame: Frame) => void | Promise<void>;
  /** `how` is a clause: "exit code 1", "signal SIGKILL". */
  readonly onExit: (how: string) => void;
}

/** The process that the lane is a part of. */
export interface LaneOwner {
  readonly pid: number | undefined;
  /** Nobody uses the lane any more. Resolves when it is gone. */
  release(lane: HostLane): Promise<void>;
  /** Ends it with all of its lanes; `fault` says why. */
  fail(fault: string): void;
}

/** `onExit` gets a clause for messages, such as "exit code 1". */
export class HostLane {
  readonly channel: HostChannel;
  readonly #process: LaneOwner;
  readonly #onExit: (how: string) => void;
  #ending: Promise<void> | undefined;

  constructor(process: LaneOwner, channel: HostChannel, onExit: (how: string) => void) {
    this.#process = process;
    this.channel = channel;
    this.#onExit = onExit;
  }

  /** `undefined` until the process has started. */
  get pid(): number | undefined {
    return this.#process.pid;
  }

  /** Ends the lane, and with the last lane its process and what that started, now. Resolves when it is gone. */
  async kill(): Promise<void> {
    await this.#process.release(this);
  }

  /** Ends the process, all of its lanes with it; `fault` is a clause. */
  fail(fault: string): void {
    this.#process.fail(fault);
  }

  /** Told by the process. */
  ended(how: string): Promise<void> {
    this.#ending ??= this.#end(how);
    return this.#ending;
  }

  async #end(how: string): Promise<void> {
    this.#onExit(how);
    await this.channel.close();
  }
}
