// Builds one version of a model: completes and checks its configuration, loads it through its backend, creates its
// instances, starts its scheduler, warms it up. Whatever fails, everything made before is undone in reverse order, so
// the caller gets a complete model or an error and nothing in between.

import { artefactNames } from '../../src-shared/config/backend-description.ts';
import { mergeOrigins } from '../../src-shared/config/config-origins.ts';
import type { ModelConfig } from '../../src-shared/config/model-config.ts';
import type { Clock } from '../base/clock.ts';
import { Disposer } from '../base/disposer.ts';
import type { EventBus } from '../base/event-bus.ts';
import { getLogger } from '../base/log.ts';
import type { GpuMemoryMeter } from '../gpu/memory-meter.ts';
import type { BackendRegistry } from '../inference/backend-registry.ts';
import type { Backend, BackendModel, ModelInstance } from '../inference/backend.ts';
import type { ModelFiles } from '../inference/model-files.ts';
import { modelFiles, requireConfinedFiles } from '../inference/model-files.ts';
import type { ModelInvoker } from '../inference/model-invoker.ts';
import { logDefaultSetting } from './backend-defaults.ts';
import { checkBatchStrategy } from './batch-strategy.ts';
import type { CompletedConfig } from './complete-config.ts';
import { completeConfig } from './complete-config.ts';
import type { ConfigRules } from './config-rules.ts';
import type { InstanceCreation } from './create-instances.ts';
import { createInstances } from './create-instances.ts';
import { boundInvoker, withNamespaces } from './ensemble-binding.ts';
import { deviceRuns, gpuDevices, placedOnGpu, settleOnGpu } from './gpu-placement.ts';
import { warmUpper } from './instance-warmup.ts';
import { planExchange, planModelInstances } from './instance-plan.ts';
import { tellInstanceEnds, tellInstanceKept, tellModelBegins, tellModelEnds } from './life-records.ts';
import { LoadStopwatch } from './load-stopwatch.ts';
import { LoadWarnings } from './load-warnings.ts';
import type { ModelParts } from './model.ts';
import { Model } from './model.ts';
import { inheritLabels, readLabels } from './model-labels.ts';
import type { ModelRuntime, ModelRuntimeFactory, PlannedInstance } from './model-runtime.ts';
import { requireTrust } from './code-trust.ts';
import type { LocalSource } from './local-source.ts';
import { localDir, localSource } from './local-source.ts';
import type { PolledModel } from './polled-model.ts';
import type { RepositoryEvents } from './repository-events.ts';

const log = getLogger('repository');

/** What the loader works with. It closes none of it. */
export interface ModelLoaderOptions {
  readonly rules: ConfigRules;
  readonly backends: BackendRegistry;
  readonly createRuntime: ModelRuntimeFactory;
  /** Requests to other models on behalf of a model, which names them as a client does. */
  readonly invoker: ModelInvoker;
  /** Those of an ensemble's step to the model of this namespace. */
  readonly stepInvoker: (namespace: string) => ModelInvoker;
  readonly clock: Clock;
  readonly gpuMemory: GpuMemoryMeter;
  /** Told when a version begins and ends to count. */
  readonly events: EventBus<RepositoryEvents>;
  readonly autoComplete: boolean;
  /** Settings of the command line for a backend, global ones included. */
  readonly backendSettings: (backend: string) => ReadonlyMap<string, string>;
  /** Create the instances of a version at the same time; undefined = as their backend says. */
  readonly parallelInstances: boolean | undefined;
}

/** How one version is built. When the signal aborts, what was made is undone. */
export interface BuildOptions {
  readonly signal: AbortSignal;
  /** A clause for the progress of the load, at the begin of each phase. */
  readonly onPhase: (text: string) => void;
  /** For ensembles: step model name -> the model that serves it. */
  readonly composing: ReadonlyMap<string, Model>;
}

/** One version on its way to a model. */
interface Attempt {
  readonly polled: LocalSource;
  readonly files: ModelFiles;
  readonly options: BuildOptions;
  readonly stopwatch: LoadStopwatch;
  /** Takes back what was made so far. */
  readonly undo: Disposer;
}

/** Keeps nothing of the models it builds but which warnings it has logged. */
export class ModelLoader {
  readonly #options: ModelLoaderOptions;
  readonly #warnings = new LoadWarnings();

  constructor(options: ModelLoaderOptions) {
    this.#options = options;
  }

