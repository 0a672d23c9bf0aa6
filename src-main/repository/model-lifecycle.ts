// The versions of every model this process ever tried to load: state, reason, and the model that serves. Applies load
// plans and unloads. Invariant: requests see either the complete old or the complete new set of versions, never a part;
// a version that serves keeps serving until its replacement is ready, and for good when the replacement fails.

import type { ServerError } from '../../src-shared/errors.ts';
import { statusText, toServerError } from '../../src-shared/errors.ts';
import type { EventBus } from '../base/event-bus.ts';
import { getLogger } from '../base/log.ts';
import type { VersionState } from './lifecycle-state.ts';
import { transition, UNLOADED_REASON } from './lifecycle-state.ts';
import { steps } from './life-records.ts';
import type { LoadSlots, SlotUse } from './load-slots.ts';
import type { Model } from './model.ts';
import type { ModelId, ModelKey } from './model-identity.ts';
import { modelKey } from './model-identity.ts';
import type { RepositoryEvents } from './repository-events.ts';
import { RunningLoads } from './running-loads.ts';
import type { SourceLease } from './source-lease.ts';
import type { TransitionPlan, VersionAction } from './transition-policy.ts';

const log = getLogger('repository');

/** What is known of one version, loaded or not. Changed by the lifecycle alone. */
export interface VersionRecord {
  readonly version: number;
  state: VersionState;
  reason: string;
  /** The model that serves; set exactly while READY. */
  model: Model | undefined;
  lease: SourceLease | undefined;
  /** Phase of the build that is running, undefined when none is. */
  phase: string | undefined;
  /** Error of the latest load, also when an older model went on serving. */
  lastError: ServerError | undefined;
}

interface LoadProgress {
  readonly signal: AbortSignal;
  readonly onPhase: (text: string) => void;
}

interface LifecycleLoad {
  readonly id: ModelId;
  readonly plan: TransitionPlan;
  readonly lease: SourceLease;
  readonly build: (version: number, progress: LoadProgress) => Promise<Model>;
  readonly update: (model: Model, progress: LoadProgress) => Promise<void>;
  readonly signal: AbortSignal;
}

interface Built {
  readonly action: VersionAction;
  readonly record: VersionRecord;
  readonly model: Model | undefined;
  readonly error: ServerError | undefined;
}

interface LifecycleOptions {
  readonly events: EventBus<RepositoryEvents>;
  readonly slots: LoadSlots;
  readonly retryCount: number;
}

/** Unloaded versions stay, with state and reason. Whoever calls holds the locks of the models (model-locks.ts). */
export class ModelLifecycle {
  readonly #options: LifecycleOptions;
  readonly #models = new Map<
    ModelKey,
    { readonly id: ModelId; readonly versions: Map<number, VersionRecord> }
  >();
  readonly #closing = new Set<Promise<void>>();
  readonly #closingModels = new Set<Model>();
  readonly #running = new RunningLoads();

  constructor(options: LifecycleOptions) {
    this.#options = options;
  }

