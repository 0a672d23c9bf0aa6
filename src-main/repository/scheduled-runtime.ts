// ModelRuntime over the scheduling room: statistics, an instance group, and the scheduler the config asks for. Closing
// it ends scheduler and group; instances belong to the model.

import type { ModelConfig } from '../../src-shared/config/model-config.ts';
import { toServerError } from '../../src-shared/errors.ts';
import type { Clock } from '../base/clock.ts';
import type { ModelInstance } from '../inference/backend.ts';
import type { EnsembleRunRecord, ExecutionRecord, Payload } from '../inference/execution.ts';
import type { InferenceRequest } from '../inference/inference-request.ts';
import type { RequestTapPoint } from '../inference/request-tap.ts';
import type { Scheduler } from '../inference/scheduler.ts';
import { StatisticsCollector } from '../inference/statistics-collector.ts';
import { BatchPayload } from '../scheduling/batch-payload.ts';
import type { ExecutionLimiter } from '../scheduling/execution-limiter.ts';
import { InstanceGroup } from '../scheduling/instance-group.ts';
import type { InstanceSlot } from '../scheduling/instance-slot.ts';
import { ModelCache, usesResponseCache } from '../scheduling/model-cache.ts';
import type { ResponseCache } from '../scheduling/response-cache.ts';
import type { SchedulerDeps, SchedulerTestHooks } from '../scheduling/scheduler-deps.ts';
import { loadInitialStates } from '../scheduling/sequence-initial-states.ts';
import { traceRequest } from '../tracing/trace-request.ts';
import type {
  InstanceRemoval,
  ModelRuntime,
  ModelRuntimeFactory,
  ModelRuntimeInit,
  PlannedInstance,
  PrepareInstance,
} from './model-runtime.ts';
import { modelErrors } from './model-errors.ts';

/** What all models of a server share. */
export interface ScheduledRuntimeTools {
  readonly clock: Clock;
  /** undefined = rate limiting off. */
  readonly limiter: ExecutionLimiter | undefined;
  /** undefined = the server has no response cache. */
  readonly cache: ResponseCache | undefined;
  readonly hooks: SchedulerTestHooks;
  readonly tapPoint: RequestTapPoint;
  /** The one that the configuration asks for; whoever calls closes it. Throws what the configuration gets wrong. */
  readonly createScheduler: (deps: SchedulerDeps) => Scheduler | Promise<Scheduler>;
  /** Makes the function that checks and completes requests in place; that one throws INVALID_ARG. */
  readonly createNormalizer: (config: ModelConfig) => (request: InferenceRequest) => void;
}

/** Makes the runtime of each model that is built: its scheduler, its instances and its statistics. */
export function scheduledRuntimes(tools: ScheduledRuntimeTools): ModelRuntimeFactory {
  return (init) => new ScheduledRuntime(init, tools);
}

class ScheduledRuntime implements ModelRuntime {
  readonly statistics: StatisticsCollector;
  firstResponse: ((ns: number) => void) | undefined;
  gpuMemory: ModelRuntime['gpuMemory'] = () => [];
  readonly normalize: (request: InferenceRequest) => void;
  readonly #init: ModelRuntimeInit;
  readonly #tools: ScheduledRuntimeTools;
  readonly #group: InstanceGroup;
  readonly #slots = new Map<ModelInstance, InstanceSlot>();
  readonly #closing = Promise.withResolvers<void>();
  #scheduler: Scheduler | undefined;

