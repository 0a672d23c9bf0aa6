// The schedulers beyond the dynamic batcher, for the engine's composition.

import { unsupported } from '../../../src-shared/errors.ts';
import type { SchedulerFactories } from '../../scheduling/create-scheduler.ts';
import { createSequenceBatcher } from '../../scheduling/create-sequence-batcher.ts';
import { EnsembleScheduler } from '../../scheduling/ensemble-scheduler.ts';

function missing(part: string): never {
  throw unsupported(`a scheduler for ${part} was asked for without '${part}' in the configuration`);
}

export const serverSchedulers: SchedulerFactories = {
  createSequenceBatcher: (deps) =>
    createSequenceBatcher(deps, deps.config.sequenceBatching ?? missing('sequence_batching')),
  createEnsembleScheduler: (deps) =>
    new EnsembleScheduler(deps, deps.config.ensembleScheduling ?? missing('ensemble_scheduling')),
};
