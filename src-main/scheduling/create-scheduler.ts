// The scheduler a configuration asks for: ensemble, sequence, dynamic, or none of them.

import type { Scheduler } from '../inference/scheduler.ts';
import { createDynamicBatcher } from './create-dynamic-batcher.ts';
import { createSequenceBatcher } from './create-sequence-batcher.ts';
import { DirectScheduler } from './direct-scheduler.ts';
import { EnsembleScheduler } from './ensemble-scheduler.ts';
import type { SchedulerDeps } from './scheduler-deps.ts';

/**
 * Takes the first kind that the configuration has, in Triton's order; the rules have refused one with several.
 * Throws UNSUPPORTED for an ensemble where there is no repository to ask for models.
 */
export function createScheduler(deps: SchedulerDeps): Scheduler {
  const { ensembleScheduling, sequenceBatching, dynamicBatching } = deps.config;
  if (ensembleScheduling !== undefined) return new EnsembleScheduler(deps, ensembleScheduling);
  if (sequenceBatching !== undefined) return createSequenceBatcher(deps, sequenceBatching);
  if (dynamicBatching !== undefined) return createDynamicBatcher(deps, dynamicBatching);
  return new DirectScheduler(deps);
}
