// All models of all repositories as the window shows them. Keeps what was read from disk until the watcher reports a
// change, follows the repository's events, and tells which views changed. Views are built from memory.

import type { BackendDescription } from '../../../src-shared/config/backend-description.ts';
import type { ModelLookup } from '../../../src-shared/config/composing-model.ts';
import type { ModelConfig } from '../../../src-shared/config/model-config.ts';
import type { ModelView } from '../../../src-shared/contract/model-view.ts';
import type { RepositoryView } from '../../../src-shared/contract/repository-calls.ts';
import { Disposer } from '../../base/disposer.ts';
import { eachParallel } from '../../base/each-parallel.ts';
import { SerialQueue } from '../../base/serial-queue.ts';
import type { VersionRecord } from '../../repository/model-lifecycle.ts';
import type { ModelRepository } from '../../repository/model-repository.ts';
import type { FolderLocation } from '../../repository/repository-scanner.ts';
import type { CatalogChange, CatalogEntry } from './catalog-entry.ts';
import {
  AwayErrors,
  markDuplicates,
  newEntry,
  recordsOf,
  sortLocations,
  unreadOf,
  usersOf,
  versionNumbers,
  withKnown,
} from './catalog-entry.ts';
import { builtEntries, builtWith, keepFailedFiles, lastFailure } from './failed-files.ts';
import { findingsOf, inspectConfig, type InspectionMachine } from './config-inspection.ts';
import type { FolderFacts } from './folder-facts.ts';
import { readFacts } from './store-facts.ts';
import { buildModelView } from './model-view-builder.ts';
import { locationsOf, type PatientListings } from './patient-listings.ts';
import { RefreshQueue } from './refresh-queue.ts';
import { repositoryViews } from './repository-views.ts';
import { catalogErrors } from './catalog-errors.ts';

const PARALLEL_READS = 8;

/** What the catalog follows and asks. It closes none of it. */
export interface ModelCatalogOptions {
  readonly repository: ModelRepository;
  readonly listings: PatientListings;
  readonly machine: InspectionMachine;
  /** Milliseconds since the Unix epoch. */
  readonly wallMs: () => number;
  /** What the load of a serving version took of the process's memory. */
  readonly takenBytes: (name: string, version: string) => number | undefined;
  /** Names of models whose views are others now, or are gone. Called inside of whatever changed them. */
  readonly onChange: (change: CatalogChange) => void;
  /** The list of repositories, or what can be read of them, is another one now. */
  readonly onRepositories: () => void;
}

/** NOT_FOUND for a model that no repository has. Of two folders with one name the one that serves is shown. */
export class ModelCatalog {
  readonly #options: ModelCatalogOptions;
  readonly #entries = new Map<string, CatalogEntry>();
  /** Folders whose name another repository has too, behind the one in `#entries`. */
  #behind: ReadonlyMap<string, readonly CatalogEntry[]> = new Map();
  readonly #overrides = new Set<string>();
  readonly #away = new AwayErrors();
  readonly #disposer = new Disposer();
  #repositories: readonly RepositoryView[] = [];
  #scan: Promise<void> | undefined;
  #isScanned = false;
  #isScanAgain = false;
  readonly #reads = new SerialQueue();
  readonly #stale = new RefreshQueue(PARALLEL_READS, (name) => this.refresh(name));

  constructor(options: ModelCatalogOptions) {
    this.#options = options;
  }

  /** True before the first scan too: a page that comes early must not take repositories to come for none. */
  get isScanning(): boolean {
    return !this.#isScanned || this.#scan !== undefined;
  }

  /** As the last scan found them; empty before the first. */
  get repositories(): readonly RepositoryView[] {
    return this.#repositories;
  }

