// A model version around a scheduler, without files or sockets: fake clock, fake instances, real normaliser, real
// statistics. `send` does what the server does with a request: normalise, then enqueue.

import type { ModelConfig } from '../../src-shared/config/model-config.ts';
import type { ModelInstance } from '../inference/backend.ts';
import type { InferenceRequest, InferenceRequestInit } from '../inference/inference-request.ts';
import type { ModelInvoker } from '../inference/model-invoker.ts';
import { createNormalizer } from '../inference/request-normalizer.ts';
import type { Scheduler } from '../inference/scheduler.ts';
import { StatisticsCollector } from '../inference/statistics-collector.ts';
import type { ExecutionLimiter } from '../scheduling/execution-limiter.ts';
import { InstanceGroup } from '../scheduling/instance-group.ts';
import type { InstancePreparation } from '../scheduling/instance-preparation.ts';
import type { InstanceSlot } from '../scheduling/instance-slot.ts';
import { ModelCache, usesResponseCache } from '../scheduling/model-cache.ts';
import type { ResponseCache } from '../scheduling/response-cache.ts';
import type { SchedulerDeps } from '../scheduling/scheduler-deps.ts';
import type { FakeScript } from './fake-backend.ts';
import { FakeInstance } from './fake-backend.ts';
import { FakeClock } from './fake-clock.ts';
import type { Answer } from './tensors.ts';
import { AnswerBook, int32Input } from './tensors.ts';

/** What the model version of a test is made of. */
export interface SchedulerWorldOptions {
  readonly config: ModelConfig;
  /** Called once, before there are instances. */
  readonly createScheduler: (deps: SchedulerDeps) => Scheduler;
  readonly instanceCount?: number;
  readonly script?: FakeScript;
  readonly delayUntilQueuedCount?: number;
  readonly cache?: ResponseCache;
  readonly limiter?: ExecutionLimiter;
  readonly clock?: FakeClock;
  readonly initialStates?: SchedulerDeps['initialStates'];
  readonly delayUntilBacklogCount?: number;
  readonly invoker?: ModelInvoker;
  /** Real instances in place of the scripted ones. */
  readonly createInstance?: (ordinal: number, world: SchedulerWorld) => Promise<ModelInstance>;
}

/** Prepares an instance and lets it take work. */
export async function joinInstance(
  group: InstanceGroup,
  instance: ModelInstance,
  options: InstancePreparation = {},
): Promise<InstanceSlot> {
  const slot = await group.prepare(instance, options);
  group.join(slot);
  return slot;
}

/** Times are the fake clock's: move it to let anything happen. What came back is in `book`, by request. */
export class SchedulerWorld {
  readonly clock: FakeClock;
  readonly config: ModelConfig;
  readonly statistics: StatisticsCollector;
  readonly instances: InstanceGroup;
  readonly fakes: FakeInstance[] = [];
  readonly book = new AnswerBook();
  readonly scheduler: Scheduler;
  readonly #normalize: (request: InferenceRequest) => void;
  readonly #options: SchedulerWorldOptions;
  readonly #executions: FakeInstance['executions'] = [];
  #nextOrdinal = 0;

  private constructor(options: SchedulerWorldOptions) {
    this.#options = options;
    const { config } = options;
    this.config = config;
    this.clock = options.clock ?? new FakeClock();
    const { clock } = this;
    this.statistics = new StatisticsCollector({ name: config.name, version: '1', clock });
    const { statistics } = this;
    this.instances = new InstanceGroup({ config, clock, statistics, limiter: options.limiter });
    this.#normalize = createNormalizer(config);
    const { cache } = options;
    this.scheduler = options.createScheduler({
      config,
      files: { modelName: config.name, version: '1', modelDir: '', versionDir: '' },
      clock,
      statistics,
      instances: this.instances,
      cache:
        cache !== undefined && usesResponseCache(config)
          ? new ModelCache({ cache, clock, statistics, missesFailures: true })
          : undefined,
      invoker: options.invoker,
      initialStates: options.initialStates ?? [],
      hooks: {
        delayUntilQueuedCount: options.delayUntilQueuedCount ?? 0,
        delayUntilBacklogCount: options.delayUntilBacklogCount ?? 0,
      },
    });
  }

  /** Resolves when the instances are there: one unless told otherwise. */
  static async create(options: SchedulerWorldOptions): Promise<SchedulerWorld> {
    const world = new SchedulerWorld(options);
    for (let count = 0; count < (options.instanceCount ?? 1); count += 1) await world.addInstance();
    return world;
  }

  /** One more instance, as an in-place update adds it. */
  async addInstance(): Promise<InstanceSlot> {
    const { config, createInstance, script = {} } = this.#options;
    const rateLimiter = config.instanceGroup[0]?.rateLimiter;
    const ordinal = this.#nextOrdinal++;
    if (createInstance !== undefined) {
      return await joinInstance(this.instances, await createInstance(ordinal, this), { rateLimiter });
    }
    const fake = new FakeInstance({
      clock: this.clock,
      reporter: this.statistics,
      script,
      spec: { name: `${config.name}_${ordinal}`, ordinal },
      executions: this.#executions,
    });
    this.fakes.push(fake);
    return await joinInstance(this.instances, fake, { rateLimiter });
  }

  /** Normalises and enqueues; throws what the server would return synchronously. */
  submit(init: Partial<Omit<InferenceRequestInit, 'onResponse'>>): Answer {
    const request = this.book.request({ modelName: this.config.name, ...init });
    const answer = this.book.answers.at(-1) as Answer;
    try {
      this.infer(request);
    } catch (thrown) {
      this.book.answers.pop();
      throw thrown;
    }
    return answer;
  }

  /** What the server does with a request of whatever origin. */
  infer(request: InferenceRequest): void {
    request.times.requestStartNs = this.clock.nowNs();
    this.#normalize(request);
    this.scheduler.enqueue(request);
  }

  /** A request of `rows` rows with one INT32 input INPUT0 of `width` elements per row. */
  send(
    rows: number,
    init: Partial<Omit<InferenceRequestInit, 'onResponse' | 'inputs'>> & { readonly width?: number } = {},
  ): Answer {
    const { width = 1, ...rest } = init;
    const values = Array.from({ length: rows * width }, (_, at) => at);
    return this.submit({ ...rest, inputs: [int32Input('INPUT0', [rows, width], values)] });
  }

  /** `{4:3,1:2}`: executions per batch size. */
  get batchStats(): Record<number, number> {
    const { batches } = this.statistics.snapshot();
    return Object.fromEntries(batches.map((batch) => [batch.batchSize, batch.computeInfer.count]));
  }

  /** Executed batch sizes in order of start, over all instances. */
  get executed(): number[] {
    return this.fakes[0]?.batchSizes ?? [];
  }

  /** `[start in ms, batch size]` of every execution. */
  get timeline(): [number, number][] {
    const { executions = [] } = this.fakes[0] ?? {};
    return executions.map((run) => [run.startedMs, run.batchSize]);
  }
}
