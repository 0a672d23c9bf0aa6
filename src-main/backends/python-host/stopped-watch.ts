// Notices that a process was stopped (SIGSTOP) while somebody waits for it: it would never answer. Triton takes such a
// process for dead after a second; one that a debugger holds goes on in its own time, and is left alone.

import { readFile } from 'node:fs/promises';
import type { Clock, Timer } from '../../base/clock.ts';

const LOOK_MS = 1000;

/** Looks once a second while anything is awaited, and never otherwise. Without /proc it sees nothing. */
export class StoppedWatch {
  readonly #clock: Clock;
  readonly #pid: () => number | undefined;
  readonly #onStopped: () => void;
  #awaited = 0;
  #timer: Timer | undefined;
  #isClosed = false;

  constructor(clock: Clock, pid: () => number | undefined, onStopped: () => void) {
    this.#clock = clock;
    this.#pid = pid;
    this.#onStopped = onStopped;
  }

  /** Something of the process is awaited from now on. */
  begin(): void {
    this.#awaited += 1;
    this.#timer ??= this.#clock.after(LOOK_MS, () => void this.#look());
  }

  /** It came. */
  end(): void {
    this.#awaited = Math.max(0, this.#awaited - 1);
  }

  /** Looks no more, whatever is still awaited. */
  close(): void {
    this.#isClosed = true;
    this.#timer?.cancel();
  }

  async #look(): Promise<void> {
    const isStopped = this.#awaited > 0 && (await stateOf(this.#pid())) === 'T';
    this.#timer = undefined;
    if (this.#isClosed) return;
    if (isStopped) this.#onStopped();
    else if (this.#awaited > 0) this.#timer = this.#clock.after(LOOK_MS, () => void this.#look());
  }
}

/** The letter behind the name of the program, which may hold anything. */
async function stateOf(pid: number | undefined): Promise<string> {
  if (pid === undefined) return '';
  const stat = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => '');
  return stat.slice(stat.lastIndexOf(')') + 2, stat.lastIndexOf(')') + 3);
}
