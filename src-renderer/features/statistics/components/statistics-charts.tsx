// The charts of a version, from one table of what each shows.

import type { ReactNode } from 'react';
import { useMemo } from 'react';

import type {
  ResourcePoint,
  SeriesMarker,
  SeriesWindow,
} from '../../../../src-shared/contract/observe-views.ts';
import type { SeriesPoint } from '../../../../src-shared/contract/series-point.ts';
import { t } from '../../../texts/translate.ts';
import type { ChartLimit, ChartMarker } from '../../../ui/chart-types.ts';
import type { ChartProps } from '../../../ui/chart.tsx';
import { Chart } from '../../../ui/chart.tsx';
import { gpuNote, gpuPoints, gpuSeries, gpusOf } from '../gpu-series.ts';
import type { SeriesState } from '../series-state.ts';
import { hasTraffic, shownRange } from '../series-state.ts';
import type { SeriesChartSpec } from '../statistics-series.ts';
import {
  batchBarPoints,
  batchBars,
  batchSize,
  cache,
  drawnPoints,
  latency,
  queue,
  resourcePoints,
  resourceSeries,
  throughput,
  timeParts,
} from '../statistics-series.ts';
import { useStale } from '../use-stale.ts';
import type { Followed } from '../use-series.ts';
import { useResources } from '../use-series.ts';

/** Charts grow with the window. */
const HEIGHT = 'max(180px, 19vh)';
const NO_POINTS: readonly SeriesPoint[] = [];
const NO_BATCHES: SeriesState['batches'] = [];

/** The time range, the points, and what happened meanwhile. */
export interface StatisticsChartsProps {
  readonly window: SeriesWindow;
  readonly series: Followed<SeriesState>;
  /** Reconnections of this page. */
  readonly restarts: readonly SeriesMarker[];
  /** 0 = the model does not batch. */
  readonly maxBatchSize: number;
  readonly isHeld: boolean;
  /** A further cell of the grid. */
  readonly children: ReactNode;
}

interface Shared {
  readonly points: readonly SeriesPoint[];
  readonly range: readonly [number, number] | undefined;
  readonly markers: readonly ChartMarker[];
  readonly staleMs: number | undefined;
  readonly isWaiting: boolean;
  readonly error: string | undefined;
  readonly onRetry: () => void;
}

/** All charts have one time axis and one crosshair; `children` stand before the first. */
export function StatisticsCharts(props: StatisticsChartsProps) {
  const { window, series, restarts, maxBatchSize, isHeld, children } = props;
  const { data, error, reload } = series;
  const points = data?.points ?? NO_POINTS;
  const range = useMemo(() => shownRange(points, window), [points, window]);
  // Every answer brings its own list; charts are drawn again only for another one.
  const markerText = JSON.stringify([...(data?.markers ?? []), ...restarts]);
  const markers = useMemo(
    () => (JSON.parse(markerText) as SeriesMarker[]).map(({ atMs, text }) => ({ x: atMs, text })),
    [markerText],
  );
  const shared: Shared = {
    points,
    range,
    markers,
    staleMs: useStale(points, window, isHeld),
    isWaiting: data === undefined,
    error,
    onRetry: reload,
  };
  const maxQueueSize = data?.maxQueueSize ?? 0;
  const largest = useMemo(() => limitAt(maxBatchSize, t('statistics.batch.max')), [maxBatchSize]);
  const fullQueue = useMemo(() => limitAt(maxQueueSize, t('statistics.queue.max')), [maxQueueSize]);
  return (
    <div className="grid grid-cols-1 gap-3 min-[1100px]:grid-cols-2">
      <SeriesChart spec={throughput} {...shared} />
      <SeriesChart spec={latency} {...shared} />
      <SeriesChart spec={timeParts(data?.hasCache === true)} {...shared} />
      <SeriesChart spec={queue} limit={fullQueue} {...shared} />
      <SeriesChart spec={batchSize} limit={largest} {...shared} />
      <BatchBars batches={data?.batches ?? NO_BATCHES} {...shared} />
      {data?.hasCache === true && <SeriesChart spec={cache} {...shared} />}
      <ResourceCharts window={window} range={range} isHeld={isHeld} />
      {children}
    </div>
  );
}

