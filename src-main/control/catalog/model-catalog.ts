// All models of all repositories as the window shows them. Keeps what was read from disk until the watcher reports a
// change, follows the repository's events, and tells which views changed. Views are built from memory.

import type { BackendDescription } from '../../../src-shared/config/backend-description.ts';
import type { ModelLookup } from '../../../src-shared/config/composing-model.ts';
import { firstError } from '../../../src-shared/config/config-issue.ts';
import type { ModelConfig } from '../../../src-shared/config/model-config.ts';
import type { ConfigIssueView } from '../../../src-shared/contract/config-calls.ts';
import type { ModelView } from '../../../src-shared/contract/model-view.ts';
import type { RepositoryView } from '../../../src-shared/contract/repository-calls.ts';
import { Disposer } from '../../base/disposer.ts';
import type { VersionRecord } from '../../repository/model-lifecycle.ts';
import type { ModelRepository } from '../../repository/model-repository.ts';
import type { FolderLocation } from '../../repository/repository-scanner.ts';
import type { CatalogChange, CatalogEntry } from './catalog-entry.ts';
import { markDuplicates, newEntry, sortLocations, versionNumbers } from './catalog-entry.ts';
import type { InspectionMachine } from './config-inspection.ts';
import { inspectConfig, issueView } from './config-inspection.ts';
import type { FolderFacts } from './folder-facts.ts';
import { readFacts } from './store-facts.ts';
import { buildModelView } from './model-view-builder.ts';
import { RefreshQueue } from './refresh-queue.ts';
import { repositoryViews } from './repository-views.ts';
import { catalogErrors } from './catalog-errors.ts';

const PARALLEL_READS = 8;

/** What the catalog follows and asks. It closes none of it. */
export interface ModelCatalogOptions {
  readonly repository: ModelRepository;
  readonly machine: InspectionMachine;
  /** What the load of a serving version took of the process's memory. */
  readonly takenBytes: (name: string, version: string) => number | undefined;
  readonly onChange: (change: CatalogChange) => void;
  readonly onRepositories: () => void;
}

/**
 * Throws NOT_FOUND for a model that no repository has. Of two folders with one name, the one that serves is
 * shown, the other stands behind it.
 */
export class ModelCatalog {
  readonly #options: ModelCatalogOptions;
  readonly #entries = new Map<string, CatalogEntry>();
  /** Folders whose name another repository has too, behind the one in `#entries`. */
  #behind: ReadonlyMap<string, readonly CatalogEntry[]> = new Map();
  readonly #overrides = new Set<string>();
  /** Why models could not be loaded whose repositories cannot be read now, by folder. */
  readonly #awayErrors = new Map<string, string>();
  readonly #disposer = new Disposer();
  #repositories: readonly RepositoryView[] = [];
  #scan: Promise<void> | undefined;
  #isScanned = false;
  #isScanAgain = false;
  readonly #stale = new RefreshQueue(PARALLEL_READS, (name) => this.refresh(name));

  constructor(options: ModelCatalogOptions) {
    this.#options = options;
  }

  /** True before the first scan too: a page that comes early must not take repositories to come for none. */
  get isScanning(): boolean {
    return !this.#isScanned || this.#scan !== undefined;
  }

  get repositories(): readonly RepositoryView[] {
    return this.#repositories;
  }

