// The charts of the Statistics tab: their series and the points they draw. Pure, so that tests read numbers, not
// pixels.

import type { ResourcePoint, SeriesAnswer } from '../../../src-shared/contract/observe-views.ts';
import type { SeriesPoint } from '../../../src-shared/contract/series-point.ts';
import { t } from '../../texts/translate.ts';
import type { ChartPoint, ChartSeries, ChartUnit } from '../../ui/chart-types.ts';

/** One chart over the history of a version. */
export interface SeriesChartSpec {
  readonly id: string;
  /** In the language of the window. */
  readonly title: () => string;
  /** A new list for each call, in the language of the window. */
  readonly series: () => readonly ChartSeries[];
  /** `x`: Unix ms; a series without a value at that time is undefined. */
  readonly pointOf: (point: SeriesPoint) => ChartPoint;
  readonly unit: ChartUnit;
  readonly rightUnit?: ChartUnit;
  /** What is counted, where the unit does not say it. */
  readonly note?: () => string;
  /** Values over several powers of ten: the axis can be switched. */
  readonly canLog?: boolean;
}

const perSecond = (count: number, { bucketMs }: SeriesPoint): number => (count * 1000) / bucketMs;

/** Inferences (answers from the cache too), executions and failures per second. */
export const throughput: SeriesChartSpec = {
  id: 'throughput',
  title: () => t('statistics.throughput'),
  unit: 'perSecond',
  series: () => [
    { key: 'inferences', title: t('statistics.throughput.inferences'), role: 'c1' },
    { key: 'executions', title: t('statistics.throughput.executions'), role: 'c3' },
    { key: 'failures', title: t('statistics.throughput.failures'), role: 'danger' },
  ],
  // An answer from the cache is an inference too.
  pointOf: (point) => ({
    x: point.atMs,
    inferences: perSecond(point.inferences + point.cacheHits, point),
    executions: perSecond(point.executions, point),
    failures: perSecond(point.failures, point),
  }),
};

/** Percentiles and the longest, in µs; nothing where no request ended. */
export const latency: SeriesChartSpec = {
  id: 'latency',
  title: () => t('statistics.latency'),
  unit: 'us',
  canLog: true,
  series: () => [
    { key: 'p50', title: t('statistics.latency.p50'), role: 'c1' },
    { key: 'p90', title: t('statistics.latency.p90'), role: 'c4' },
    { key: 'p99', title: t('statistics.latency.p99'), role: 'c2' },
    { key: 'max', title: t('statistics.latency.max'), role: 'c5' },
  ],
  // A bucket without a request is a gap.
  pointOf: ({ atMs, p50Us, p90Us, p99Us, maxUs }) => ({
    x: atMs,
    p50: p50Us,
    p90: p90Us,
    p99: p99Us,
    max: maxUs,
  }),
};

/** From the bottom up. */
const PARTS = [
  ['cache', 'c6'],
  ['queue', 'c2'],
  ['input', 'c4'],
  ['infer', 'c1'],
  ['output', 'c3'],
  ['overhead', 'c5'],
] as const;

const plainParts: SeriesChartSpec = {
  id: 'parts',
  title: () => t('statistics.parts'),
  unit: 'us',
  series: () => PARTS.filter(([key]) => key !== 'cache').map(partSeries),
  pointOf: partsPoint,
};

const cachedParts: SeriesChartSpec = { ...plainParts, series: () => PARTS.map(partSeries) };

/** Where the time of a request goes; without a response cache there is no such part. */
export function timeParts(hasCache: boolean): SeriesChartSpec {
  return hasCache ? cachedParts : plainParts;
}

function partSeries([key, role]: (typeof PARTS)[number]): ChartSeries {
  return { key, title: t(`statistics.parts.${key}`), role, shape: 'area', stack: 'time' };
}

function partsPoint(point: SeriesPoint): ChartPoint {
  if (point.successes === 0) return { x: point.atMs };
  return {
    x: point.atMs,
    cache: point.cacheUs,
    queue: point.queueUs,
    input: point.inputUs,
    infer: point.inferUs,
    output: point.outputUs,
    overhead: point.overheadUs,
  };
}