function limitAt(value: number, title: string): ChartLimit | undefined {
  return value > 0 ? { value, title } : undefined;
}

function SeriesChart({
  spec,
  points,
  limit,
  ...rest
}: Shared & { readonly spec: SeriesChartSpec; readonly limit?: ChartLimit | undefined }) {
  const series = useMemo(() => spec.series(), [spec]);
  const drawn = useMemo(() => (hasTraffic(points) ? drawnPoints(spec, points) : []), [spec, points]);
  return (
    <div data-testid={`statistics-${spec.id}`} className="min-w-0">
      <Chart
        {...rest}
        title={spec.title()}
        series={series}
        points={drawn}
        unit={spec.unit}
        note={spec.note?.()}
        {...(spec.rightUnit === undefined ? {} : { rightUnit: spec.rightUnit })}
        canLog={spec.canLog ?? false}
        limit={limit}
        height={HEIGHT}
        emptyText={t('statistics.empty')}
        testId={`chart-${spec.id}`}
      />
    </div>
  );
}

function BatchBars({
  batches,
  isWaiting,
  staleMs,
  error,
  onRetry,
}: Shared & { readonly batches: SeriesState['batches'] }) {
  const series = useMemo(() => batchBars(), []);
  const key = JSON.stringify(batches);
  const points = useMemo(() => batchBarPoints(JSON.parse(key) as SeriesState['batches']), [key]);
  return (
    <Chart
      title={t('statistics.batches')}
      series={series}
      points={points}
      unit="count"
      xKind="category"
      xTitle={t('statistics.batches.size')}
      isWaiting={isWaiting}
      staleMs={staleMs}
      error={error}
      onRetry={onRetry}
      height={HEIGHT}
      emptyText={t('statistics.batches.none')}
      testId="chart-batches"
    />
  );
}

/** The server's own use; where there are several GPUs, each of them in a chart of its own. */
function ResourceCharts({
  window,
  range,
  isHeld,
}: {
  readonly window: SeriesWindow;
  readonly range: readonly [number, number] | undefined;
  readonly isHeld: boolean;
}) {
  const { data, error, reload } = useResources(window, isHeld);
  const hasGpu = data?.some(({ gpuPercent }) => gpuPercent !== undefined) ?? false;
  const series = useMemo(() => resourceSeries(hasGpu), [hasGpu]);
  const points = useMemo(() => resourcePoints(data ?? []), [data]);
  const gpus = gpusOf(data ?? []);
  const shared = {
    unit: 'percent',
    range,
    stepMs: data?.at(-1)?.bucketMs,
    isWaiting: data === undefined,
    error,
    onRetry: reload,
    height: HEIGHT,
  } as const;
  return (
    <>
      <Chart
        {...shared}
        title={t('statistics.resources')}
        note={data === undefined || hasGpu ? gpuNote(gpus) : t('statistics.resources.noGpu')}
        series={series}
        points={points}
        rightUnit="bytes"
        testId="chart-resources"
      />
      {gpus.length > 1 && <GpuChart {...shared} names={gpus.map(({ name }) => name)} readings={data ?? []} />}
    </>
  );
}

function GpuChart({
  names,
  readings,
  ...shared
}: Pick<ChartProps, 'unit' | 'range' | 'stepMs' | 'isWaiting' | 'error' | 'onRetry' | 'height'> & {
  readonly names: readonly string[];
  readonly readings: readonly ResourcePoint[];
}) {
  // Every answer brings its own list; lines are made anew only for other GPUs.
  const key = JSON.stringify(names);
  const series = useMemo(() => gpuSeries(JSON.parse(key) as readonly string[]), [key]);
  const points = useMemo(() => gpuPoints(readings), [readings]);
  return (
    <Chart {...shared} title={t('statistics.gpus')} series={series} points={points} testId="chart-gpus" />
  );
}
