// How much resident memory of this process each load took and each unload gave back. Only told when nothing else was
// loaded or closed meanwhile, since memory has no owner's name on it.

import { Disposer } from '../../base/disposer.ts';
import type { EventBus } from '../../base/event-bus.ts';
import type { RepositoryEvents } from '../../repository/repository-events.ts';

interface Measuring {
  readonly startBytes: number;
  isAlone: boolean;
}

interface LoadMemoryOptions {
  readonly events: EventBus<RepositoryEvents>;
  readonly residentBytes: () => number;
}

/** Bytes of resident memory of the engine's process alone: neither GPU memory nor that of Python processes. */
export class LoadMemory {
  readonly #options: LoadMemoryOptions;
  /** The first load of a process brings the runtime's own memory along, whichever model it is. */
  #isFirst = true;
  readonly #running = new Map<string, Measuring>();
  readonly #taken = new Map<string, number>();
  readonly #disposer = new Disposer();

  constructor(options: LoadMemoryOptions) {
    this.#options = options;
    const { events } = options;
    const phases = events.subscribe('loadPhase', ({ id, version, phase }) => {
      const key = keyOf(id.name, version);
      if (phase !== undefined && !this.#running.has(key)) this.#start(key);
      if (phase === undefined) this.#endLoad(key);
    });
    const states = events.subscribe('versionState', ({ id, version, state }) => {
      if (state === 'UNAVAILABLE') this.#taken.delete(keyOf(id.name, version));
      if (state !== 'UNLOADING') return;
      const own = unloadKey(id.name);
      for (const [key, measuring] of this.#running) if (key !== own) measuring.isAlone = false;
    });
    this.#disposer.defer(() => {
      phases[Symbol.dispose]();
      states[Symbol.dispose]();
    });
  }

  /** Follows no more loads. */
  close(): Promise<void> {
    return this.#disposer.close();
  }

  /** What the latest load of a version took; undefined when it could not be told apart, 0 when the process did not grow. */
  taken(name: string, version: string): number | undefined {
    return this.#taken.get(keyOf(name, version));
  }

  /** Begins to measure an unload; the returned function ends it and tells how much less is in use. */
  measureUnload(name: string): () => number | undefined {
    const key = unloadKey(name);
    const measuring = this.#start(key);
    return () => {
      this.#running.delete(key);
      return measuring.isAlone ? measuring.startBytes - this.#options.residentBytes() : undefined;
    };
  }

  #start(key: string): Measuring {
    const isAlone = this.#running.size === 0 && !this.#isFirst;
    const measuring = { startBytes: this.#options.residentBytes(), isAlone };
    for (const other of this.#running.values()) other.isAlone = false;
    this.#running.set(key, measuring);
    return measuring;
  }

  #endLoad(key: string): void {
    const measuring = this.#running.get(key);
    if (measuring === undefined) return;
    this.#running.delete(key);
    this.#isFirst = false;
    const bytes = this.#options.residentBytes() - measuring.startBytes;
    if (measuring.isAlone) this.#taken.set(key, Math.max(0, bytes));
    else this.#taken.delete(key);
  }
}

function keyOf(name: string, version: string): string {
  return `${name}/${version}`;
}

/** No model name has a slash at its end. */
function unloadKey(name: string): string {
  return `${name}/`;
}