  /** Every model ever tried, with its versions in ascending order. */
  *models(): Iterable<{ readonly id: ModelId; readonly versions: readonly VersionRecord[] }> {
    for (const { id, versions } of this.#models.values()) yield { id, versions: sorted(versions) };
  }

  /** True once a load of the model was tried, whatever became of it. */
  isKnown(key: ModelKey): boolean {
    return this.#models.has(key);
  }

  /** In ascending order, unloaded ones included; empty for a model that is not known. */
  versions(key: ModelKey): readonly VersionRecord[] {
    const entry = this.#models.get(key);
    return entry === undefined ? [] : sorted(entry.versions);
  }

  /** `undefined` where no load of it was tried. */
  version(key: ModelKey, version: number): VersionRecord | undefined {
    return this.#models.get(key)?.versions.get(version);
  }

  /** Highest version that is READY. */
  newestReady(key: ModelKey): Model | undefined {
    let newest: VersionRecord | undefined;
    for (const record of this.#models.get(key)?.versions.values() ?? []) {
      if (record.state === 'READY' && (newest === undefined || record.version > newest.version))
        newest = record;
    }
    return newest?.model;
  }

  /** Makes the name known without any version ("at least one version" failures). */
  touch(id: ModelId): void {
    this.#entry(id);
  }

  /** Runs a load plan. Returns what failed, in words of the load call, or undefined. */
  async load(load: LifecycleLoad): Promise<readonly string[]> {
    const key = modelKey(load.id);
    steps.load(key);
    const versions = this.#entry(load.id);
    const started = load.plan.actions.map((action) => this.#begin(load.id, versions, action));
    const built = await this.#running.run(key, load.signal, (signal) =>
      Promise.all(started.map(({ action, record }) => this.#perform({ ...load, signal }, action, record))),
    );
    steps.final(key);
    const failures = built.filter(({ error }) => error !== undefined);
    if (failures.length > 0) {
      await this.#abandon(load.id, built);
      log.info(`failed to load '${key}'`);
      return failures.map(({ action, error }) => clause(action, error));
    }
    this.#swap(load, built);
    log.info(`successfully loaded '${key}'`);
    return [];
  }

  /** Takes READY versions out of service; resolves as soon as that began. `versions` absent = all of them. */
  unload(id: ModelId, versions?: readonly number[]): void {
    if (versions === undefined) steps.unload(modelKey(id));
    for (const record of this.#models.get(modelKey(id))?.versions.values() ?? []) {
      if (record.state !== 'READY' || versions?.includes(record.version) === false) continue;
      this.#retire(id, record);
    }
  }

  /** Ends the load of a model, when one is under way. What served before goes on. */
  stopLoading(key: ModelKey): void {
    this.#running.stop(key);
  }

  /** Resolves when nothing that was taken out of service is still closing. */
  async settled(): Promise<void> {
    while (this.#closing.size > 0) await Promise.allSettled([...this.#closing]);
  }

  /** Models that are being closed in the background. */
  get closingModels(): ReadonlySet<Model> {
    return this.#closingModels;
  }

  #entry(id: ModelId): Map<number, VersionRecord> {
    const key = modelKey(id);
    let entry = this.#models.get(key);
    if (entry === undefined) {
      entry = { id, versions: new Map() };
      this.#models.set(key, entry);
    }
    return entry.versions;
  }

  #begin(
    id: ModelId,
    versions: Map<number, VersionRecord>,
    action: VersionAction,
  ): { action: VersionAction; record: VersionRecord } {
    log.info(`loading: ${modelKey(id)}:${action.version}`);
    const known = versions.get(action.version);
    if (known?.state === 'READY') return { action, record: known };
    const record: VersionRecord = {
      version: action.version,
      state: 'UNKNOWN',
      reason: '',
      model: undefined,
      lease: undefined,
      phase: undefined,
      lastError: undefined,
    };
    versions.set(action.version, record);
    this.#move(id, record, 'LOADING', '');
    return { action, record };
  }

  async #perform(load: LifecycleLoad, action: VersionAction, record: VersionRecord): Promise<Built> {
    steps.create(modelKey(load.id), action.version);
    const built = await this.#attempt(load, action, record);
    steps.complete(modelKey(load.id), action.version);
    return built;
  }

  async #attempt(load: LifecycleLoad, action: VersionAction, record: VersionRecord): Promise<Built> {
    const showPhase = (text: string | undefined): void => this.#showPhase(load.id, record, text);
    let phase = '';
    let isToldOfStall = false;
    const onStalled = (seconds: number): void => {
      if (!isToldOfStall) {
        log.warn(
          `loading '${modelKey(load.id)}' version ${action.version} made no progress for ${seconds} s ` +
            `(${phase}): it goes on, other models load in the meantime`,
        );
      }
      isToldOfStall = true;
      const waited = seconds < 120 ? `${seconds} s` : `${Math.floor(seconds / 60)} min`;
      showPhase(`no progress for ${waited}: ${phase}`);
    };
    for (let attempt = 0; ; attempt += 1) {
      try {
        const build = async ({ progressed }: SlotUse): Promise<Model | undefined> => {
          const onPhase = (text: string): void => {
            progressed();
            phase = text;
            isToldOfStall = false;
            showPhase(text);
          };
          const progress = { signal: load.signal, onPhase };
          if (action.kind !== 'update') return await load.build(action.version, progress);
          if (record.model !== undefined) await load.update(record.model, progress);
          return undefined;
        };
        const model = await this.#options.slots.run(load.signal, build, onStalled);
        showPhase(undefined);
        return { action, record, model, error: undefined };
      } catch (thrown) {
        const error = toServerError(thrown);
        // A change of instances that fails leaves the version as it is.
        if (action.kind !== 'update')
          log.error(`failed to load '${modelKey(load.id)}' version ${action.version}: ${statusText(error)}`);
        if (attempt < this.#options.retryCount && !load.signal.aborted) continue;
        showPhase(undefined);
        return { action, record, model: undefined, error };
      }
    }
  }

  /** Everything was built: the new versions serve from here on, all at once. */
  #swap(load: LifecycleLoad, built: readonly Built[]): void {
    for (const { record, model } of built) {
      record.lastError = undefined;
      if (model === undefined) {
        if (record.reason !== '') this.#move(load.id, record, 'READY', '');
        continue;
      }
      const before = record.model;
      const leaseBefore = record.lease;
      record.model = model;
      record.lease = load.lease;
      load.lease.retain();
      this.#move(load.id, record, 'READY', '');
      if (before !== undefined) void this.#close(before, leaseBefore);
    }
    this.unload(load.id, load.plan.unload);
    this.#options.events.publish('modelChanged', { id: load.id });
  }

