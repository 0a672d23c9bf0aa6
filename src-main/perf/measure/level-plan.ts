// Which load is measured next, decided from the results so far. Pure: the same results give the same next load.

import type { PerfLevelState } from '../../../src-shared/contract/perf-views.ts';
import type { PerfLevels } from '../../../src-shared/contract/perf-plan.ts';

/** What the search looks at. */
export interface LevelOutcome {
  readonly value: number;
  /** Stable, or accepted, and within the latency limit. */
  readonly isGood: boolean;
  readonly inferPerSecond: number;
}

/** Doubling ends when a level gains less than this over the best one before it. */
const DOUBLING_GAIN = 1.05;
const DOUBLING_MAX = 4096;

/** The next load; undefined = done. `stopsWhenBad`: a range ends at the first level that is not good. */
export function nextLevel(
  levels: PerfLevels,
  outcomes: readonly LevelOutcome[],
  options: { readonly stopsWhenBad: boolean },
): number | undefined {
  const last = outcomes.at(-1);
  switch (levels.kind) {
    case 'list':
      return levels.values[outcomes.length];
    case 'range': {
      if (last === undefined) return levels.start;
      if (!last.isGood && (options.stopsWhenBad || levels.end === 0)) return undefined;
      const next = levels.start + levels.step * outcomes.length;
      const isPast = levels.end !== 0 && next > levels.end + 1e-9;
      return levels.step <= 0 || isPast ? undefined : next;
    }
    case 'doubling':
      return nextDoubling(levels, outcomes);
    case 'binary':
      return nextBinary(levels, outcomes);
  }
}

function nextDoubling(
  { start, end }: { readonly start: number; readonly end: number },
  outcomes: readonly LevelOutcome[],
): number | undefined {
  const last = outcomes.at(-1);
  if (last === undefined) return start;
  const next = last.value * 2;
  if (next > (end === 0 ? DOUBLING_MAX : end)) return undefined;
  const before = Math.max(0, ...outcomes.slice(0, -1).map(({ inferPerSecond }) => inferPerSecond));
  const grows = outcomes.length < 2 || last.inferPerSecond > before * DOUBLING_GAIN;
  return grows || end !== 0 ? next : undefined;
}

/** Both ends first, then the middle of what is left, until it is no wider than the step. */
function nextBinary(
  { start, end, step }: { readonly start: number; readonly end: number; readonly step: number },
  outcomes: readonly LevelOutcome[],
): number | undefined {
  const [first, second, ...rest] = outcomes;
  if (first === undefined) return start;
  if (!first.isGood) return undefined;
  if (second === undefined) return end;
  if (second.isGood) return undefined;
  let low = start;
  let high = end;
  for (const { value, isGood } of rest) {
    if (isGood) low = value;
    else high = value;
  }
  if (high - low <= Math.max(step, Number.EPSILON)) return undefined;
  const middle = (low + high) / 2;
  const isWhole = Number.isInteger(start) && Number.isInteger(end);
  const next = isWhole ? Math.floor(middle) : middle;
  return next <= low ? undefined : next;
}

/** How many levels there will be; 0 = depends on the results. */
export function levelCount(levels: PerfLevels): number {
  if (levels.kind === 'list') return levels.values.length;
  if (levels.kind !== 'range' || levels.end === 0 || levels.step <= 0) return 0;
  return Math.max(1, Math.floor((levels.end - levels.start) / levels.step + 1e-9) + 1);
}

/** Share of the best throughput at which more load only lengthens the queue. */
const KNEE_SHARE = 0.95;

/** Smallest load that reaches nearly the best throughput, when a larger one was measured too; else -1. Only stable levels
 * can tell. */
export function kneeOf(
  levels: readonly {
    readonly value: number;
    readonly state: PerfLevelState;
    readonly result: { readonly inferPerSecond: number };
  }[],
): number {
  const stable = levels.flatMap(({ state, ...level }, index) =>
    state === 'stable' ? [{ ...level, index }] : [],
  );
  const best = Math.max(0, ...stable.map(({ result }) => result.inferPerSecond));
  if (best === 0) return -1;
  const largest = Math.max(...stable.map(({ value }) => value));
  const knee = stable
    .filter(({ value, result }) => value < largest && result.inferPerSecond >= best * KNEE_SHARE)
    .toSorted((a, b) => a.value - b.value)[0];
  return knee?.index ?? -1;
}
