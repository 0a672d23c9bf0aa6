// Carries out planned loads in the order of dependencies: models first, then the ensembles above them, wave by wave.
// An ensemble whose models are not all there is taken out of service instead of loaded, with the reason in words.

import { missingVersions, selectVersions } from '../../src-shared/config/rules/version-rules.ts';
import type { ServerError } from '../../src-shared/errors.ts';
import { statusText, toServerError } from '../../src-shared/errors.ts';
import { getLogger } from '../base/log.ts';
import type { ConfigRules } from './config-rules.ts';
import type { DependencyGraph } from './dependency-graph.ts';
import type { Model } from './model.ts';
import type { ModelKey } from './model-identity.ts';
import type { ModelLifecycle } from './model-lifecycle.ts';
import type { ModelLoader } from './model-loader.ts';
import { isVersionModified } from './modification-times.ts';
import type { PolledModel } from './polled-model.ts';
import type { TransitionPlan } from './transition-policy.ts';
import { planTransition } from './transition-policy.ts';
import { composingErrors } from './ensemble-load-errors.ts';
import { loadErrors } from './load-errors.ts';

const log = getLogger('repository');

/** Why one model did not load. */
export interface LoadFailure {
  /** `version V is at S state: <reason>;` per failed version; empty when the model as a whole failed. */
  readonly clauses: readonly string[];
  readonly error: ServerError;
}

/** What one transaction loads, and what it may lean on. */
export interface WavePlan {
  readonly graph: DependencyGraph;
  /** Models to load, with what was polled. */
  readonly work: ReadonlyMap<ModelKey, PolledModel>;
  /** What serves now was loaded from. */
  readonly served: ReadonlyMap<ModelKey, PolledModel>;
  readonly forced: ReadonlySet<ModelKey>;
  /** Ensembles that were found invalid earlier and are not part of this work. */
  readonly invalid: ReadonlyMap<ModelKey, ServerError>;
  readonly signal: AbortSignal;
}

/** What came of a plan; models that are in neither map serve. */
export interface WaveResult {
  readonly failures: ReadonlyMap<ModelKey, LoadFailure>;
  /** Ensembles found invalid now. */
  readonly invalid: ReadonlyMap<ModelKey, ServerError>;
}

interface WaveTools {
  readonly lifecycle: ModelLifecycle;
  readonly loader: ModelLoader;
  readonly rules: ConfigRules;
}

/**
 * Loads the models of a plan: those that need none of the others first, all of one wave at the same time, ensembles after
 * the models that they are made of. Never rejects for a model that fails: it is in `failures`.
 */
export function runWaves(plan: WavePlan, tools: WaveTools): Promise<WaveResult> {
  return new WaveRun(plan, tools).run();
}

class WaveRun {
  readonly #plan: WavePlan;
  readonly #tools: WaveTools;
  readonly #failures = new Map<ModelKey, LoadFailure>();
  readonly #invalid = new Map<ModelKey, ServerError>();

  constructor(plan: WavePlan, tools: WaveTools) {
    this.#plan = plan;
    this.#tools = tools;
  }

  async run(): Promise<WaveResult> {
    const { graph, work } = this.#plan;
    const pending = new Set(work.keys());
    while (pending.size > 0) {
      const wave = graph.nextWave(pending);
      const found = await Promise.all(wave.map(async (key) => [key, await this.#loadOrRefuse(key)] as const));
      for (const [key, failure] of found) {
        pending.delete(key);
        if (failure !== undefined) this.#failures.set(key, failure);
      }
    }
    return { failures: this.#failures, invalid: this.#invalid };
  }

  async #loadOrRefuse(key: ModelKey): Promise<LoadFailure | undefined> {
    const problem = this.#ensembleProblem(key) ?? this.#interfaceProblem(key);
    if (problem === undefined) return await this.#load(key);
    this.#invalid.set(key, problem);
    const id = this.#plan.work.get(key)?.id;
    log.error(statusText(problem), { model: key });
    if (id !== undefined) this.#tools.lifecycle.unload(id);
    return { clauses: [], error: problem };
  }

  async #load(key: ModelKey): Promise<LoadFailure | undefined> {
    const polled = this.#plan.work.get(key);
    if (polled === undefined) return undefined;
    const { lifecycle, loader } = this.#tools;
    const { id, config } = polled;
    const selected = selectVersions(config.versionPolicy, polled.versions);
    for (const version of missingVersions(config.versionPolicy, polled.versions)) {
      log.error(
        `version ${version} is specified for model '${id.name}', but the version directory is not present`,
      );
    }
    if (selected.length === 0) {
      lifecycle.touch(id);
      const error = loadErrors.emptyPolicy({ name: id.name });
      log.error(`failed to load model '${key}': ${error.message}`);
      return { clauses: [], error };
    }
    const composing = this.#composingModels(key);
    const clauses = await lifecycle.load({
      id,
      plan: this.#transition(key, polled, selected),
      lease: polled.lease,
      signal: this.#plan.signal,
      build: (version, progress) => loader.build(polled, version, { ...progress, composing }),
      update: (model, progress) => loader.update(model, polled, { ...progress, composing }),
    });
    if (clauses.length === 0) return undefined;
    const latest = lifecycle.versions(key).find(({ lastError }) => lastError !== undefined)?.lastError;
    return { clauses, error: latest ?? loadErrors.startFailed({ reasons: clauses.join('') }) };
  }

  #transition(key: ModelKey, polled: PolledModel, selected: readonly number[]): TransitionPlan {
    const { lifecycle, rules } = this.#tools;
    const before = this.#plan.served.get(key);
    return planTransition({
      known: lifecycle.versions(key),
      selected,
      isVersionModified: (version) =>
        before === undefined || isVersionModified(before, polled, String(version)),
      isConfigChanged: before === undefined || rules.needsRebuild(before.config, polled.config),
      isEnsemble: polled.config.ensembleScheduling !== undefined,
      isForced: this.#plan.forced.has(key) || polled.source === 'files' || before?.source === 'files',
    });
  }

  /** Step model name -> the newest version of it that serves; names without one are missing. */
  #composingModels(key: ModelKey): ReadonlyMap<string, Model> {
    const composing = new Map<string, Model>();
    for (const [name, needed] of this.#plan.graph.resolve(key).found) {
      const model = this.#tools.lifecycle.newestReady(needed);
      if (model !== undefined) composing.set(name, model);
    }
    return composing;
  }

