// Every change of what is loaded, as a transaction: poll, plan on a copy of the dependency graph, lock what may be
// touched, commit, unload and load in waves, write back. Transactions over disjoint models run in parallel. A failed
// load leaves the entry of the model as it was, so that the next attempt sees the same change again.

import type { ServerError } from '../../src-shared/errors.ts';
import { getLogger } from '../base/log.ts';
import { SerialQueue } from '../base/serial-queue.ts';
import type { ConfigRules } from './config-rules.ts';
import { DependencyGraph } from './dependency-graph.ts';
import type { LoadFailure, WaveResult } from './load-waves.ts';
import { runWaves } from './load-waves.ts';
import { readVersions } from './model-folder.ts';
import type { ModelId, ModelKey } from './model-identity.ts';
import { modelKey } from './model-identity.ts';
import type { ModelLifecycle } from './model-lifecycle.ts';
import type { ModelLoader } from './model-loader.ts';
import { ModelLocks } from './model-locks.ts';
import type { PolledModel } from './polled-model.ts';
import type { KnownModels } from './repository-poller.ts';
import { composingNames, discardPoll } from './repository-poller.ts';
import type { TransactionDraft } from './transaction-draft.ts';
import { SourceLease } from './source-lease.ts';

/** What one load, unload or poll did. */
export interface TransactionResult {
  /** Models that were polled or loaded. */
  readonly touched: readonly ModelId[];
  readonly failures: ReadonlyMap<ModelKey, LoadFailure>;
  readonly pollErrors: ReadonlyMap<ModelKey, ServerError>;
}

interface Planned {
  readonly draft: TransactionDraft;
  readonly graph: DependencyGraph;
  readonly gone: readonly ModelId[];
  readonly work: Map<ModelKey, PolledModel>;
  readonly lockset: ReadonlySet<ModelKey>;
}

interface TransactionsOptions {
  readonly lifecycle: ModelLifecycle;
  readonly loader: ModelLoader;
  readonly rules: ConfigRules;
}

const log = getLogger('repository');

const NEVER = new AbortController().signal;
const NO_TIMES: ReadonlyMap<string, number> = new Map();

/** One for each repository. Plans are made one at a time, loads run beside each other. */
export class RepositoryTransactions {
  readonly #options: TransactionsOptions;
  readonly #planning = new SerialQueue();
  readonly #locks = new ModelLocks();
  /** As polled at the latest successful load, or first read of a model that failed. */
  readonly #infos = new Map<ModelKey, PolledModel>();
  /** What serves now was loaded from. */
  readonly #served = new Map<ModelKey, PolledModel>();
  /** Ensembles whose models are not all there. */
  readonly #invalid = new Map<ModelKey, ServerError>();
  /** Why the latest poll or load of a model failed. */
  readonly #problems = new Map<ModelKey, ServerError>();
  #graph = new DependencyGraph();

  constructor(options: TransactionsOptions) {
    this.#options = options;
  }

  /** What the latest successful read of each model found; live, changed by commits only. */
  get infos(): KnownModels {
    return this.#infos;
  }

  /** Of the last commit. Another object after each, so it never changes under a reader. */
  get graph(): DependencyGraph {
    return this.#graph;
  }

  /** Why the last attempt to read or load the model failed; `undefined` when it did not. */
  problemOf(key: ModelKey): ServerError | undefined {
    return this.#problems.get(key);
  }

  /** Models an operation is working on. */
  get busyCount(): number {
    return this.#locks.lockedCount;
  }

