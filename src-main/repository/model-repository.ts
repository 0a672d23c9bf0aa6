// The model repository: which models exist, which are loaded, and every operation that changes that. Wire calls and
// calls of the window end here; whether the wire may control models is decided by the service. Invariant: whatever an
// operation does, a request finds either a complete model or a clear error.

import type { ServerError } from '../../src-shared/errors.ts';
import { internal } from '../../src-shared/errors.ts';
import type { EventBus } from '../base/event-bus.ts';
import { getLogger } from '../base/log.ts';
import type { ModelInvoker } from '../inference/model-invoker.ts';
import type { RequestTapPoint } from '../inference/request-tap.ts';
import { type FailedLoad, loadCallError } from './load-waves.ts';
import { reportOf, type StartReport } from './start-report.ts';
import type { Model } from './model.ts';
import { ModelHandle } from './model-handle.ts';
import { liveVersions } from './live-versions.ts';
import { checkModelName, compareIds, type ModelKey, modelKey } from './model-identity.ts';
import type { ModelLifecycle, VersionRecord } from './model-lifecycle.ts';
import { lookupModel } from './model-lookup.ts';
import { warmUpModel, type WarmupOptions } from './warm-up-model.ts';
import type { ModelOverride } from './polled-model.ts';
import type { RepositoryEvents } from './repository-events.ts';
import { RepositoryFolders } from './repository-folders.ts';
import { repositoryIndex, type IndexEntry } from './repository-index.ts';
import type { RepositoryOptions } from './repository-options.ts';
import type { PollRequest, RepositoryPoller } from './repository-poller.ts';
import type { RepositoryRoots } from './repository-roots.ts';
import { knownInStores, unusableRepositories } from './repository-scanner.ts';
import type { RepositoryTransactions, TransactionResult } from './repository-transactions.ts';
import { draft, type TransactionDraft, NO_POLL, NOTHING } from './transaction-draft.ts';
import { loadErrors } from './load-errors.ts';
import { NamedModels } from './named-models.ts';
import { repositoryErrors } from './repository-errors.ts';

const log = getLogger('repository');

/** The parts of the repository, built; closing it closes them. */
export interface ModelRepositoryParts {
  readonly options: RepositoryOptions;
  readonly lifecycle: ModelLifecycle;
  readonly transactions: RepositoryTransactions;
  readonly poller: RepositoryPoller;
  /** Shared with the poller; the repository owns changes. */
  readonly roots: RepositoryRoots;
  readonly events: EventBus<RepositoryEvents>;
  readonly tapPoint: RequestTapPoint;
}

/** How a model is loaded by hand. */
export interface LoadOptions {
  readonly override?: ModelOverride | undefined;
  /** Rebuild although nothing changed on disk. */
  readonly isForced?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

interface UnloadOptions {
  readonly unloadDependents: boolean;
  readonly signal?: AbortSignal | undefined;
}

/** Operations throw ServerError with the reference's texts; cancelled ones reject with the signal's reason. */
export class ModelRepository implements ModelInvoker {
  readonly folders: RepositoryFolders;
  readonly tapPoint: RequestTapPoint;
  readonly #parts: ModelRepositoryParts;
  readonly #names: NamedModels;
  readonly #stop = new AbortController();
  /** Models unloaded from the window: polling must not bring them back. */
  readonly #heldBack = new Set<string>();
  readonly #quarantined: Map<string, string>;

