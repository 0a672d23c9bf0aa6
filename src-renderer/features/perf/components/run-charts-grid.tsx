// The three pictures of a run: over time, latency against throughput, and where the time went per level.

import { memo, useMemo, useState } from 'react';

import type { PerfMeasurement } from '../../../../src-shared/contract/perf-plan.ts';
import type { PerfLevel, PerfRun } from '../../../../src-shared/contract/perf-views.ts';
import { threeDigits } from '../../../lib/format.ts';
import { t } from '../../../texts/translate.ts';
import { Chart } from '../../../ui/chart.tsx';
import type { ChartMarker, ChartSeries } from '../../../ui/chart-types.ts';
import type { LiveRun } from '../live-run.ts';
import {
  hasCachePart,
  levelMarkers,
  liveBands,
  livePoints,
  partPoints,
  loadKey,
  runKey,
  windowBands,
  windowPoints,
} from '../run-charts.ts';
import { TradeOffChart } from './trade-off-chart.tsx';

const BUCKET_MS = 250;
const REDRAW_MS = 500;
/** Later than this a bucket counts as missing. */
const GAP_MS = BUCKET_MS * 4;

/** While the run goes on they are drawn twice a second, however often news come. */
export function RunCharts({
  run,
  live,
  levels,
}: {
  readonly run: PerfRun;
  readonly live: LiveRun | undefined;
  readonly levels: readonly PerfLevel[];
}) {
  const runs = useMemo(() => [{ levels }], [levels]);
  const limitMs = run.plan.measurement.latencyLimitMs;
  return (
    <div className="grid gap-3 min-[1200px]:grid-cols-2" data-perf-charts>
      <TimeChart live={useHalfSeconds(live)} levels={levels} measurement={run.plan.measurement} />
      <TradeOffChart runs={runs} series={tradeOffSeries()} limitMs={limitMs} testId="perf-chart-levels" />
      <div className="min-w-0 min-[1200px]:col-span-2">
        <PartsChart levels={levels} />
      </div>
    </div>
  );
}

/** The run as it was at its last half second: drawn twice a second however often news come. */
function useHalfSeconds(live: LiveRun | undefined): LiveRun | undefined {
  const [drawn, setDrawn] = useState(live);
  if (turnOf(drawn) !== turnOf(live)) setDrawn(live);
  return drawn;
}

function turnOf(live: LiveRun | undefined): string | undefined {
  if (live === undefined) return undefined;
  return `${live.runId} ${Math.floor((live.points.at(-1)?.atMs ?? 0) / REDRAW_MS)}`;
}

interface TimeChartProps {
  readonly live: LiveRun | undefined;
  readonly levels: readonly PerfLevel[];
  readonly measurement: PerfMeasurement;
}

const TimeChart = memo(function TimeChart({ live, levels, measurement }: TimeChartProps) {
  const points = useMemo(
    () => (live === undefined ? windowPoints(levels) : livePoints(live)),
    [live, levels],
  );
  const markers = useMemo(
    () => (live === undefined ? levelMarkers(levels) : windowMarkers(live)),
    [live, levels],
  );
  const bands = useMemo(
    () => (live === undefined ? windowBands(levels) : liveBands(live, measurement)),
    [live, levels, measurement],
  );
  return (
    <Chart
      title={t('perf.chart.time')}
      series={timeSeries()}
      points={points}
      unit="perSecond"
      rightUnit="us"
      stepMs={live === undefined ? undefined : GAP_MS}
      markers={markers}
      bands={bands}
      emptyText={t(live === undefined ? 'perf.chart.none' : 'perf.chart.waiting')}
      testId="perf-chart-time"
    />
  );
});

const PartsChart = memo(function PartsChart({ levels }: { readonly levels: readonly PerfLevel[] }) {
  const points = useMemo(() => partPoints(levels), [levels]);
  return (
    <Chart
      title={t('perf.chart.parts')}
      series={partSeries(levels)}
      points={points}
      unit="us"
      xKind="category"
      xTitle={t(`perf.unit.${levels[0]?.unit ?? 'concurrency'}`)}
      xText={threeDigits}
      height={170}
      emptyText={t('perf.chart.noLevels')}
      testId="perf-chart-parts"
    />
  );
});

function windowMarkers(live: LiveRun): readonly ChartMarker[] {
  const first = live.points[0]?.atMs ?? Infinity;
  return live.windowEndsMs.filter((atMs) => atMs >= first).map((atMs) => ({ x: atMs, text: '' }));
}

/** From the bottom of a bar to its top. */
const PARTS = [
  ['outside', 'c5'],
  ['cache', 'c6'],
  ['queue', 'c2'],
  ['input', 'c4'],
  ['infer', 'c1'],
  ['output', 'c3'],
] as const;

const partSeriesOf = ([key, role]: (typeof PARTS)[number]): ChartSeries => ({
  key,
  title: t(`perf.part.${key}`),
  role,
  shape: 'bar',
  stack: 'parts',
});

let series:
  | Readonly<Record<'time' | 'tradeOff' | 'parts' | 'cachedParts', readonly ChartSeries[]>>
  | undefined;

/** Made once: a chart draws again when its series change identity. */
function allSeries(): NonNullable<typeof series> {
  series ??= {
    time: [
      { key: 'rate', title: t('perf.series.rate'), role: 'c1' },
      { key: 'p99', title: 'p99', role: 'c2', axis: 'right' },
    ],
    tradeOff: [
      { key: runKey(0), labelKey: loadKey(0), title: t('perf.series.rate'), role: 'c1', shape: 'path' },
    ],
    parts: PARTS.filter(([key]) => key !== 'cache').map(partSeriesOf),
    cachedParts: PARTS.map(partSeriesOf),
  };
  return series;
}

function timeSeries(): readonly ChartSeries[] {
  return allSeries().time;
}

function tradeOffSeries(): readonly ChartSeries[] {
  return allSeries().tradeOff;
}

function partSeries(levels: readonly PerfLevel[]): readonly ChartSeries[] {
  const hasCache = levels.some(({ result }) => hasCachePart(result.server));
  return hasCache ? allSeries().cachedParts : allSeries().parts;
}