/** Inferences per execution. */
export const batchSize: SeriesChartSpec = {
  id: 'batch',
  title: () => t('statistics.batch'),
  unit: 'count',
  note: () => t('statistics.batch.unit'),
  series: () => [{ key: 'mean', title: t('statistics.batch.mean'), role: 'c1' }],
  pointOf: ({ atMs, inferences, executions }) => ({
    x: atMs,
    mean: executions === 0 ? undefined : inferences / executions,
  }),
};

/** Requests that wait, are being executed, or were rejected. */
export const queue: SeriesChartSpec = {
  id: 'queue',
  title: () => t('statistics.queue'),
  unit: 'count',
  note: () => t('statistics.queue.unit'),
  series: () => [
    { key: 'waiting', title: t('statistics.queue.waiting'), role: 'c2' },
    { key: 'inFlight', title: t('statistics.queue.inFlight'), role: 'c1' },
    { key: 'rejected', title: t('statistics.queue.rejected'), role: 'danger' },
  ],
  pointOf: ({ atMs, waiting, inFlight, rejected }) => ({ x: atMs, waiting, inFlight, rejected }),
};

/** Share of hits, and µs per lookup on the right axis. */
export const cache: SeriesChartSpec = {
  id: 'cache',
  title: () => t('statistics.cache'),
  unit: 'percent',
  rightUnit: 'us',
  series: () => [
    { key: 'hits', title: t('statistics.cache.hits'), role: 'c3' },
    { key: 'lookup', title: t('statistics.cache.lookup'), role: 'c4', axis: 'right' },
  ],
  pointOf: ({ atMs, cacheHits, cacheMisses, cacheLookupUs }) => {
    const lookups = cacheHits + cacheMisses;
    return { x: atMs, hits: lookups === 0 ? undefined : cacheHits / lookups, lookup: cacheLookupUs };
  },
};

/** The one series of the bars of batch sizes. */
export const batchBars = (): readonly ChartSeries[] => [
  { key: 'count', title: t('statistics.batches.count'), role: 'c1', shape: 'bar' },
];

/** One bar per batch size. */
export function batchBarPoints(batches: SeriesAnswer['batches']): readonly ChartPoint[] {
  return batches.map(({ batchSize: x, count }) => ({ x, count }));
}

/** Without a GPU that can be read its lines are left out. */
export function resourceSeries(hasGpu: boolean): readonly ChartSeries[] {
  const process: readonly ChartSeries[] = [
    { key: 'cpu', title: t('statistics.resources.cpu'), role: 'c1' },
    { key: 'memory', title: t('statistics.resources.memory'), role: 'c2', axis: 'right' },
  ];
  const gpu: readonly ChartSeries[] = [
    { key: 'gpu', title: t('statistics.resources.gpu'), role: 'c3' },
    { key: 'gpuMemory', title: t('statistics.resources.gpuMemory'), role: 'c4', axis: 'right' },
  ];
  return hasGpu ? [...process, ...gpu] : process;
}

/** Shares, 1 = one core or all of the GPU. */
export function resourcePoints(points: readonly ResourcePoint[]): readonly ChartPoint[] {
  return points.map(({ atMs, cpuPercent, rssBytes, gpuPercent, gpuMemoryBytes }) => ({
    x: atMs,
    cpu: cpuPercent / 100,
    memory: rssBytes,
    gpu: gpuPercent === undefined ? undefined : gpuPercent / 100,
    gpuMemory: gpuMemoryBytes,
  }));
}

/** A bucket this long, and this many times as long as the one before, is time in which the server stood still. */
const STOOD_STILL_MS = 5000;
const STOOD_STILL_TIMES = 8;

/** Points to draw; time that no bucket covers is a hole, and so is time in which nobody counted. */
export function drawnPoints(spec: SeriesChartSpec, points: readonly SeriesPoint[]): readonly ChartPoint[] {
  const drawn: ChartPoint[] = [];
  let endMs: number | undefined;
  let beforeMs: number | undefined;
  for (const point of points) {
    if (endMs !== undefined && point.atMs - endMs > point.bucketMs / 2) drawn.push({ x: endMs });
    const stoodStill = point.bucketMs > Math.max(STOOD_STILL_MS, STOOD_STILL_TIMES * (beforeMs ?? Infinity));
    drawn.push(stoodStill ? { x: point.atMs } : spec.pointOf(point));
    if (!stoodStill) beforeMs = point.bucketMs;
    endMs = point.atMs + point.bucketMs;
  }
  return drawn;
}
