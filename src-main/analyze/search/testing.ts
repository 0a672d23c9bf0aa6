// A search on paper: a function gives the throughput of every trial.

import type { SearchSpace } from './search-space.ts';
import type { Search, Trial, TrialResult } from './trial.ts';

/** The defaults of the reference, for a model of batches of 8. */
export function someSpace(changes: Partial<SearchSpace> = {}): SearchSpace {
  return {
    unit: 'concurrency',
    loads: { min: 1, max: 1024 },
    givenLoads: undefined,
    batchSizes: [1],
    instanceCounts: { min: 1, max: 5 },
    maxBatchSizes: { min: 1, max: 128 },
    isBounded: { loads: false, instanceCounts: false, maxBatchSizes: false },
    exitsEarly: false,
    usesFormula: false,
    instanceKind: 'KIND_CPU',
    model: { maxBatchSize: 8, instanceCount: 1, takesDynamicBatching: true, dynamicBatching: undefined },
    ...changes,
  };
}

/** Every trial in its order; `answer` gives the result. */
export function trialsOf(search: Search<unknown>, answer: (trial: Trial) => TrialResult): readonly Trial[] {
  const trials: Trial[] = [];
  for (let step = search.next(); step.done !== true; step = search.next(answer(step.value))) {
    trials.push(step.value);
    if (trials.length > 500) throw new Error('the search does not end');
  }
  return trials;
}

/** Throughput only. */
export function throughput(perf_throughput: number): TrialResult {
  return { metrics: { perf_throughput } };
}

/** "default c4" or "i2 b8 c4". */
export function trialText({ fields, load, batchSize }: Trial): string {
  const of = fields as
    | { readonly max_batch_size?: number; readonly instance_group?: readonly { count: number }[] }
    | undefined;
  const variant =
    of === undefined
      ? 'default'
      : [
          of.instance_group === undefined ? '' : `i${of.instance_group[0]?.count}`,
          of.max_batch_size === undefined ? '' : `b${of.max_batch_size}`,
        ]
          .filter((part) => part !== '')
          .join(' ');
  return `${variant} c${load.value}${batchSize === 1 ? '' : ` x${batchSize}`}`;
}
