// The scheduler a configuration asks for: ensemble, sequence, dynamic, or none of them.

import type { Scheduler } from '../inference/scheduler.ts';
import { createDynamicBatcher } from './create-dynamic-batcher.ts';
import { DirectScheduler } from './direct-scheduler.ts';
import type { SchedulerDeps } from './scheduler-deps.ts';

/** The schedulers that are more than a queue in front of the instances. */
export interface SchedulerFactories {
  readonly createSequenceBatcher: (deps: SchedulerDeps) => Scheduler | Promise<Scheduler>;
  readonly createEnsembleScheduler: (deps: SchedulerDeps) => Scheduler | Promise<Scheduler>;
}

/** Rejects with what loading sequence states or checking the composing models rejects with. */
export async function createScheduler(
  deps: SchedulerDeps,
  factories: SchedulerFactories,
): Promise<Scheduler> {
  const { config } = deps;
  if (config.ensembleScheduling !== undefined) return factories.createEnsembleScheduler(deps);
  if (config.sequenceBatching !== undefined) return factories.createSequenceBatcher(deps);
  if (config.dynamicBatching !== undefined) return createDynamicBatcher(deps, config.dynamicBatching);
  return new DirectScheduler(deps);
}
