// What every scheduler is built from. One set per loaded model version.

import type { ModelConfig } from '../../src-shared/config/model-config.ts';
import type { Clock } from '../base/clock.ts';
import type { ModelFiles } from '../inference/model-files.ts';
import type { ModelInvoker } from '../inference/model-invoker.ts';
import type { StatisticsCollector } from '../inference/statistics-collector.ts';
import type { InstanceGroup } from './instance-group.ts';
import type { ModelCache } from './model-cache.ts';
import type { StateSpec } from './sequence-initial-states.ts';

/** Triton's test switches; 0 = off. */
export interface SchedulerTestHooks {
  /** TRITONSERVER_DELAY_SCHEDULER: do nothing until this many requests are queued. */
  readonly delayUntilQueuedCount: number;
  /** TRITONSERVER_BACKLOG_DELAY_SCHEDULER: also wait for this many requests in sequence backlogs. */
  readonly delayUntilBacklogCount: number;
}

/** Nothing is delayed. */
export const NO_TEST_HOOKS: SchedulerTestHooks = { delayUntilQueuedCount: 0, delayUntilBacklogCount: 0 };

/** What a scheduler works with. It closes the queues of the instances, and none of the instances. */
export interface SchedulerDeps {
  /** Complete, validated config with defaults filled in. */
  readonly config: ModelConfig;
  readonly files: ModelFiles;
  readonly clock: Clock;
  readonly statistics: StatisticsCollector;
  /** Active instances; empty for ensembles. The scheduler does not close it. */
  readonly instances: InstanceGroup;
  /** Present when the server has a cache and the model uses it. */
  readonly cache: ModelCache | undefined;
  /** Requests to other models (ensembles). */
  readonly invoker: ModelInvoker | undefined;
  /** Implicit states of a sequence model, read by loadInitialStates; empty for all others. */
  readonly initialStates: readonly StateSpec[];
  /** The model's outputs renew them; default true. */
  readonly keepsStates?: boolean;
  readonly hooks: SchedulerTestHooks;
}
