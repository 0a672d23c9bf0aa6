// What a sweep showed: one row per configuration at its best load, which rows are not beaten by another, and the one
// to apply, if there is a clear one.

import type { PerfLevel, PerfRun, PerfSweepResult } from '../../../src-shared/contract/perf-views.ts';
import { isClear } from './compare-runs.ts';

type Row = Omit<PerfSweepResult['rows'][number], 'isPareto'> & { readonly isGood: boolean };

/**
 * A row is named best only when it is clearly better than what serves at the same load: both levels stable, and the
 * difference larger than what their windows differ among themselves.
 */
export function sweepResult(id: string, runs: readonly PerfRun[]): PerfSweepResult {
  const served = runs.find(({ sweep }) => sweep?.index === 0);
  const rows = runs.map((run) => rowOf(run, served));
  const candidates = rows.filter(({ isGood }) => isGood);
  const winner = highest(candidates.filter(({ gain }) => gain?.isClear === true && gain.percent > 0));
  const bestRun = runs.find((run) => run.id === winner?.runId);
  return {
    id,
    model: runs[0]?.model ?? '',
    isRunning: runs.some(({ state }) => state === 'queued' || state === 'running'),
    rows: rows.map(({ isGood, ...row }) => ({
      ...row,
      isPareto: isGood && !candidates.some((other) => beats(other, row)),
    })),
    bestRunId: bestRun?.id ?? '',
    bestConfigText: bestRun?.configText ?? '',
  };
}

function highest(rows: readonly Row[]): Row | undefined {
  return rows.reduce<Row | undefined>(
    (found, row) => (found === undefined || row.inferPerSecond > found.inferPerSecond ? row : found),
    undefined,
  );
}

/** Within the limit and measured; stable levels are preferred to unstable ones. */
export function bestLevel(run: PerfRun): PerfLevel | undefined {
  const measured = run.levels.filter(
    ({ state, result }) => state !== 'failed' && state !== 'over-limit' && result.requestCount > 0,
  );
  const stable = measured.filter(({ state }) => state === 'stable');
  return (stable.length > 0 ? stable : measured).reduce<PerfLevel | undefined>(
    (found, level) =>
      found === undefined || level.result.inferPerSecond > found.result.inferPerSecond ? level : found,
    undefined,
  );
}

function rowOf(run: PerfRun, served: PerfRun | undefined): Row {
  const level = bestLevel(run);
  return {
    runId: run.id,
    title: run.sweep?.title ?? '',
    isServed: run === served,
    state: run.state,
    error: run.error,
    load: level?.value ?? 0,
    isStable: level?.state === 'stable',
    inferPerSecond: level?.result.inferPerSecond ?? 0,
    p99Us: level?.result.percentilesUs['99'] ?? 0,
    gain: level === undefined || served === undefined || run === served ? undefined : gainOf(level, served),
    isGood: level !== undefined,
  };
}

/** Against what serves at the same load; undefined when that was not measured. */
function gainOf(level: PerfLevel, served: PerfRun): Row['gain'] {
  const other = served.levels.find(({ unit, value }) => unit === level.unit && value === level.value);
  if (other === undefined || !(other.result.inferPerSecond > 0)) return undefined;
  const isStable = level.state === 'stable' && other.state === 'stable';
  return {
    percent: (level.result.inferPerSecond / other.result.inferPerSecond - 1) * 100,
    isClear: isStable && isClear(other, level, ({ inferPerSecond }) => inferPerSecond),
  };
}

function beats(
  a: { readonly inferPerSecond: number; readonly p99Us: number },
  b: { readonly inferPerSecond: number; readonly p99Us: number },
): boolean {
  const isNoWorse = a.inferPerSecond >= b.inferPerSecond && a.p99Us <= b.p99Us;
  return isNoWorse && (a.inferPerSecond > b.inferPerSecond || a.p99Us < b.p99Us);
}