  constructor(init: ModelRuntimeInit, tools: ScheduledRuntimeTools) {
    this.#init = init;
    this.#tools = tools;
    const { files, config } = init;
    this.normalize = tools.createNormalizer(config);
    this.statistics = new StatisticsCollector({
      name: files.modelName,
      version: files.version,
      clock: tools.clock,
      memoryUsage: () => this.#memoryUsage(),
    });
    this.#group = new InstanceGroup({
      config,
      clock: tools.clock,
      statistics: this.statistics,
      limiter: tools.limiter,
    });
  }

  async start(instances: readonly PlannedInstance[], prepare: PrepareInstance): Promise<void> {
    await this.#add(instances, prepare);
    const { config, files, invoker, keepsStates } = this.#init;
    const { clock, cache, hooks, createScheduler } = this.#tools;
    const { statistics } = this;
    this.#scheduler = await createScheduler({
      config,
      files,
      clock,
      statistics,
      instances: this.#group,
      cache:
        cache !== undefined && usesResponseCache(config)
          ? new ModelCache({
              cache,
              clock,
              statistics,
              missesFailures: config.ensembleScheduling === undefined,
            })
          : undefined,
      invoker,
      initialStates: await loadInitialStates(config, files.modelDir),
      keepsStates,
      hooks,
    });
  }

  async exchange(
    added: readonly PlannedInstance[],
    removed: readonly ModelInstance[],
    prepare: PrepareInstance,
  ): Promise<readonly InstanceRemoval[]> {
    await this.#add(added, prepare);
    return removed.map((instance) => {
      const slot = this.#slots.get(instance);
      if (slot === undefined) return { instance, isHeld: false, whenIdle: Promise.resolve() };
      this.#slots.delete(instance);
      const removal = this.#group.remove(slot);
      const whenIdle = Promise.race([removal, this.#closing.promise]);
      return { instance, isHeld: slot.isHeld, whenIdle };
    });
  }

  async executeOn(instance: ModelInstance, payload: Payload): Promise<void> {
    const slot = this.#slots.get(instance);
    if (slot === undefined) throw modelErrors.notInService({ name: instance.spec.name });
    const batch = new BatchPayload(payload.closeReason);
    batch.isMergeable = false;
    for (const request of payload.requests) batch.add(request);
    await new Promise<void>((resolve) => {
      batch.onDone = resolve;
      this.#group.enqueue(batch, slot);
    });
  }

  infer(request: InferenceRequest): void {
    if (this.#scheduler === undefined) throw modelErrors.notStarted();
    request.times.requestStartNs = this.#tools.clock.nowNs();
    if (this.firstResponse !== undefined) this.#observeFirstResponse(request, this.firstResponse);
    if (request.trace !== undefined) traceRequest(request, this.statistics, this.#tools.clock);
    const tapped = this.#tools.tapPoint.tap?.take(request, this.statistics);
    let isSound = false;
    try {
      this.normalize(request);
      isSound = true;
      tapped?.accepted();
      this.#scheduler.enqueue(request);
    } catch (thrown) {
      // A refused request is not released; one that was wrong has not left its first state.
      if (isSound) request.state = 'FAILED_ENQUEUE';
      tapped?.refused(toServerError(thrown));
      request.trace?.failed?.(toServerError(thrown));
      request.trace?.refused();
      throw thrown;
    }
  }

  get inflightCount(): number {
    return this.#scheduler?.inflightCount ?? 0;
  }

  get queuedCount(): number {
    return this.#scheduler?.queuedCount ?? 0;
  }

  get slots(): readonly InstanceSlot[] {
    return this.#group.slots;
  }

  recentExecutions(): readonly ExecutionRecord[] {
    return this.#scheduler?.recentExecutions() ?? [];
  }

  recentRuns(): readonly EnsembleRunRecord[] {
    return this.#scheduler?.recentRuns?.() ?? [];
  }

  stop(): void {
    this.#scheduler?.stop();
  }

  async close(): Promise<void> {
    await this.#scheduler?.close();
    await this.#group.close();
    this.#closing.resolve();
  }

  #observeFirstResponse(request: InferenceRequest, observe: (ns: number) => void): void {
    let isFirst = true;
    request.interceptResponses((next) => (response, isFinal) => {
      if (isFirst && response !== undefined) {
        isFirst = false;
        observe(this.#tools.clock.nowNs() - request.times.requestStartNs);
      }
      return next(response, isFinal);
    });
  }

  /** All or none: they take work once every one of them is prepared. */
  async #add(instances: readonly PlannedInstance[], prepare: PrepareInstance): Promise<void> {
    const active = instances.filter(({ instance }) => !instance.spec.isPassive);
    const results = await Promise.allSettled(
      active.map(({ instance, rateLimiter }) => this.#group.prepare(instance, { rateLimiter, prepare })),
    );
    const slots = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
    const failed = results.find((result) => result.status === 'rejected');
    if (failed !== undefined) {
      for (const slot of slots) this.#group.discard(slot);
      throw failed.reason;
    }
    for (const slot of slots) {
      this.#slots.set(slot.instance, slot);
      this.#group.join(slot);
    }
  }

  /** Weights by their size, and of GPUs what was measured while the model was loaded. */
  #memoryUsage(): readonly { type: string; id: number; byteSize: number }[] {
    let byteSize = 0;
    for (const { memoryByteSize } of this.#slots.keys()) byteSize += memoryByteSize ?? 0;
    const cpu = byteSize === 0 ? [] : [{ type: 'CPU', id: 0, byteSize }];
    const gpus = this.gpuMemory().flatMap(({ device, bytes }) =>
      bytes === undefined ? [] : [{ type: 'GPU', id: device, byteSize: bytes }],
    );
    return [...cpu, ...gpus];
  }
}
