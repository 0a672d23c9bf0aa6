// Counts of windows to the numbers people read. Percentiles come from the merged histogram, never from averages.

import type { PerfMeasured, PerfServerTimes } from '../../../src-shared/contract/perf-views.ts';
import { histogramPercentiles } from '../../metrics/latency-histogram.ts';
import type { WindowData } from './window-recorder.ts';
import { mergeWindows } from './window-recorder.ts';

const PERCENTILES = [50, 90, 95, 99] as const;

/** What was read around a window besides the requests themselves. */
export interface WindowSurroundings {
  readonly generatorCpuMs: number;
  readonly generatorBusyMs: number;
  readonly serverCpuMs: number | undefined;
}

/** How a window becomes numbers. */
export interface MeasureOptions {
  /** Reported besides 50, 90, 95 and 99; 0 = none. */
  readonly percentile: number;
  readonly hasDueTimes: boolean;
  /** Wall-clock ms of a monotonic stamp. */
  readonly wallMs: (ns: number) => number;
}

/** Microseconds by percentile: the usual ones, and `percentile` unless it is 0. */
export function percentilesOf(
  sparse: readonly number[],
  percentile: number,
): Readonly<Record<string, number>> {
  const wanted = [...new Set<number>([...PERCENTILES, ...(percentile === 0 ? [] : [percentile])])].sort(
    (a, b) => a - b,
  );
  const values = histogramPercentiles(sparse, wanted) ?? wanted.map(() => 0);
  return Object.fromEntries(wanted.map((rank, index) => [String(rank), values[index] ?? 0]));
}

/** Several windows, or one, as one measurement. */
export function measuredOf(
  windows: readonly WindowData[],
  around: readonly WindowSurroundings[],
  server: PerfServerTimes | undefined,
  options: MeasureOptions,
): PerfMeasured {
  const data = mergeWindows(windows);
  const seconds = data.durationNs / 1e9;
  const count = data.requestCount;
  const perSecond = (value: number): number => (seconds <= 0 ? 0 : value / seconds);
  const meanOf = (ns: number): number => (count === 0 ? 0 : ns / count / 1000);
  const meanUs = meanOf(data.latencyNs);
  const share = (ms: number): number => (seconds <= 0 ? 0 : ms / 10 / seconds);
  const sum = (pick: (entry: WindowSurroundings) => number): number =>
    around.reduce((total, entry) => total + pick(entry), 0);
  const isServerKnown = around.every(({ serverCpuMs }) => serverCpuMs !== undefined);
  return {
    startedAtMs: options.wallMs(data.startNs),
    durationMs: data.durationNs / 1e6,
    requestCount: count,
    errorCount: data.errorCount,
    inferPerSecond: perSecond(data.inferenceCount),
    responsePerSecond: perSecond(data.responseCount),
    sequenceCount: data.sequenceCount,
    meanUs,
    deviationUs: deviation(data.squaresUs, meanUs, count),
    minUs: count === 0 ? 0 : data.minNs / 1000,
    maxUs: data.maxNs / 1000,
    percentilesUs: percentilesOf(data.histogram, options.percentile),
    fromDueUs: options.hasDueTimes ? percentilesOf(data.fromDue, options.percentile) : undefined,
    sendUs: meanOf(data.sendNs),
    receiveUs: meanOf(data.receiveNs),
    lateCount: data.lateCount,
    sentCount: data.sentCount,
    generatorCpuPercent: share(sum(({ generatorCpuMs }) => generatorCpuMs)),
    serverCpuPercent: isServerKnown ? share(sum(({ serverCpuMs }) => serverCpuMs ?? 0)) : undefined,
    overheadPercent: Math.min(100, share(sum(({ generatorBusyMs }) => generatorBusyMs))),
    histogram: data.histogram,
    server,
  };
}

/** Sample standard deviation; 0 for fewer than two requests. */
function deviation(squaresUs: number, meanUs: number, count: number): number {
  if (count < 2) return 0;
  return Math.sqrt(Math.max(0, (squaresUs - count * meanUs * meanUs) / (count - 1)));
}
