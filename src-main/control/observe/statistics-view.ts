// The counters of a loaded version as the page shows them: since load, or since a page reset its view.

import type { StatisticsView } from '../../../src-shared/contract/observe-views.ts';
import { residentBytesOf } from '../../base/process-memory.ts';
import type { InstanceHost } from '../../inference/backend.ts';
import type { StatisticDuration } from '../../metrics/infer-statistics.ts';
import type { SparseHistogram } from '../../metrics/latency-histogram.ts';
import { histogramPercentiles, subtractHistogram } from '../../metrics/latency-histogram.ts';
import type { Model } from '../../repository/model.ts';
import { instancePlacement } from '../catalog/instance-placement.ts';
import type { CounterState } from './view-resets.ts';

/** The counters of a loaded version at this moment, to be compared with an earlier or a later one. */
export function counterState(model: Model, nowMs: number): CounterState {
  const { statistics, slots } = model.runtime;
  return {
    atMs: nowMs,
    statistics: statistics.snapshot(),
    latency: statistics.requestLatency.total(),
    queueFull: statistics.queueFullCount,
    timedOut: statistics.timedOutCount,
    cancelled: statistics.failures.CANCELED,
    executions: slots.map((slot) => slot.payloadCount),
  };
}

/** Resident bytes of the processes that run instances, by process id, as far as they are known. */
export async function hostMemory(models: readonly Model[]): Promise<ReadonlyMap<number, number>> {
  const pids = models.flatMap(({ runtime }) =>
    runtime.slots.flatMap(({ instance }) => instance.host?.pid ?? []),
  );
  const known = new Map<number, number>();
  await Promise.all(
    pids.map(async (pid) => {
      const bytes = await residentBytesOf(pid);
      if (bytes !== undefined) known.set(pid, bytes);
    }),
  );
  return known;
}

/** What was measured of a model, for a view of it. */
export interface ModelMeasurement {
  readonly now: CounterState;
  /** What is left out of the counts; undefined = they are since the load. */
  readonly since: CounterState | undefined;
  /** Share of the latest second, 0..1, by instance. */
  readonly busy: readonly number[];
  /** Resident bytes by process id. */
  readonly memory: ReadonlyMap<number, number>;
}

/** Counts, mean times and instances of one version, as the window shows them. */
export function statisticsView(model: Model, { now, since, busy, memory }: ModelMeasurement): StatisticsView {
  const a = since?.statistics;
  const b = now.statistics;
  const grown = (pick: (of: NonNullable<typeof a>) => number): number =>
    pick(b) - (a === undefined ? 0 : pick(a));
  const meanUs = (pick: (of: NonNullable<typeof a>) => StatisticDuration): number => {
    const count = grown((of) => pick(of).count);
    return count === 0 ? 0 : grown((of) => pick(of).ns) / count / 1000;
  };
  const placed = instancePlacement(
    model.runtime.slots.map(({ spec }) => spec),
    model.backendModel?.notices ?? [],
  );
  return {
    version: model.version,
    sinceMs: since?.atMs ?? model.loadedAtMs,
    isReset: since !== undefined,
    inferenceCount: grown((of) => of.inferenceCount),
    executionCount: grown((of) => of.executionCount),
    successCount: grown((of) => of.inference.success.count),
    failureCount: grown((of) => of.inference.fail.count),
    queueFullCount: now.queueFull - (since?.queueFull ?? 0),
    timedOutCount: now.timedOut - (since?.timedOut ?? 0),
    cancelledCount: now.cancelled - (since?.cancelled ?? 0),
    meanUs: {
      request: meanUs((of) => of.inference.success),
      queue: meanUs((of) => of.inference.queue),
      input: meanUs((of) => of.inference.computeInput),
      infer: meanUs((of) => of.inference.computeInfer),
      output: meanUs((of) => of.inference.computeOutput),
    },
    percentilesUs: percentilesOf(
      since === undefined ? now.latency : subtractHistogram(now.latency, since.latency),
    ),
    batches: batchesSince(now, since),
    closeReasons: closeReasons(model, since?.atMs ?? 0),
    cacheHitCount: grown((of) => of.inference.cacheHit.count),
    cacheMissCount: grown((of) => of.inference.cacheMiss.count),
    instances: model.runtime.slots.map((slot, index, slots) => ({
      name: slot.spec.name,
      device: placed[index]?.device ?? '',
      executionCount: (now.executions[index] ?? 0) - (since?.executions[index] ?? 0),
      busy: busy[index] ?? 0,
      host: hostView(
        slot.instance.host,
        memory,
        slots.slice(0, index).some(({ instance }) => instance.host?.pid === slot.instance.host?.pid),
      ),
    })),
  };
}

/** Of instances that share a process, the first tells its memory (`isShown` is false for that one). */
function hostView(
  host: InstanceHost | undefined,
  memory: ReadonlyMap<number, number>,
  isShown: boolean,
): StatisticsView['instances'][number]['host'] {
  if (host === undefined) return undefined;
  const { pid = 0, restartCount } = host;
  return { pid, memoryBytes: isShown ? undefined : memory.get(pid), restartCount };
}

function percentilesOf(latency: SparseHistogram): StatisticsView['percentilesUs'] {
  const percentiles = histogramPercentiles(latency, [50, 90, 95, 99, 100]);
  if (percentiles === undefined) return undefined;
  const [p50 = 0, p90 = 0, p95 = 0, p99 = 0, max = 0] = percentiles;
  return { p50, p90, p95, p99, max };
}

function batchesSince(now: CounterState, since: CounterState | undefined): StatisticsView['batches'] {
  const before = new Map(
    since?.statistics.batches.map(({ batchSize, computeInfer }) => [batchSize, computeInfer.count]),
  );
  return now.statistics.batches.flatMap(({ batchSize, computeInfer }) => {
    const count = computeInfer.count - (before.get(batchSize) ?? 0);
    return count > 0 ? [{ batchSize, count }] : [];
  });
}

/** Of the latest executions, which is what is kept. */
function closeReasons(model: Model, fromMs: number): StatisticsView['closeReasons'] {
  const counts = new Map<string, number>();
  for (const { closeReason, atWallMs } of model.runtime.recentExecutions()) {
    if (atWallMs >= fromMs) counts.set(closeReason, (counts.get(closeReason) ?? 0) + 1);
  }
  return [...counts].map(([reason, count]) => ({ reason, count })).sort((a, b) => b.count - a.count);
}