  /** Builds version `version` of a polled model. Throws ServerError; nothing of the attempt is left then. */
  async build(polled: PolledModel, version: number, options: BuildOptions): Promise<Model> {
    const stopwatch = new LoadStopwatch(this.#options.clock, options.onPhase);
    const undo = new Disposer();
    try {
      const local = await localSource(polled, options, stopwatch, undo);
      const files = modelFiles(local.id.name, local.modelDir, String(version));
      const attempt: Attempt = { polled: local, files, options, stopwatch, undo };
      const isEnsemble = polled.config.ensembleScheduling !== undefined;
      return isEnsemble ? await this.#buildEnsemble(attempt) : await this.#buildWithBackend(attempt);
    } catch (thrown) {
      await undo.close();
      options.signal.throwIfAborted();
      throw thrown;
    }
  }

  /** Exchanges instances of a serving model for those of a new config. On failure nothing is changed. */
  async update(model: Model, polled: PolledModel, options: BuildOptions): Promise<void> {
    const { backendModel } = model;
    if (backendModel === undefined) return;
    const groups = this.#options.rules.completeInstanceGroups({
      // The version policy is not taken over: the version tells that under which it was loaded, as in Triton.
      config: { ...model.config, instanceGroup: polled.config.instanceGroup },
      origins: mergeOrigins(model.origins, polled.origins),
    });
    const hasGpu = this.#options.rules.hasGpu(groups.config);
    const plans = planModelInstances(groups.config, hasGpu);
    const exchange = planExchange(
      planModelInstances(model.config, hasGpu).map(({ signature }) => signature),
      plans.map(({ signature }) => signature),
    );
    const undo = new Disposer();
    const gpu = model.gpu.changing(gpuDevices(plans));
    try {
      const wanted = exchange.created.map((at) => plans[at]).filter((plan) => plan !== undefined);
      const creation = { config: model.config, plans: wanted, ...options, undo };
      const added = await this.#createInstances(backendModel, creation);
      const removed = exchange.removed.map((at) => model.instances[at]).filter((old) => old !== undefined);
      const prepare = warmUpper(
        model.runtime,
        added,
        { ...modelFiles(polled.id.name, localDir(polled, model), model.version), config: groups.config },
        { ...options, clock: this.#options.clock },
      );
      const removals = await model.runtime.exchange(added, removed, prepare);
      const next: ModelInstance[] = [];
      for (const { existing, planned } of exchange.kept) {
        const kept = model.instances[existing];
        if (kept === undefined) continue;
        next[planned] = kept;
        tellInstanceKept(kept.spec);
      }
      exchange.created.forEach((planned, at) => {
        const created = added[at];
        if (created !== undefined) next[planned] = created.instance;
      });
      const closings = removals.map(async ({ instance, whenIdle }) => {
        await whenIdle;
        tellInstanceEnds(model.config.backend, instance.spec);
        await instance.close();
      });
      model.adopt(groups, next, closings);
      if (added.length + removed.length > 0) gpu.changed(placedOnGpu(next), () => deviceRuns(model.runtime));
      void Promise.allSettled(closings).then(gpu.end);
      const warnings = this.#options.rules.warnings(groups.config);
      this.#warnings.say(polled, polled.id.name, [...warnings, ...backendModel.notices]);
      // Those that sequences hold go with their last sequence; nobody waits for that.
      await Promise.allSettled(closings.filter((_, at) => removals[at]?.isHeld === false));
    } catch (thrown) {
      await undo.close();
      gpu.end();
      options.signal.throwIfAborted();
      throw thrown;
    }
  }

