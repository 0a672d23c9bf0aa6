// Everything there is to try: the default first, then either instance counts with maximum batch sizes inside, or every
// combination of the parameters that the user listed.

import { combinations } from './parameter-combinations.ts';
import type { SearchNotes } from './load-steps.ts';
import { batchAndLoadSteps } from './load-steps.ts';
import type { SearchSpace } from './search-space.ts';
import { doublings, preferredSizes, variantFields } from './search-space.ts';
import type { Search } from './trial.ts';

/** Without listed parameters. */
export function* bruteSearch(space: SearchSpace, notes: SearchNotes): Search {
  yield* defaultSteps(space, notes);
  for (let instances = space.instanceCounts.min; instances <= space.instanceCounts.max; instances += 1)
    yield* maxBatchSteps(space, instances, notes);
}

/** Ends at the first size that fails, or that is no better than every smaller one. */
function* maxBatchSteps(space: SearchSpace, instances: number, notes: SearchNotes): Search {
  const bests: number[] = [];
  const sizes = space.model.maxBatchSize > 0 ? doublings(space.maxBatchSizes) : [undefined];
  for (const maxBatchSize of sizes) {
    const fields = variantFields(space, { instances, maxBatchSize });
    const found = yield* batchAndLoadSteps(
      space,
      { fields, instances, maxBatchSize: maxBatchSize ?? 0 },
      notes,
    );
    // No client batch size fits into it.
    if (found.length === 0) continue;
    const best = Math.max(...found.map((value) => value ?? -1));
    const isBetter = bests.every((other) => best > other);
    if (found.includes(undefined) || !isBetter) return;
    bests.push(best);
  }
}

/** `parameters`: fields of the configuration with values to try; undefined = nothing but the default. */
export function* manualSearch(
  space: SearchSpace,
  parameters: Readonly<Record<string, unknown>> | undefined,
  notes: SearchNotes,
): Search {
  yield* defaultSteps(space, notes);
  for (const fields of parameters === undefined ? [] : combinations(parameters)) {
    const maxBatchSize = Number(fields['max_batch_size'] ?? space.model.maxBatchSize);
    const preferred = preferredSizes(fields['dynamic_batching'] ?? space.model.dynamicBatching);
    if (preferred.some((size) => size > maxBatchSize)) continue;
    yield* batchAndLoadSteps(space, { fields, maxBatchSize, instances: instancesOf(fields, space) }, notes);
  }
}

function* defaultSteps(space: SearchSpace, notes: SearchNotes): Search {
  const { maxBatchSize, instanceCount } = space.model;
  yield* batchAndLoadSteps(space, { fields: undefined, maxBatchSize, instances: instanceCount }, notes);
}

function instancesOf(fields: Readonly<Record<string, unknown>>, space: SearchSpace): number {
  const groups = fields['instance_group'];
  if (!Array.isArray(groups)) return space.model.instanceCount;
  return groups.reduce((total: number, group: { readonly count?: number }) => total + (group.count ?? 1), 0);
}