  /** Something failed: what was built is released, what served goes on. */
  async #abandon(id: ModelId, built: readonly Built[]): Promise<void> {
    const closes: Promise<void>[] = [];
    for (const { action, record, model, error } of built) {
      if (model !== undefined) closes.push(this.#close(model, undefined));
      record.lastError = error;
      if (action.kind === 'start') {
        this.#move(id, record, 'UNAVAILABLE', error === undefined ? UNLOADED_REASON : statusText(error));
      } else if (action.kind === 'update' && error !== undefined) {
        this.#move(id, record, 'READY', statusText(error));
      }
    }
    this.#options.events.publish('modelChanged', { id });
    await Promise.all(closes);
  }

  #retire(id: ModelId, record: VersionRecord): void {
    const { model, lease } = record;
    record.model = undefined;
    record.lease = undefined;
    this.#move(id, record, 'UNLOADING', '');
    if (model === undefined) return;
    const closed = this.#close(model, lease);
    this.#track(
      closed.then(() => {
        const isCurrent = this.version(modelKey(id), record.version) === record;
        if (isCurrent) this.#move(id, record, 'UNAVAILABLE', UNLOADED_REASON);
      }),
    );
  }

  /** Closes in the background; the returned promise never rejects. */
  #close(model: Model, lease: SourceLease | undefined): Promise<void> {
    this.#closingModels.add(model);
    const named = `'${modelKey(model.id)}' version ${model.version}`;
    const closed = model
      .close()
      .then(() => {
        steps.destroyed(modelKey(model.id), model.version);
        log.info(`successfully unloaded ${named}`);
      })
      .catch((thrown: unknown) => {
        log.error(`failed to close ${named}: ${toServerError(thrown).message}`);
      })
      .finally(() => this.#closingModels.delete(model));
    this.#track(closed);
    if (lease !== undefined) {
      lease.release(closed);
      this.#track(closed.then(() => lease.ended()));
    }
    return closed;
  }

  #track(work: Promise<void>): void {
    const tracked: Promise<void> = work.finally(() => this.#closing.delete(tracked));
    this.#closing.add(tracked);
  }

  #move(id: ModelId, record: VersionRecord, to: VersionState, reason: string): void {
    if (record.state !== to) record.state = transition(`${modelKey(id)}:${record.version}`, record.state, to);
    record.reason = reason;
    const { model } = record;
    this.#options.events.publish('versionState', {
      model,
      id,
      version: String(record.version),
      state: to,
      reason,
    });
  }

  #showPhase(id: ModelId, record: VersionRecord, phase: string | undefined): void {
    if (record.phase === phase) return;
    record.phase = phase;
    this.#options.events.publish('loadPhase', { id, version: String(record.version), phase });
  }
}

function sorted(versions: ReadonlyMap<number, VersionRecord>): VersionRecord[] {
  return [...versions.values()].sort((a, b) => a.version - b.version);
}

function clause(action: VersionAction, error: ServerError | undefined): string {
  const state: VersionState = action.kind === 'update' ? 'READY' : 'UNAVAILABLE';
  return `version ${action.version} is at ${state} state: ${error === undefined ? '' : statusText(error)};`;
}