  /** Resolves when no operation is running. */
  async idle(): Promise<void> {
    while (this.#locks.lockedCount > 0) await this.#locks.changed(NEVER);
  }

  /** `prepare` may run several times, until nothing it needs is locked. Rejects when the signal aborts meanwhile. */
  async run(prepare: () => Promise<TransactionDraft>, signal: AbortSignal): Promise<TransactionResult> {
    let planned = await this.#tryPlan(prepare, signal, (waiting) => this.#tellWait(waiting));
    while (planned === undefined) planned = await this.#tryPlan(prepare, signal);
    try {
      for (const id of planned.gone) this.#options.lifecycle.unload(id);
      await renewVersions(planned);
      const result = await runWaves(
        {
          graph: planned.graph,
          work: planned.work,
          served: this.#served,
          forced: planned.draft.forced,
          invalid: this.#invalid,
          signal,
        },
        this.#options,
      );
      return await this.#writeBack(planned, result);
    } finally {
      this.#locks.unlock(planned.lockset);
    }
  }

  async #tryPlan(
    prepare: () => Promise<TransactionDraft>,
    signal: AbortSignal,
    onWait?: (waiting: Planned) => void,
  ): Promise<Planned | undefined> {
    const attempt = await this.#planning.run('plan', async () => {
      signal.throwIfAborted();
      const draft = await prepare();
      const planned = this.#plan(draft);
      if (this.#locks.tryLock(planned.lockset)) {
        this.#commit(planned);
        return { planned };
      }
      onWait?.(planned);
      // The wait is registered before anything else can run, so no unlock is missed.
      return { wait: Promise.all([this.#locks.changed(signal), discardPoll(draft.poll)]) };
    });
    if (attempt.planned === undefined) await attempt.wait;
    return attempt.planned;
  }

  /** A load may take for ever: who waits for its end is told so. */
  #tellWait({ draft, lockset }: Planned): void {
    if (draft.explicit.size === 0) return;
    const held = [...lockset].filter((key) => this.#locks.isLocked(key));
    const phases = held.flatMap((key) => this.#options.lifecycle.versions(key)).map(({ phase }) => phase);
    const phase = phases.find((text) => text !== undefined);
    const verb = draft.gone.length > 0 ? 'unload' : 'load';
    log.info(
      `the call to ${verb} ${quoted(draft.explicit)} waits for what is under way with ${quoted(held)}` +
        (phase === undefined ? '' : ` (${phase})`),
    );
  }

  #plan(draft: TransactionDraft): Planned {
    const graph = new DependencyGraph(this.#graph);
    const goneKeys = draft.unloadDependents ? withUnused(graph, draft.gone) : draft.gone;
    const gone = goneKeys.map((key) => graph.get(key)?.id ?? keyAsId(key));
    for (const key of goneKeys) graph.remove(key);
    const changed = new Set<ModelKey>();
    for (const [key, { id, polled, error }] of draft.poll.outcomes) {
      const current = polled ?? this.#infos.get(key);
      if (current === undefined || goneKeys.includes(key)) continue;
      const isExplicit = draft.explicit.has(key) || graph.get(key)?.isExplicit === true;
      if (error !== undefined) {
        // It stays as it was: what was read before may be out of date, or gone.
        const node = graph.get(key);
        if (node !== undefined) graph.set({ ...node, isExplicit });
        continue;
      }
      graph.set({ id, needs: composingNames(current), isExplicit });
      const isDown = draft.explicit.has(key) && this.#options.lifecycle.newestReady(key) === undefined;
      if (polled !== undefined || draft.forced.has(key) || isDown) changed.add(key);
    }
    const affected = graph.withDependents([...changed, ...graph.changedSince(this.#graph)]);
    const work = new Map<ModelKey, PolledModel>();
    for (const key of affected) {
      const polled = draft.poll.outcomes.get(key)?.polled ?? renewed(this.#infos.get(key));
      if (polled !== undefined) work.set(key, polled);
    }
    const lockset = graph.withDependencies(affected);
    for (const key of [...goneKeys, ...draft.explicit]) lockset.add(key);
    return { draft, graph, gone, work, lockset };
  }

  #commit({ graph, gone, draft }: Planned): void {
    this.#graph = graph;
    for (const id of gone) {
      const key = modelKey(id);
      this.#infos.delete(key);
      this.#served.delete(key);
      this.#invalid.delete(key);
      this.#problems.delete(key);
    }
    for (const [key, { error }] of draft.poll.outcomes) {
      if (error !== undefined) this.#problems.set(key, error);
    }
  }

  async #writeBack(planned: Planned, result: WaveResult): Promise<TransactionResult> {
    const { outcomes, refused } = planned.draft.poll;
    for (const [key, polled] of planned.work) {
      const failure = result.failures.get(key);
      const isRefused = result.invalid.has(key);
      this.#invalid.delete(key);
      if (failure === undefined) {
        this.#infos.set(key, polled);
        this.#served.set(key, polled);
        this.#problems.delete(key);
        await polled.lease.loaded();
        continue;
      }
      this.#problems.set(key, failure.error);
      if (isRefused) {
        this.#invalid.set(key, failure.error);
        this.#infos.set(key, polled);
      } else {
        // Whatever was read last says which models it needs; without times the next attempt sees the change again.
        this.#infos.set(key, { ...polled, times: NO_TIMES });
      }
      if (!isRefused) await polled.lease.failed();
    }
    const pollErrors = new Map(refused);
    for (const [key, { error }] of outcomes) if (error !== undefined) pollErrors.set(key, error);
    const touched = [...planned.work.values(), ...outcomes.values()].map(({ id }) => id);
    return { touched: uniqueIds(touched), failures: result.failures, pollErrors };
  }
}

/** An entry that is loaded again without having been polled starts a lease of its own. */
function renewed(info: PolledModel | undefined): PolledModel | undefined {
  return info === undefined ? undefined : { ...info, lease: new SourceLease({}) };
}

/** What comes back without having been polled has the configuration of then, and the version folders of now. */
async function renewVersions({ draft, work }: Planned): Promise<void> {
  for (const [key, polled] of work) {
    if (draft.poll.outcomes.get(key)?.polled !== undefined) continue;
    const versions = await readVersions(polled.modelDir).catch(() => polled.versions);
    work.set(key, { ...polled, versions });
  }
}

/** The models, and what nobody else needs and nobody asked for by name. */
function withUnused(graph: DependencyGraph, keys: readonly ModelKey[]): readonly ModelKey[] {
  const gone = new Set(keys);
  for (const key of gone) {
    for (const needed of graph.dependencies(key)) {
      const isStillUsed = graph.dependents(needed).some((user) => !gone.has(user));
      if (!isStillUsed && graph.get(needed)?.isExplicit !== true) gone.add(needed);
    }
  }
  return [...gone];
}

function uniqueIds(ids: readonly ModelId[]): readonly ModelId[] {
  return [...new Map(ids.map((id) => [modelKey(id), id])).values()];
}

function quoted(keys: Iterable<ModelKey>): string {
  return Array.from(keys, (key) => `'${key}'`).join(', ');
}

function keyAsId(key: ModelKey): ModelId {
  return { namespace: '', name: key };
}