  /** Reads everything once and follows events from now on. */
  async start(): Promise<void> {
    const { events } = this.#options.repository;
    const follow = (subscription: { [Symbol.dispose](): void }): void =>
      this.#disposer.defer(() => subscription[Symbol.dispose]());
    const touched = ({ id }: { readonly id: { readonly name: string } }): void => this.#tell([id.name]);
    follow(events.subscribe('versionState', touched));
    follow(events.subscribe('loadPhase', touched));
    follow(events.subscribe('modelChanged', touched));
    follow(
      events.subscribe('loadEnded', ({ id, error }) => {
        const entry = this.#entries.get(id.name);
        if (entry !== undefined) entry.loadError = error?.message ?? '';
        this.#tell([id.name]);
        void this.#checkChange(id.name);
      }),
    );
    follow(events.subscribe('filesChanged', ({ name }) => this.#stale.add(name)));
    follow(events.subscribe('foldersChanged', () => void this.rescan()));
    await this.rescan();
  }

  close(): Promise<void> {
    return this.#disposer.close();
  }

  /** What the backends of the server say of themselves. */
  get backends(): readonly BackendDescription[] {
    return this.#options.machine.backends;
  }

  names(): readonly string[] {
    return [...this.#entries.keys()];
  }

  views(): readonly ModelView[] {
    return this.names().flatMap((name) => this.viewsOf(name));
  }

  /** One, or one for each repository that has a folder of that name; empty when there is none. */
  viewsOf(name: string): readonly ModelView[] {
    const entry = this.#entries.get(name);
    return [...(entry === undefined ? [] : [entry]), ...(this.#behind.get(name) ?? [])].map((each) =>
      this.#viewOf(each),
    );
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
      usedBy: this.#usersOf(name),
      duplicateOf: entry.duplicateOf,
      isQuarantined: !isShadowed && repository.quarantined.has(name),
      loadError: entry.loadError,
      inFlight: records.reduce((total, { model }) => total + (model?.useCount ?? 0), 0),
      takenBytes: (version) => this.#options.takenBytes(name, version),
    });
  }

  facts(name: string): FolderFacts {
    return this.#entry(name).facts;
  }

  /** The file as it was when the serving version was loaded. */
  loadedText(name: string): string | undefined {
    return this.#entry(name).loadedText;
  }

  location(name: string): FolderLocation {
    return this.#entry(name).location;
  }

  issues(name: string): readonly ConfigIssueView[] {
    return this.#entry(name).issues;
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

  unloaded(name: string): void {
    this.#overrides.delete(name);
    this.#tell([name]);
  }

  readonly lookup: ModelLookup = (name) => {
    const entry = this.#entries.get(name);
    if (entry === undefined) return undefined;
    const ready = this.#records(name).flatMap(({ state, version }) => (state === 'READY' ? [version] : []));
    return { config: this.config(name), readyVersions: ready.length > 0 ? ready : versionNumbers(entry) };
  };

  /** Reads one folder again. */
  async refresh(name: string): Promise<void> {
    const entry = this.#entries.get(name);
    if (entry === undefined) {
      await this.rescan();
      return;
    }
    await this.#readAll([entry, ...(this.#behind.get(name) ?? [])]);
    this.#tell([name]);
    await this.#checkChange(name);
  }

  /** Marks a serving model whose files are newer than what runs. */
  async #checkChange(name: string): Promise<void> {
    const isServing = this.#records(name).some(({ model }) => model !== undefined);
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
    const { locations, unreadable } = await folders.locate();
    const isListed = ({ name, path }: FolderLocation): boolean =>
      this.#entries.get(name)?.location.path === path;
    const { first, behind } = sortLocations(locations, roots, isListed);
    const fresh: CatalogEntry[] = [];
    for (const [name, location] of first) {
      if (this.#entries.get(name)?.location.path === location.path) continue;
      const entry = { ...newEntry(location), loadError: this.#awayErrors.get(location.path) ?? '' };
      this.#awayErrors.delete(location.path);
      this.#entries.set(name, entry);
      fresh.push(entry);
    }
    const shadowed = this.#placeBehind(behind);
    const marked = markDuplicates(this.#entries, this.#behind, this.#options.repository.folders.isNamespaced);
    const removed = this.names().filter((name) => !first.has(name) && !this.#servesWithout(name, unreadable));
    for (const name of removed) this.#remove(name, unreadable);
    this.#repositories = await repositoryViews(folders, { locations, unreadable });
    await this.#readAll([...fresh, ...shadowed]);
    const isDifferent = fresh.length > 0 || removed.length > 0;
    // What is wrong with an ensemble depends on models that may have been read after it.
    const ensembles = [...this.#entries.values()].filter(
      ({ diskConfig }) => isDifferent && diskConfig.ensembleScheduling !== undefined,
    );
    await this.#readAll(ensembles);
    const changed = new Set([...[...fresh, ...ensembles].map(({ location }) => location.name), ...marked]);
    this.#options.onChange({ changed: [...changed], removed });
  }

  /** A repository that cannot be read now may come back, with its models as they were. */
  #remove(name: string, unreadable: ReadonlyMap<string, string>): void {
    const { location, loadError = '' } = this.#entries.get(name) ?? {};
    if (location !== undefined && unreadable.has(location.repository))
      this.#awayErrors.set(location.path, loadError);
    this.#entries.delete(name);
  }

  /** Whether it still serves, although its repository cannot be read any more. */
  #servesWithout(name: string, unreadable: ReadonlyMap<string, string>): boolean {
    const repository = this.#entries.get(name)?.location.repository ?? '';
    return unreadable.has(repository) && this.#records(name).some(({ model }) => model !== undefined);
  }

  /** Keeps what is known of folders that stay; returns those that have to be read. */
  #placeBehind(locations: ReadonlyMap<string, readonly FolderLocation[]>): readonly CatalogEntry[] {
    const known = new Map([...this.#behind.values()].flat().map((entry) => [entry.location.path, entry]));
    const keep = (location: FolderLocation): CatalogEntry => known.get(location.path) ?? newEntry(location);
    this.#behind = new Map([...locations].map(([name, each]) => [name, each.map(keep)]));
    return [...this.#behind.values()].flat().filter(({ location }) => !known.has(location.path));
  }

  async #readAll(entries: readonly CatalogEntry[]): Promise<void> {
    let next = 0;
    const lane = async (): Promise<void> => {
      for (let at = next++; at < entries.length; at = next++) {
        const entry = entries[at];
        if (entry !== undefined) await this.#read(entry);
      }
    };
    await Promise.all(Array.from({ length: Math.min(PARALLEL_READS, entries.length) }, lane));
  }

  async #read(entry: CatalogEntry): Promise<void> {
    entry.facts = await readFacts(entry.location.path);
    const { name } = entry.location;
    const text = entry.facts.configText ?? '';
    const { machine } = this.#options;
    const checked = await inspectConfig({ name, text, facts: entry.facts, machine, lookup: this.lookup });
    entry.diskConfig = checked.config;
    entry.issues = checked.issues.map(issueView);
    if (entry.facts.configText === undefined && firstError(checked.issues) === undefined) entry.issues = [];
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
    const { name, repository } = entry.location;
    const isFirst = this.#entries.get(name) === entry;
    for (const { id, versions } of this.#options.repository.models()) {
      if (id.name === name && (id.namespace === '' ? isFirst : id.namespace === repository)) return versions;
    }
    return [];
  }

  #usersOf(name: string): readonly string[] {
    const users: string[] = [];
    for (const [other, { diskConfig }] of this.#entries) {
      if (diskConfig.ensembleScheduling?.step.some((step) => step.modelName === name) === true)
        users.push(other);
    }
    return users;
  }

  #tell(names: readonly string[]): void {
    this.#options.onChange({ changed: names.filter((name) => this.#entries.has(name)), removed: [] });
  }
}
