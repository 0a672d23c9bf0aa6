// The default scheduler: every request is its own payload and goes to whichever instance is free first. No queue
// policy, no priorities, no merging; batches made by clients pass through untouched.

import type { Clock } from '../base/clock.ts';
import type { ExecutionRecord } from '../inference/execution.ts';
import type { InferenceRequest } from '../inference/inference-request.ts';
import { traceQueued } from '../inference/queue-trace.ts';
import type { Scheduler } from '../inference/scheduler.ts';
import type { StatisticsCollector } from '../inference/statistics-collector.ts';
import { BatchPayload } from './batch-payload.ts';
import type { InstanceGroup } from './instance-group.ts';
import type { ModelCache } from './model-cache.ts';
import { stoppingError } from './request-failure.ts';
import type { SchedulerDeps } from './scheduler-deps.ts';

/**
 * For models without a `scheduling_choice`. An answer from the response cache takes no instance; after `close`
 * requests are refused with UNAVAILABLE.
 */
export class DirectScheduler implements Scheduler {
  readonly #clock: Clock;
  readonly #statistics: StatisticsCollector;
  readonly #instances: InstanceGroup;
  readonly #cache: ModelCache | undefined;
  #isStopping = false;

  constructor(deps: SchedulerDeps) {
    this.#clock = deps.clock;
    this.#statistics = deps.statistics;
    this.#instances = deps.instances;
    this.#cache = deps.cache;
  }

  enqueue(request: InferenceRequest): void {
    if (this.#isStopping) throw stoppingError(request.logPrefix);
    const nowNs = this.#clock.nowNs();
    request.times.queueStartNs = nowNs;
    request.times.batcherStartNs = nowNs;
    traceQueued(request, nowNs);
    if (this.#cache?.answer(request) === true) return;
    this.#statistics.enterPending(request);
    const payload = new BatchPayload('direct');
    payload.add(request);
    payload.queueLength = this.#instances.sharedLength;
    this.#instances.enqueue(payload);
  }

  get inflightCount(): number {
    return this.#instances.unfinishedRequestCount;
  }

  get queuedCount(): number {
    return this.#instances.waitingRequestCount;
  }

  recentExecutions(): readonly ExecutionRecord[] {
    return this.#instances.recentExecutions();
  }

  stop(): void {
    this.#isStopping = true;
  }

  close(): Promise<void> {
    this.stop();
    return this.#instances.close();
  }
}