  async #buildWithBackend(attempt: Attempt): Promise<Model> {
    const { polled, files, options, stopwatch, undo } = attempt;
    const { clock, createRuntime, invoker } = this.#options;
    const backend = await this.#options.backends.choose(polled.config, files);
    const configured = await this.#configure(backend, attempt);
    const { config, origins, handover } = configured;
    const labels = await readLabels(config, polled.modelDir);
    const plans = planModelInstances(config, this.#options.rules.hasGpu(config));
    const scope = backend.usesGpuHere === true ? 'process' : 'elsewhere';
    const gpu = undo.add(this.#options.gpuMemory.begin(gpuDevices(plans), scope));
    const { keepsStates } = backend.description;
    const runtime = undo.add(createRuntime({ files, config, invoker, keepsStates }));
    runtime.gpuMemory = () => gpu.shares;
    this.#countFor(attempt, config, runtime);
    stopwatch.enter('loading model');
    const backendModel = undo.add(
      await backend.load({
        ...files,
        config,
        clock,
        backendConfig: this.#options.backendSettings(backend.description.name),
        reporter: runtime.statistics,
        invoker,
        handover,
        signal: options.signal,
      }),
    );
    await gpu.ready();
    const building = { ...options, onPhase: (text: string): void => stopwatch.enter(text) };
    const instances = await this.#createInstances(backendModel, { config, plans, ...building, undo });
    await handover?.close();
    await runtime.start(
      instances,
      warmUpper(runtime, instances, { ...files, config }, { ...building, clock }),
    );
    await settleOnGpu(gpu, runtime, instances, stopwatch);
    options.signal.throwIfAborted();
    this.#warnings.say(polled, polled.id.name, backendModel.notices);
    return this.#counted({
      id: polled.id,
      version: files.version,
      modelDir: polled.modelDir,
      copy: polled.copy,
      config,
      origins,
      labels,
      runtime,
      backendModel,
      gpu,
      instances: instances.map(({ instance }) => instance),
      timings: stopwatch.finish(),
      loadedAtMs: clock.wallMs(),
    });
  }

  /** The complete configuration of a model that its backend may load. */
  async #configure(
    backend: Backend,
    { polled, files, options: { signal }, stopwatch, undo }: Attempt,
  ): Promise<CompletedConfig> {
    const { name } = backend.description;
    requireTrust(backend, polled);
    await requireConfinedFiles(polled.config, files, artefactNames(backend.description));
    logDefaultSetting(this.#options.backendSettings(name));
    tellModelBegins(name, polled.id.name, files.version);
    undo.defer(() => tellModelEnds(name));
    stopwatch.enter(
      backend.completing === undefined ? 'completing config' : `completing config: ${backend.completing}`,
    );
    const completed = await completeConfig(this.#options, { backend, polled, files, signal, undo });
    this.#warnings.say(polled, polled.id.name, this.#options.rules.warnings(completed.config));
    await checkBatchStrategy(completed.config, files);
    return completed;
  }

  async #buildEnsemble(attempt: Attempt): Promise<Model> {
    const { polled, files, options, stopwatch, undo } = attempt;
    const { rules, clock, createRuntime } = this.#options;
    const invoker = boundInvoker(this.#options.stepInvoker, polled.id.namespace, options.composing);
    stopwatch.enter('completing config');
    const composing = new Map([...options.composing].map(([name, model]) => [name, model.config]));
    const completed = rules.completeEnsemble(polled, composing);
    const config = withNamespaces(completed.config, options.composing);
    const { origins } = completed;
    rules.checkComplete(config);
    this.#warnings.say(polled, polled.id.name, rules.warnings(config));
    const own = await readLabels(config, polled.modelDir);
    await requireConfinedFiles(polled.config, files, []);
    const runtime = undo.add(createRuntime({ files, config, invoker, keepsStates: false }));
    this.#countFor(attempt, config, runtime);
    await runtime.start([], () => Promise.resolve());
    options.signal.throwIfAborted();
    return this.#counted({
      id: polled.id,
      version: files.version,
      modelDir: polled.modelDir,
      copy: polled.copy,
      config,
      origins,
      labels: inheritLabels(config, own, (name) => options.composing.get(name)),
      runtime,
      backendModel: undefined,
      gpu: this.#options.gpuMemory.begin([], 'process'),
      instances: [],
      timings: stopwatch.finish(),
      loadedAtMs: clock.wallMs(),
    });
  }

  #countFor(
    { polled: { id }, files: { version }, undo }: Attempt,
    config: ModelConfig,
    runtime: ModelRuntime,
  ): void {
    const { events } = this.#options;
    events.publish('countingBegins', { id, version, config, runtime });
    undo.defer(() => events.publish('countingEnds', { runtime }));
  }

  #counted(parts: ModelParts): Model {
    const model = new Model(parts);
    model.whenClosed(() => this.#options.events.publish('countingEnds', { runtime: parts.runtime }));
    return model;
  }

  /** At the same time or one by one, as the user says, else as the backend does. */
  async #createInstances(
    backendModel: BackendModel,
    wanted: Omit<InstanceCreation, 'isParallel'>,
  ): Promise<PlannedInstance[]> {
    const { backends, parallelInstances } = this.#options;
    if (parallelInstances !== undefined) {
      const value = parallelInstances ? 1 : 0;
      log.verbose(1, `Using TRITON_PARALLEL_INSTANCE_LOADING environment variable override: ${value}`);
    }
    const isParallel =
      parallelInstances ?? backends.get(wanted.config.backend)?.description.createsInParallel ?? true;
    return await createInstances(backendModel, { ...wanted, isParallel });
  }
}
