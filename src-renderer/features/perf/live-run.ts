// What is known of the run that goes on: its newest message, the points of the last minutes, the levels it finished.
// Messages carry only what is new; putting the same level in twice keeps it once. Pure.

import type { PerfLevel, PerfProgress } from '../../../src-shared/contract/perf-views.ts';

/** A run that goes on, as far as this page heard of it. */
export interface LiveRun {
  readonly runId: string;
  readonly progress: PerfProgress;
  /** Oldest first, 250 ms each. */
  readonly points: PerfProgress['points'];
  readonly windowEndsMs: readonly number[];
  readonly levels: readonly PerfLevel[];
}

/** One minute of 250 ms buckets. */
const MAX_POINTS = 240;
const MAX_WINDOWS = 60;

/** The run after a message; a message of another run starts over. */
export function withProgress(live: LiveRun | undefined, progress: PerfProgress): LiveRun {
  const before = live?.runId === progress.runId ? live : undefined;
  const last = before?.points.at(-1)?.atMs ?? -Infinity;
  const fresh = progress.points.filter(({ atMs }) => atMs > last);
  return {
    runId: progress.runId,
    progress,
    points:
      fresh.length === 0 ? (before?.points ?? []) : [...(before?.points ?? []), ...fresh].slice(-MAX_POINTS),
    windowEndsMs: [...new Set([...(before?.windowEndsMs ?? []), ...progress.windowEndsMs])].slice(
      -MAX_WINDOWS,
    ),
    levels: withLevels(before?.levels ?? [], progress.finishedLevels),
  };
}

/** Known levels with new ones put in; the same load measured again replaces the old result. */
export function withLevels(known: readonly PerfLevel[], more: readonly PerfLevel[]): readonly PerfLevel[] {
  if (more.length === 0) return known;
  const byLoad = new Map(known.map((level) => [levelKey(level), level]));
  for (const level of more) byLoad.set(levelKey(level), level);
  return [...byLoad.values()];
}

/** What tells the levels of a run apart. */
export function levelKey({ unit, value }: Pick<PerfLevel, 'unit' | 'value'>): string {
  return `${unit} ${value}`;
}
