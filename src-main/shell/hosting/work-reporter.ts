// Tells the process above which repositories are open and which models were loaded and unloaded, so that a new engine
// process can take up where this one stopped. Silent until the start set was tried: a start that was cut short changes
// nothing.

import type { Subscription } from '../../base/event-bus.ts';
import { UNLOADED_REASON } from '../../repository/lifecycle-state.ts';
import type { ModelRepository } from '../../repository/model-repository.ts';
import type { OpenWork } from '../supervision/engine-messages.ts';

type Repository = Pick<ModelRepository, 'events' | 'models'> & {
  readonly folders: Pick<ModelRepository['folders'], 'all'>;
};

/** Reports the whole of the work each time, and only when it differs from the last report. */
export class WorkReporter {
  readonly #repository: Repository;
  readonly #report: (work: OpenWork) => void;
  #subscriptions: readonly Subscription[] = [];
  #last = '';
  #isPending = false;

  constructor(repository: Repository, report: (work: OpenWork) => void) {
    this.#repository = repository;
    this.#report = report;
  }

  /** Reports at once, then after each change. To be called when the start set was tried. */
  start(): void {
    const { events } = this.#repository;
    this.#subscriptions = [
      events.subscribe('versionState', () => this.#later()),
      events.subscribe('loadEnded', () => this.#later()),
      events.subscribe('foldersChanged', () => this.#later()),
    ];
    this.#tell();
  }

  /** Reports nothing any more; the last report stands. */
  close(): void {
    for (const subscription of this.#subscriptions) subscription[Symbol.dispose]();
    this.#subscriptions = [];
  }

  /** One report for all changes of one turn of the loop. */
  #later(): void {
    if (this.#isPending) return;
    this.#isPending = true;
    setImmediate(() => {
      this.#isPending = false;
      if (this.#subscriptions.length > 0) this.#tell();
    });
  }

  #tell(): void {
    const work = workOf(this.#repository);
    const text = JSON.stringify(work);
    if (text === this.#last) return;
    this.#last = text;
    this.#report(work);
  }
}

function workOf(repository: Repository): OpenWork {
  const loaded = new Set<string>();
  const unloaded = new Set<string>();
  for (const { id, versions } of repository.models()) {
    const isLoaded = versions.some(({ state }) => state === 'READY' || state === 'LOADING');
    const isUnloaded = versions.some(
      ({ state, reason }) => state === 'UNLOADING' || (state === 'UNAVAILABLE' && reason === UNLOADED_REASON),
    );
    if (isLoaded) loaded.add(id.name);
    else if (isUnloaded) unloaded.add(id.name);
  }
  return { repositories: repository.folders.all, loaded: [...loaded].sort(), unloaded: [...unloaded].sort() };
}