  constructor(parts: ModelRepositoryParts) {
    this.#parts = parts;
    this.tapPoint = parts.tapPoint;
    this.#quarantined = new Map(parts.options.quarantined);
    this.#names = new NamedModels(parts.lifecycle, parts.transactions, parts.options.namespacing);
    this.folders = new RepositoryFolders({
      ...parts,
      unloadFrom: (root, names) => this.#unloadFrom(root, names),
      loadedFrom: (root, names) => names.filter((name) => this.#isServing(root, name)),
    });
  }

  /** Repositories that serve, in the order in which they are read; changes when one is added or switched. */
  get roots(): readonly string[] {
    return this.#parts.roots.paths;
  }

  /** Of this repository alone; whoever subscribes ends it. */
  get events(): EventBus<RepositoryEvents> {
    return this.#parts.events;
  }

  /** Models that are not loaded by themselves, with the reason. */
  get quarantined(): ReadonlyMap<string, string> {
    return this.#quarantined;
  }

  /** Tries the start set. Throws for a repository path that cannot be used; single models only fail in the report. */
  async start(): Promise<StartReport> {
    const { controlMode, startupModels, requiresRoots } = this.#parts.options;
    const unusable = await unusableRepositories(this.roots);
    for (const [root, error] of unusable) {
      if (requiresRoots) throw error;
      log.error(`repository ${root} is left out: ${error.message}`);
    }
    if (startupModels.includes('*') && startupModels.length > 1)
      return { failed: new Map(), loadError: repositoryErrors.wildcardNotAlone() };
    if (controlMode !== 'explicit' || startupModels.includes('*')) {
      return reportOf(await this.#pollAll(controlMode === 'explicit'));
    }
    if (startupModels.length === 0) return { failed: new Map() };
    const requests = startupModels.filter((name) => !this.#quarantined.has(name)).map((name) => ({ name }));
    const result = await this.#transact(() => this.#draftOf(requests), this.#stop.signal);
    return reportOf(
      result,
      startupModels.flatMap((name) => this.#names.ids(name)),
    );
  }

  /** Loads, reloads or does nothing, as the reference's load call. Rejects with its messages. */
  async load(name: string, options: LoadOptions = {}): Promise<void> {
    checkModelName(name);
    this.#heldBack.delete(name);
    this.#quarantined.delete(name);
    const request: PollRequest = { name, override: options.override, isForced: options.isForced };
    const result = await this.#transact(
      () => this.#draftOf([request], options.isForced === true),
      this.#signalOf(options.signal),
    );
    const error = this.#loadError(name, result);
    if (error !== undefined) throw error;
  }

  /** Ends the loads of a name that are under way, whoever asked for them. */
  stopLoading(name: string): void {
    for (const id of this.#names.ids(name)) this.#parts.lifecycle.stopLoading(modelKey(id));
  }

  /** Whether every loaded model of a name has its configuration from its folder, and not from a load call. */
  isFromFile(name: string): boolean {
    const { infos, graph } = this.#parts.transactions;
    return [...graph.named(name)].every((key) => infos.get(key)?.source === 'file');
  }

  /** Takes all versions of a name out of service; resolves once that began. Unknown names are no error. */
  async unload(name: string, options: UnloadOptions): Promise<void> {
    if (this.#parts.options.controlMode === 'poll') this.#heldBack.add(name);
    await this.#transact(
      () =>
        Promise.resolve(
          draft(NO_POLL, {
            gone: this.#parts.transactions.graph.named(name),
            explicit: new Set([name]),
            unloadDependents: options.unloadDependents,
          }),
        ),
      this.#signalOf(options.signal),
    );
  }

  /** One round of mode `poll`: loads what is new or modified, unloads what is gone. */
  async poll(): Promise<void> {
    await this.#pollAll(false);
  }

  /** The model that answers requests for a name; -1 = newest ready version. Throws the lookup messages. */
  find(name: string, version: number | bigint): Model {
    return lookupModel(this.#parts.lifecycle, this.#names.candidates(name), name, version);
  }

  use(name: string, version: number): ModelHandle {
    return new ModelHandle(this.find(name, version));
  }

  /** As `use`, of a model in this namespace if there is one: what a step of an ensemble was bound to. */
  useFrom(namespace: string, name: string, version: number): ModelHandle {
    const { lifecycle } = this.#parts;
    const own = modelKey({ namespace, name });
    const candidates = lifecycle.isKnown(own) ? [own] : this.#names.candidates(name);
    return new ModelHandle(lookupModel(lifecycle, candidates, name, version));
  }

  /** Reads the folders as they are now, so models that were never loaded are among them. */
  async index(options: { readonly readyOnly: boolean }): Promise<IndexEntry[]> {
    const { lifecycle, transactions } = this.#parts;
    const { locations, unreadable } = await this.folders.locate();
    return repositoryIndex(
      [...locations, ...knownInStores(transactions.infos.values(), unreadable)],
      (key) => (lifecycle.isKnown(key) ? lifecycle.versions(key) : undefined),
      { namespacing: this.#parts.options.namespacing, readyOnly: options.readyOnly },
    );
  }

  /** Whether a name means several models, one in each of their repositories. */
  isAmbiguous(name: string): boolean {
    return this.#names.isAmbiguous(name);
  }

  /** Every model ever tried, with its versions. */
  models(): ReturnType<ModelLifecycle['models']> {
    return this.#parts.lifecycle.models();
  }

  /** Versions of a name in ascending order; with namespacing, of all models of that name. */
  versions(name: string): readonly VersionRecord[] {
    const { lifecycle, transactions, options } = this.#parts;
    if (!options.namespacing) return lifecycle.versions(name);
    return transactions.graph.named(name).flatMap((key) => lifecycle.versions(key));
  }

  /**
   * Runs warm-up samples (those of the configuration unless others are given) on all instances in service, between the
   * payloads of requests. Throws INVALID_ARG naming the sample that failed; ends early when the signal aborts.
   */
  async runWarmup(name: string, options: WarmupOptions): Promise<void> {
    using use = this.use(name, options.version ?? -1);
    await warmUpModel(use.model, options);
  }

  /** Every READY model. */
  *ready(): Iterable<Model> {
    for (const { versions } of this.#parts.lifecycle.models()) {
      for (const { model } of versions) if (model !== undefined) yield model;
    }
  }

  /** Resolves when nothing that was taken out of service is still closing. */
  async settled(): Promise<void> {
    await this.#parts.lifecycle.settled();
  }

  /** Why the latest poll or load of a model failed; undefined when it did not. */
  problemOf(name: string): ServerError | undefined {
    const { transactions } = this.#parts;
    const keys = this.#names.ids(name).map(modelKey);
    return keys.map((key) => transactions.problemOf(key)).find((problem) => problem !== undefined);
  }

  /** True when a plain load would read the model again, because its files are newer than what was read. */
  async isModified(name: string): Promise<boolean> {
    return await this.#parts.poller.isModified(name, this.#parts.transactions.infos);
  }

  /** Models an operation is working on. */
  get busyCount(): number {
    return this.#parts.transactions.busyCount;
  }

  /** Those that are READY or LOADING, plus those closing in the background, as `<model> v<version>: <state>`. */
  get live(): readonly string[] {
    return liveVersions(this.#parts.lifecycle, this.#stop.signal.aborted);
  }

  /** Ends all running operations, unloads everything and waits until nothing is left. */
  async close(): Promise<void> {
    this.#stop.abort(internal('the model repository is closing'));
    const { lifecycle, transactions } = this.#parts;
    await transactions.idle();
    for (const { id } of lifecycle.models()) lifecycle.unload(id);
    await lifecycle.settled();
  }

  #keysFrom(root: string, name: string): readonly ModelKey[] {
    const { transactions, options } = this.#parts;
    const keys = transactions.graph.named(name);
    return options.namespacing ? keys.filter((key) => key === modelKey({ namespace: root, name })) : keys;
  }

  #isServing(root: string, name: string): boolean {
    return this.#keysFrom(root, name).some((key) => this.#parts.lifecycle.newestReady(key) !== undefined);
  }

  async #unloadFrom(root: string, names: readonly string[]): Promise<void> {
    const taken = () => draft(NO_POLL, { gone: names.flatMap((name) => this.#keysFrom(root, name)) });
    await this.#transact(() => Promise.resolve(taken()), this.#stop.signal);
  }

  async #pollAll(areExplicit: boolean): Promise<TransactionResult> {
    const { transactions, poller, options } = this.#parts;
    return await this.#transact(async () => {
      const known = transactions.infos;
      const poll = await poller.pollAll(known, this.#stop.signal);
      const outcomes = new Map(poll.outcomes);
      for (const [key, { id, polled }] of poll.outcomes) {
        if (!this.#heldBack.has(id.name) && !this.#quarantined.has(id.name)) continue;
        outcomes.delete(key);
        await polled?.lease.failed();
      }
      // Files sent with a load call lie in no repository: they stay until they are unloaded by name.
      const gone = [...known].filter(([key, { source }]) => source !== 'files' && !poll.outcomes.has(key));
      return draft(
        { ...poll, outcomes },
        {
          gone: options.controlMode === 'explicit' ? [] : gone.map(([key]) => key),
          explicit: areExplicit ? new Set(outcomes.keys()) : NOTHING,
        },
      );
    }, this.#stop.signal);
  }

  async #draftOf(requests: readonly PollRequest[], isForced = false): Promise<TransactionDraft> {
    const { poller, transactions } = this.#parts;
    const names = new Set(requests.map(({ name }) => name));
    const poll = await poller.pollNames(requests, transactions.infos, {
      isWithheld: (name) => this.#quarantined.has(name) && !names.has(name),
    });
    const keys = [...poll.outcomes].filter(([, { id }]) => names.has(id.name)).map(([key]) => key);
    const explicit = new Set(keys);
    return draft(poll, { explicit, forced: isForced ? explicit : NOTHING });
  }

  async #transact(prepare: () => Promise<TransactionDraft>, signal: AbortSignal): Promise<TransactionResult> {
    const { transactions, events } = this.#parts;
    const result = await transactions.run(prepare, signal);
    for (const id of result.touched) {
      events.publish('loadEnded', { id, error: transactions.problemOf(modelKey(id)) });
    }
    return result;
  }

  #loadError(name: string, { failures, pollErrors }: TransactionResult): ServerError | undefined {
    const { lifecycle } = this.#parts;
    const ids = this.#names.ids(name).toSorted(compareIds);
    // An ensemble names the model it misses, although that one could not be read.
    const [failed, ...others] = ids.map(modelKey).flatMap((key): FailedLoad[] => {
      const failure = failures.get(key);
      return failure === undefined || pollErrors.has(key) ? [] : [[key, failure]];
    });
    if (failed !== undefined) return loadCallError(failed, others);
    const [pollError] = pollErrors.values();
    if (pollError !== undefined) return loadErrors.notPolled({ name }, { cause: pollError });
    const hasVersion = ids.some((id) => lifecycle.versions(modelKey(id)).length > 0);
    return hasVersion ? undefined : loadErrors.withoutVersion({ name });
  }

  #signalOf(signal: AbortSignal | undefined): AbortSignal {
    return signal === undefined ? this.#stop.signal : AbortSignal.any([signal, this.#stop.signal]);
  }
}