  /** Reads everything once and follows events from now on. */
  async start(): Promise<void> {
    const { events } = this.#options.repository;
    const follow = (subscription: { [Symbol.dispose](): void }): void =>
      this.#disposer.defer(() => subscription[Symbol.dispose]());
    const touched = ({ id }: { readonly id: { readonly name: string } }): void => this.#tell([id.name]);
    follow(events.subscribe('versionState', ({ id }) => this.#followState(id.name)));
    follow(events.subscribe('loadPhase', touched));
    follow(events.subscribe('modelChanged', touched));
    follow(events.subscribe('loadEnded', ({ id, error }) => void this.#endLoad(id.name, error?.message)));
    follow(events.subscribe('filesChanged', ({ name }) => this.#stale.add(name)));
    follow(events.subscribe('foldersChanged', () => void this.rescan()));
    await this.rescan();
  }

  /** Follows no more events. */
  close(): Promise<void> {
    return this.#disposer.close();
  }

  /** What the backends of the server say of themselves. */
  get backends(): readonly BackendDescription[] {
    return this.#options.machine.backends;
  }

  /** Of all models of all repositories, loaded or not. */
  names(): readonly string[] {
    return [...this.#entries.keys()];
  }

  /** Of all models; as many for a name as `viewsOf` gives. */
  views(): readonly ModelView[] {
    return this.names().flatMap((name) => this.viewsOf(name));
  }

  /** One, or one for each repository that has a folder of that name; empty when there is none. */
  viewsOf(name: string): readonly ModelView[] {
    const entries = [this.#entries.get(name), ...(this.#behind.get(name) ?? [])];
    return entries.flatMap((entry) => (entry === undefined ? [] : this.#viewOf(entry)));
  }

  /** NOT_FOUND when no repository has a folder of that name. */
  view(name: string): ModelView {
    return this.#viewOf(this.#entry(name));
  }

  #viewOf(entry: CatalogEntry): ModelView {
    const { repository } = this.#options;
    const { name } = entry.location;
    const isShadowed = this.#entries.get(name) !== entry;
    const records = this.#recordsOf(entry);
    return buildModelView({
      name,
      repository: entry.location.repository,
      isShadowed,
      facts: entry.facts,
      records,
      diskConfig: entry.diskConfig,
      backends: this.backends,
      issues: entry.issues,
      hasOverride: !isShadowed && this.#overrides.has(name),
      changedOnDisk: entry.changedOnDisk,
      isConfigChanged: entry.changedOnDisk && entry.loadedText !== entry.facts.configText,
      usedBy: usersOf(name, this.#entries),
      duplicateOf: entry.duplicateOf,
      isQuarantined: !isShadowed && repository.quarantined.has(name),
      ...lastFailure(entry, this.#entries),
      inFlight: records.reduce((total, { model }) => total + (model?.useCount ?? 0), 0),
      takenBytes: (version) => this.#options.takenBytes(name, version),
    });
  }

  /** As they were read last. NOT_FOUND for a name that no repository has. */
  facts(name: string): FolderFacts {
    return this.#entry(name).facts;
  }

  /** The file as it was when the serving version was loaded. */
  loadedText(name: string): string | undefined {
    return this.#entry(name).loadedText;
  }

  /** Of the folder that is the model's. NOT_FOUND for a name that no repository has. */
  location(name: string): FolderLocation {
    return this.#entry(name).location;
  }

  /** The configuration of the newest serving version, else the one on disk. */
  config(name: string): ModelConfig {
    const serving = this.#records(name).findLast(({ model }) => model !== undefined);
    return serving?.model?.config ?? this.#entry(name).diskConfig;
  }

  /** A load ended: what is on disk is what runs, unless an override was given. */
  loaded(name: string, options: { readonly hasOverride: boolean }): void {
    if (options.hasOverride) this.#overrides.add(name);
    else this.#overrides.delete(name);
    const entry = this.#entries.get(name);
    if (entry !== undefined && !options.hasOverride) {
      entry.changedOnDisk = false;
      entry.loadedText = entry.facts.configText;
    }
    this.#tell([name]);
  }

  /** An unload ended: an override is over. */
  unloaded(name: string): void {
    this.#overrides.delete(name);
    this.#tell([name]);
  }

  /** Versions that serve, else those on disk; `undefined` for a name that no repository has. */
  readonly lookup: ModelLookup = (name) => {
    const entry = this.#entries.get(name);
    if (entry === undefined) return undefined;
    const ready = this.#records(name).flatMap(({ state, version }) => (state === 'READY' ? [version] : []));
    return { config: this.config(name), readyVersions: ready.length > 0 ? ready : versionNumbers(entry) };
  };

  /** Reads one folder again. */
  async refresh(name: string): Promise<void> {
    const entry = this.#entries.get(name);
    if (entry === undefined) return this.rescan();
    await this.#readAll([entry, ...(this.#behind.get(name) ?? [])]);
    this.#tell(builtWith(name, this.#entries));
    await this.#checkChange(name);
  }

  /** One without a folder is there for as long as it serves. */
  #followState(name: string): void {
    this.#tell([name]);
    if (this.#entries.get(name)?.facts.error !== undefined && !this.#isServing(name)) void this.rescan();
  }

  /** A client may load a folder before it was noticed here. */
  async #endLoad(name: string, loadError: string | undefined): Promise<void> {
    const endedAtMs = this.#options.wallMs();
    if (loadError !== undefined && !this.#entries.has(name)) {
      // What is there only later was not what failed.
      const { locations } = await this.#options.repository.folders.locate();
      if (!locations.some((location) => location.name === name)) return;
      await this.rescan();
    }
    const entry = this.#entries.get(name);
    if (entry !== undefined) Object.assign(entry, { loadError, failedFiles: undefined });
    this.#tell([name]);
    if (entry !== undefined && loadError !== undefined) {
      await this.#readAll(builtEntries(entry, this.#entries));
      keepFailedFiles(entry, this.#entries, endedAtMs);
    }
    await this.#checkChange(name);
  }

  /** Marks a serving model whose files are newer than what runs. */
  async #checkChange(name: string): Promise<void> {
    const isServing = this.#isServing(name);
    const isChanged = isServing && (await this.#options.repository.isModified(name));
    const entry = this.#entries.get(name);
    if (entry === undefined) return;
    if (isServing && !isChanged && !this.#overrides.has(name)) entry.loadedText = entry.facts.configText;
    if (entry.changedOnDisk === isChanged) return;
    entry.changedOnDisk = isChanged;
    this.#tell([name]);
  }

  /** Lists the repositories again; a scan that runs is followed by one more. */
  async rescan(): Promise<void> {
    if (this.#scan !== undefined) {
      this.#isScanAgain = true;
      while (this.#scan !== undefined) await this.#scan;
      return;
    }
    this.#scan = this.#scanAll();
    try {
      await this.#scan;
    } finally {
      this.#isScanned = true;
      this.#scan = undefined;
      this.#options.onRepositories();
    }
    if (this.#isScanAgain) {
      this.#isScanAgain = false;
      await this.rescan();
    }
  }

  async #scanAll(): Promise<void> {
    const { folders, roots } = this.#options.repository;
    const listed = await this.#options.listings.locate(folders.all);
    const locations = locationsOf(listed, roots, this.#entries.values());
    const isListed = ({ name, path }: FolderLocation): boolean =>
      this.#entries.get(name)?.location.path === path;
    const { first, behind } = sortLocations(locations, roots, isListed);
    const fresh: CatalogEntry[] = [];
    for (const [name, location] of first) {
      if (this.#entries.get(name)?.location.path === location.path) continue;
      const entry = { ...newEntry(location), loadError: this.#away.take(location.path) };
      this.#entries.set(name, entry);
      fresh.push(entry);
    }
    const shadows = withKnown(behind, this.#behind);
    this.#behind = shadows.behind;
    const marked = markDuplicates(this.#entries, this.#behind, this.#options.repository.folders.isNamespaced);
    const stays = (name: string, { location }: CatalogEntry): boolean =>
      first.has(name) || (roots.includes(location.repository) && this.#isServing(name));
    const removed = [...this.#entries].flatMap(([name, entry]) => (stays(name, entry) ? [] : [name]));
    for (const name of removed) {
      this.#away.keep(this.#entries.get(name), listed.unreadable);
      this.#entries.delete(name);
    }
    this.#repositories = await repositoryViews(folders, listed);
    const away = unreadOf(this.#entries, first);
    await this.#readAll([...fresh, ...shadows.fresh, ...away]);
    const isDifferent = fresh.length > 0 || removed.length > 0;
    // What is wrong with an ensemble depends on models that may have been read after it.
    const ensembles = [...this.#entries.values()].filter(
      ({ diskConfig }) => isDifferent && diskConfig.ensembleScheduling !== undefined,
    );
    await this.#readAll(ensembles);
    const read = [...fresh, ...away, ...ensembles].map(({ location }) => location.name);
    this.#options.onChange({ changed: [...new Set([...read, ...marked])], removed });
  }

  #isServing(name: string): boolean {
    return this.#records(name).some(({ model }) => model !== undefined);
  }

  /** Reads of one folder follow each other: else an older one could end last, and what it saw would stay. */
  async #readAll(entries: readonly CatalogEntry[]): Promise<void> {
    await eachParallel(entries, PARALLEL_READS, (entry) =>
      this.#reads.run(entry.location.path, () => this.#read(entry)),
    );
  }

  async #read(entry: CatalogEntry): Promise<void> {
    entry.facts = await readFacts(entry.location.path);
    const { name } = entry.location;
    const text = entry.facts.configText ?? '';
    const { machine } = this.#options;
    const checked = await inspectConfig({ name, text, facts: entry.facts, machine, lookup: this.lookup });
    entry.diskConfig = checked.config;
    entry.issues = findingsOf(entry.facts, checked.issues);
  }

  #entry(name: string): CatalogEntry {
    const entry = this.#entries.get(name);
    if (entry === undefined) throw catalogErrors.noModel({ model: name });
    return entry;
  }

  #records(name: string): readonly VersionRecord[] {
    const entry = this.#entries.get(name);
    return entry === undefined ? [] : this.#recordsOf(entry);
  }

  /** A folder behind another one has records of its own only in a namespace. */
  #recordsOf(entry: CatalogEntry): readonly VersionRecord[] {
    const isFirst = this.#entries.get(entry.location.name) === entry;
    return recordsOf(this.#options.repository.models(), entry, isFirst);
  }

  #tell(names: readonly string[]): void {
    this.#options.onChange({ changed: names.filter((name) => this.#entries.has(name)), removed: [] });
  }
}
