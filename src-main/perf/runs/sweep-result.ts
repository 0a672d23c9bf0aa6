// What a sweep showed: one row per configuration at its best load, which rows are not beaten by another, and the one
// to apply.

import type { PerfLevel, PerfRun, PerfSweepResult } from '../../../src-shared/contract/perf-views.ts';

type Row = Omit<PerfSweepResult['rows'][number], 'isPareto'> & { readonly isGood: boolean };

export function sweepResult(id: string, runs: readonly PerfRun[]): PerfSweepResult {
  const rows = runs.map(rowOf);
  const candidates = rows.filter(({ isGood }) => isGood);
  const best = candidates.reduce<Row | undefined>(
    (found, row) => (found === undefined || row.inferPerSecond > found.inferPerSecond ? row : found),
    undefined,
  );
  const bestRun = runs.find((run) => run.id === best?.runId);
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

function rowOf(run: PerfRun): Row {
  const level = bestLevel(run);
  return {
    runId: run.id,
    title: run.sweep?.title ?? '',
    state: run.state,
    error: run.error,
    load: level?.value ?? 0,
    inferPerSecond: level?.result.inferPerSecond ?? 0,
    p99Us: level?.result.percentilesUs['99'] ?? 0,
    isGood: level !== undefined,
  };
}

function beats(
  a: { readonly inferPerSecond: number; readonly p99Us: number },
  b: { readonly inferPerSecond: number; readonly p99Us: number },
): boolean {
  const isNoWorse = a.inferPerSecond >= b.inferPerSecond && a.p99Us <= b.p99Us;
  return isNoWorse && (a.inferPerSecond > b.inferPerSecond || a.p99Us < b.p99Us);
}
