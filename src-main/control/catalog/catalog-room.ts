// The models as the window shows them: keeps the catalog, tells pages when repositories or configuration files change,
// and remembers what memory loading took. The calls about models are answered by the rooms above.

import type { Clock } from '../../base/clock.ts';
import { settledBefore } from '../../base/deadline.ts';
import { Disposer } from '../../base/disposer.ts';
import type { ModelRepository } from '../../repository/model-repository.ts';
import type { ControlRoom, Publish } from '../pages/control-room.ts';
import type { CatalogChange } from './catalog-entry.ts';
import type { InspectionMachine } from './config-inspection.ts';
import { LoadMemory } from './load-memory.ts';
import { ModelCatalog } from './model-catalog.ts';
import { PatientListings } from './patient-listings.ts';

/** How long a start waits for models to be read: what a store is slow to tell comes later. */
const START_PATIENCE_NS = 1.5e9;

interface CatalogRoomOptions {
  readonly clock: Clock;
  readonly repository: ModelRepository;
  readonly machine: InspectionMachine;
  readonly publish: Publish;
  readonly onModels: (change: CatalogChange) => void;
}

/** Has no calls of its own. The first scan begins with `start`; who asks before that gets an empty catalog. */
export class CatalogRoom implements ControlRoom {
  readonly handlers = {};
  readonly catalog: ModelCatalog;
  readonly memory: LoadMemory;
  readonly #options: CatalogRoomOptions;
  readonly #disposer = new Disposer();

  constructor(options: CatalogRoomOptions) {
    this.#options = options;
    const { clock, repository, machine, onModels } = options;
    this.memory = this.#disposer.add(
      new LoadMemory({ events: repository.events, residentBytes: () => process.memoryUsage.rss() }),
    );
    this.catalog = new ModelCatalog({
      listings: new PatientListings({
        clock,
        ask: (root) => repository.folders.locateIn(root),
        onLate: () => void this.catalog.rescan(),
      }),
      repository,
      machine,
      wallMs: () => clock.wallMs(),
      takenBytes: (name, version) => this.memory.taken(name, version),
      onChange: onModels,
      onRepositories: () => this.#tellRepositories(),
    });
  }

  async start(): Promise<void> {
    const files = this.#options.repository.events.subscribe('filesChanged', ({ name, isConfig }) => {
      if (isConfig) void this.catalog.refresh(name).then(() => this.#tellConfig(name));
      else this.#options.publish('code/changedOnDisk', { model: name });
    });
    this.#disposer.add(this.catalog);
    this.#disposer.defer(() => files[Symbol.dispose]());
    const { clock } = this.#options;
    await settledBefore(clock, clock.nowNs() + START_PATIENCE_NS, this.catalog.start());
  }

  close(): Promise<void> {
    return this.#disposer.close();
  }

  #tellRepositories(): void {
    const { repositories, isScanning } = this.catalog;
    this.#options.publish('repository/list', { repositories, isScanning });
  }

  #tellConfig(model: string): void {
    if (!this.catalog.names().includes(model)) return;
    this.#options.publish('config/changedOnDisk', { model });
  }
}
