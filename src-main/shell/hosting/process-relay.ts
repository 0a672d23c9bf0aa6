// The engine's side of starting other Conch processes: it asks the process above, which forks, and messages pass
// through. All children end with the engine.

import type { ProcessEnd, ProcessSpawner, ProgramFile, SpawnedProcess } from '../../base/process-spawner.ts';
import type { FromEngine, ToEngine } from '../supervision/engine-messages.ts';

class RelayedProcess implements SpawnedProcess {
  /** Not known on this side. */
  readonly pid = undefined;
  readonly #childId: number;
  readonly #send: (message: FromEngine) => void;
  #onMessage: (message: unknown) => void = () => undefined;
  #onExit: (end: ProcessEnd) => void = () => undefined;

  constructor(childId: number, send: (message: FromEngine) => void) {
    this.#childId = childId;
    this.#send = send;
  }

  send(message: unknown): void {
    this.#send({ type: 'spawn-message', childId: this.#childId, message });
  }

  onMessage(listener: (message: unknown) => void): void {
    this.#onMessage = listener;
  }

  onExit(listener: (end: ProcessEnd) => void): void {
    this.#onExit = listener;
  }

  kill(): void {
    this.#send({ type: 'spawn-kill', childId: this.#childId });
  }

  deliver(message: unknown): void {
    this.#onMessage(message);
  }

  exited(end: ProcessEnd): void {
    this.#onExit(end);
  }
}

/**
 * `args` are those of a Conch command line; with `file` another program of ours is started. A child that could
 * not start ends at once.
 */
export class ProcessRelay implements ProcessSpawner {
  readonly #send: (message: FromEngine) => void;
  readonly #children = new Map<number, RelayedProcess>();
  #nextId = 1;

  constructor(send: (message: FromEngine) => void) {
    this.#send = send;
  }

  spawn(args: readonly string[], file?: ProgramFile): SpawnedProcess {
    const childId = this.#nextId++;
    const child = new RelayedProcess(childId, this.#send);
    this.#children.set(childId, child);
    this.#send({ type: 'spawn', childId, args, file });
    return child;
  }

  /** Hands on what is about a child; other messages and unknown children are passed over. */
  receive(message: ToEngine): void {
    if (message.type === 'child-message') this.#children.get(message.childId)?.deliver(message.message);
    if (message.type !== 'child-exit') return;
    const child = this.#children.get(message.childId);
    this.#children.delete(message.childId);
    child?.exited(message.end);
  }
}
