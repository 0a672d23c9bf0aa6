// Levels as they go into the run that is kept.

import type { PerfLevel, PerfRun } from '../../../src-shared/contract/perf-views.ts';
import { kneeOf } from '../measure/level-plan.ts';
import type { SlowTraceKeeper } from './model-host.ts';

/** The level, its slowest requests with the traces that fit them. */
export function withTraces(level: PerfLevel, keeper: SlowTraceKeeper): PerfLevel {
  const found = keeper.of(level.slowest);
  const slowest = level.slowest.map((one, at) => {
    const trace = found[at] ?? [];
    return trace.length === 0 ? one : { ...one, trace };
  });
  return { ...level, slowest };
}

/** What a run has by its levels. */
export function withLevels(levels: PerfRun['levels']): Partial<PerfRun> {
  return {
    levels,
    levelCount: levels.length,
    bestInferPerSecond: Math.max(0, ...levels.map(({ result }) => result.inferPerSecond)),
    kneeIndex: kneeOf(levels),
  };
}
