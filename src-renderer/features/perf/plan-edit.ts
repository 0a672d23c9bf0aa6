// Changes of a plan as the form makes them, and what is wrong with one, in words of the window. Pure: the plan itself is
// the only truth, the form shows it.

import type { PerfSweep } from '../../../src-shared/contract/perf-calls.ts';
import type { PerfLevels, PerfLoad, PerfPlan } from '../../../src-shared/contract/perf-plan.ts';
import { ONE_LEVEL } from '../../../src-shared/contract/perf-plan.ts';
import { t } from '../../texts/translate.ts';

/** The kinds of load that a plan can have. */
export type LoadKind = PerfLoad['kind'];
/** How the levels of a load are given. */
export type LevelsKind = PerfLevels['kind'];

/** No values to try in any setting. */
export const NO_SWEEP: PerfSweep = {
  instanceCounts: [],
  maxBatchSizes: [],
  queueDelaysUs: [],
  intraOpThreads: [],
};

const MAX_LEVELS = 200;

/** "1, 2 4" as numbers; undefined when something in it is not a number above the minimum. */
export function parseNumbers(text: string, { min = 0, isWhole = true } = {}): readonly number[] | undefined {
  const parts = text.split(/[\s,;]+/).filter((part) => part !== '');
  const values = parts.map(Number);
  const isGood = values.every(
    (value) => Number.isFinite(value) && value >= min && (!isWhole || Number.isInteger(value)),
  );
  return isGood ? values : undefined;
}

/** The levels of a load, or one level where the load has none. */
function levelsOf(load: PerfLoad): PerfLevels {
  return 'levels' in load ? load.levels : ONE_LEVEL;
}

/** Another kind of load that keeps what both have. */
export function withLoadKind(load: PerfLoad, kind: LoadKind): PerfLoad {
  if (load.kind === kind) return load;
  switch (kind) {
    case 'concurrency':
      return { kind, levels: levelsOf(load) };
    case 'request-rate':
      return { kind, levels: levelsOf(load), distribution: 'constant' };
    case 'intervals':
      return { kind, intervalsUs: [10_000] };
    case 'periodic':
      return { kind, start: 1, end: 16, step: 1, requestPeriod: 10 };
    case 'schedule':
      return { kind };
  }
}

/** Other levels that start and end where the present ones do. */
export function withLevelsKind(levels: PerfLevels, kind: LevelsKind): PerfLevels {
  if (levels.kind === kind) return levels;
  const first = levels.kind === 'list' ? (levels.values[0] ?? 1) : levels.start;
  const last = levels.kind === 'list' ? (levels.values.at(-1) ?? first) : levels.end;
  switch (kind) {
    case 'list':
      return { kind, values: listBetween(first, last) };
    case 'doubling':
      return { kind, start: first, end: last > first ? last : 0 };
    case 'binary':
      return { kind, start: first, end: last > first ? last : first * 16, step: 1 };
    case 'range':
      return { kind, start: first, end: Math.max(first, last), step: 1 };
  }
}

function listBetween(first: number, last: number): number[] {
  const values: number[] = [];
  for (let value = Math.max(1, first); value <= last && values.length < 12; value *= 2) values.push(value);
  return values.length === 0 ? [Math.max(1, first)] : values;
}

/** How many loads will be measured; undefined when that shows only on the way. */
export function plannedLevels(load: PerfLoad): number | undefined {
  if (!('levels' in load)) return load.kind === 'periodic' ? undefined : 1;
  const { levels } = load;
  switch (levels.kind) {
    case 'list':
      return levels.values.length;
    case 'range':
      return levels.end === 0 ? undefined : rangeCount(levels);
    case 'doubling':
    case 'binary':
      return undefined;
  }
}

/** Steps of a tenth do not add up exactly. */
const ROUNDING = 1e-9;

/** 0 for a range that leads nowhere, which `planProblem` names. */
function rangeCount({ start, end, step }: Extract<PerfLevels, { kind: 'range' }>): number {
  if (step <= 0 || end < start) return 0;
  return Math.floor((end - start) / step + ROUNDING) + 1;
}

/** Why the plan cannot be started; undefined = it can. */
export function planProblem(plan: PerfPlan, openShapes: readonly string[]): string | undefined {
  const { load, measurement, data } = plan;
  if ('levels' in load) {
    const problem = levelsProblem(load.levels, measurement.latencyLimitMs);
    if (problem !== undefined) return problem;
  }
  if (load.kind === 'intervals' && load.intervalsUs.length === 0) return t('perf.problem.intervals');
  if (load.kind === 'periodic' && !(plan.isStreaming && plan.protocol === 'grpc'))
    return t('perf.problem.periodic');
  if (load.kind === 'schedule' && !hasDataFile(plan)) return t('perf.problem.schedule');
  if (plan.isStreaming && plan.protocol !== 'grpc') return t('perf.problem.streaming');
  if (data.source.kind === 'json' && data.source.text.trim() === '') return t('perf.problem.json');
  if (data.source.kind === 'saved' && data.source.request === '') return t('perf.problem.saved');
  if (data.source.kind === 'captured' && plan.sharedMemory !== 'none')
    return t('perf.problem.capturedShared');
  if (data.source.kind === 'path' && data.source.path.trim() === '') return t('perf.problem.path');
  const missing = hasDataFile(plan)
    ? undefined
    : openShapes.find((name) => (data.shapes[name] ?? []).length === 0);
  if (missing !== undefined) return t('perf.problem.shape', { input: missing });
  return undefined;
}

function hasDataFile({ data }: PerfPlan): boolean {
  return data.source.kind !== 'random' && data.source.kind !== 'zero';
}

function levelsProblem(levels: PerfLevels, latencyLimitMs: number): string | undefined {
  if (levels.kind === 'list') return levels.values.length === 0 ? t('perf.problem.list') : undefined;
  if (levels.start <= 0) return t('perf.problem.start');
  if (levels.end !== 0 && levels.end < levels.start) return t('perf.problem.end');
  if (levels.kind === 'doubling') return undefined;
  if (levels.step <= 0) return t('perf.problem.step');
  if (levels.end === 0 && latencyLimitMs === 0) return t('perf.problem.open');
  if (levels.kind === 'binary') return latencyLimitMs === 0 ? t('perf.problem.binary') : undefined;
  const count = levels.end === 0 ? 1 : rangeCount(levels);
  return count > MAX_LEVELS ? t('perf.problem.many', { count, max: MAX_LEVELS }) : undefined;
}

/** Configurations of a sweep, the file as it is included; 0 = nothing chosen. */
export function sweepCount(sweep: PerfSweep): number {
  const sizes = Object.values(sweep)
    .map((values: readonly number[]) => values.length)
    .filter((size) => size > 0);
  return sizes.length === 0 ? 0 : 1 + sizes.reduce((product, size) => product * size, 1);
}
