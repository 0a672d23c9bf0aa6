// What two states of one thing differ by when the machine under them is never twice the same: many pairs of rounds, the
// difference of each, their median, and an interval around it that supposes nothing of how they are spread.

/** Median of the differences, and where that of all conceivable pairs lies with at least 95 percent of certainty. */
export interface PairedDifference {
  readonly median: number;
  readonly low: number;
  readonly high: number;
}

/** What an interval says about a limit: `uneven` = nothing, since it holds the limit or is wider than it. */
export type LimitVerdict = 'within' | 'above' | 'uneven';

const CERTAINTY = 0.95;

/** Of at least six differences: fewer have no interval of that certainty. */
export function pairedDifference(differences: readonly number[]): PairedDifference {
  const sorted = differences.toSorted((a, b) => a - b);
  const rank = lowRank(sorted.length);
  if (rank === undefined) throw new RangeError(`${sorted.length} pairs say nothing; six do at least`);
  return {
    median: median(sorted),
    low: sorted[rank] ?? Number.NaN,
    high: sorted[sorted.length - 1 - rank] ?? Number.NaN,
  };
}

/** The middle of values in any order; of an even number of them the mean of the two in the middle. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return ((sorted[(sorted.length - 1) >> 1] ?? Number.NaN) + (sorted[sorted.length >> 1] ?? Number.NaN)) / 2;
}

/** An interval that is wider than the limit is no measurement of it, wherever it lies. */
export function verdictOf({ low, high }: PairedDifference, limit: number): LimitVerdict {
  if (high - low > limit || (low < limit && high >= limit)) return 'uneven';
  return high < limit ? 'within' : 'above';
}

/** Place of the lower end among the sorted: as high as the certainty allows, each pair being a coin above or below the median. */
function lowRank(count: number): number | undefined {
  const allowed = (1 - CERTAINTY) / 2;
  let probability = 0.5 ** count;
  let below = probability;
  if (below > allowed) return undefined;
  let rank = 0;
  while (below + (probability * (count - rank)) / (rank + 1) <= allowed) {
    probability *= (count - rank) / (rank + 1);
    below += probability;
    rank += 1;
  }
  return rank;
}
