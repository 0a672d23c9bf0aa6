// The loads that one variant is measured at, with client batch sizes around them.

import type { SearchSpace } from './search-space.ts';
import { powersOfTwo } from './search-space.ts';
import type { Search, TrialResult, VariantFields } from './trial.ts';

/** Measurements of a plateau, and what the best of them must gain over the first. */
const PLATEAU_LENGTH = 4;
const PLATEAU_GAIN = 0.05;

/** What a search tells meanwhile. */
export interface SearchNotes {
  /** A sentence for the user. */
  note(text: string): void;
}

interface VariantLoads {
  readonly fields: VariantFields;
  /** Of the variant; 0 = it does not batch. */
  readonly maxBatchSize: number;
  readonly instances: number;
}

/** Every client batch size, every load. Returns the best throughput of each batch size; undefined = it failed. */
export function* batchAndLoadSteps(
  space: SearchSpace,
  variant: VariantLoads,
  notes: SearchNotes,
): Search<(number | undefined)[]> {
  const results: (number | undefined)[] = [];
  const fitting = space.batchSizes.filter((size) => size <= Math.max(1, variant.maxBatchSize));
  for (const batchSize of fitting) {
    results.push(yield* loadSteps(space, variant, batchSize, notes));
    if (space.exitsEarly && hasPlateau(results)) {
      notes.note('No longer increasing client batch size as throughput has plateaued');
      break;
    }
  }
  return results;
}

function* loadSteps(
  space: SearchSpace,
  variant: VariantLoads,
  batchSize: number,
  notes: SearchNotes,
): Search<number | undefined> {
  const found: number[] = [];
  const mayStop = space.givenLoads === undefined || space.exitsEarly;
  for (const value of loadValues(space, variant, batchSize)) {
    const result: TrialResult = yield {
      fields: variant.fields,
      batchSize,
      load: { unit: space.unit, value },
    };
    if (result === undefined) break;
    found.push(result.metrics.perf_throughput ?? 0);
    if (mayStop && hasPlateau(found)) {
      const what = space.unit === 'concurrency' ? 'concurrency' : 'request rate';
      notes.note(`No longer increasing ${what} as throughput has plateaued`);
      break;
    }
  }
  return found.length === 0 ? undefined : Math.max(...found);
}

function loadValues(space: SearchSpace, variant: VariantLoads, batchSize: number): readonly number[] {
  if (space.givenLoads !== undefined) return space.givenLoads.toSorted((a, b) => a - b);
  if (!space.usesFormula) return powersOfTwo(space.loads);
  const size = Math.max(batchSize, variant.maxBatchSize, 1);
  return [Math.min(space.loads.max, Math.max(space.loads.min, 2 * size * variant.instances))];
}

/** The best of the last four gains no more than a twentieth over the first of them. */
function hasPlateau(found: readonly (number | undefined)[]): boolean {
  const last = found.slice(-PLATEAU_LENGTH).map((value) => value ?? 0);
  const [first = 0] = last;
  if (last.length < PLATEAU_LENGTH || first === 0) return false;
  return (Math.max(...last) - first) / first <= PLATEAU_GAIN;
}