  /** Why an ensemble cannot be loaded now; undefined for other models and for ensembles that can. */
  #ensembleProblem(key: ModelKey): ServerError | undefined {
    const { graph, work } = this.#plan;
    const needs = graph.resolve(key);
    if (needs.missing.length > 0) {
      return composingErrors.missing({ key, names: needs.missing.join(', ') });
    }
    const circle = graph.circleThrough(key);
    if (circle !== undefined) {
      const [first = key] = circle;
      const last = circle.at(-2) ?? first;
      return composingErrors.circle({ first, last, again: first });
    }
    for (const neededKey of needs.found.values()) {
      const reason =
        this.#invalid.get(neededKey) ?? (work.has(neededKey) ? undefined : this.#plan.invalid.get(neededKey));
      if (reason !== undefined) {
        return composingErrors.invalid({ key, needed: neededKey, reason: reason.message });
      }
      if (this.#tools.lifecycle.newestReady(neededKey) === undefined) {
        const failure = this.#failures.get(neededKey);
        const detail =
          failure === undefined
            ? ''
            : ` Model '${neededKey}' loading failed with error: ${failureText(failure)}`;
        return composingErrors.notLoaded({ key, needed: neededKey, detail });
      }
    }
    return this.#requiredVersionProblem(key, needs.found);
  }

  /** What an ensemble's tensors and those of its models contradict each other in: told before any version is tried. */
  #interfaceProblem(key: ModelKey): ServerError | undefined {
    const config = this.#plan.work.get(key)?.config;
    if (config?.ensembleScheduling === undefined) return undefined;
    const composing = [...this.#composingModels(key)];
    try {
      this.#tools.rules.completeEnsemble(
        { config, origins: new Map() },
        new Map(composing.map(([name, model]) => [name, model.config])),
      );
      return undefined;
    } catch (thrown) {
      return toServerError(thrown);
    }
  }

  /** That a step asks for a version which does not serve. `found`: step model name -> the model it means. */
  #requiredVersionProblem(key: ModelKey, found: ReadonlyMap<string, ModelKey>): ServerError | undefined {
    for (const step of this.#plan.work.get(key)?.config.ensembleScheduling?.step ?? []) {
      const neededKey = found.get(step.modelName);
      if (step.modelVersion === -1 || neededKey === undefined) continue;
      if (this.#tools.lifecycle.version(neededKey, step.modelVersion)?.state === 'READY') continue;
      return composingErrors.versionNotLoaded({ key, needed: neededKey, version: step.modelVersion });
    }
    return undefined;
  }
}

function failureText(failure: LoadFailure): string {
  return failure.clauses.length > 0 ? failure.clauses.join('') : failure.error.message;
}

/** A model and why its load failed. */
export type FailedLoad = readonly [key: ModelKey, failure: LoadFailure];

/**
 * The error of a load call for the first of these models, which failed, and for the others of its name, each of which
 * has a namespace and failed as well.
 */
export function loadCallError([key, failure]: FailedLoad, others: readonly FailedLoad[] = []): ServerError {
  const more = others.map(
    ([other, its]) => loadErrors.failed({ key: other, reason: failureText(its) }).message,
  );
  const reason = [failureText(failure), ...more.map((text) => text.trimEnd())].join('\n');
  return loadErrors.failed({ key, reason }, { cause: failure.error });
}
