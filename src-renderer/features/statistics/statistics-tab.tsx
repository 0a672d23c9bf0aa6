// What a model does: throughput, latency, where time goes, batches and queue over time, counters since load, and the
// batch doctor's sentence.

import { Activity } from 'lucide-react';
import { useMemo, useState } from 'react';

import type { SeriesPoint, SeriesWindow } from '../../../src-shared/contract/observe-views.ts';
import { WINDOWS } from '../../../src-shared/contract/observe-views.ts';
import { useModel, useSamples } from '../../engine/engine-context.tsx';
import { useCall } from '../../engine/use-call.ts';
import type { ModelTabProps } from '../../lib/feature.ts';
import { t } from '../../texts/translate.ts';
import { ChartGroup, ChartGroupControls } from '../../ui/chart-group.tsx';
import type { ChartLimit, ChartPoint, ChartSeries, ChartUnit } from '../../ui/chart-types.ts';
import { Chart } from '../../ui/chart.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Select } from '../../ui/select.tsx';
import { Counters } from './components/counters.tsx';
import { DoctorCard } from './components/doctor-card.tsx';
import {
  batchPoints,
  batchSeries,
  hasTraffic,
  latencyPoints,
  latencySeries,
  partPoints,
  partSeries,
  queuePoints,
  queueSeries,
  throughputPoints,
  throughputSeries,
} from './statistics-series.ts';

const NO_POINTS: readonly SeriesPoint[] = [];

export function StatisticsTab({ model: name }: ModelTabProps) {
  const model = useModel(name);
  if (model === undefined) return null;
  if (model.servedVersions.length === 0) {
    return (
      <EmptyState icon={Activity} title={t('statistics.notLoaded')} text={t('statistics.notLoadedText')} />
    );
  }
  return <LoadedStatistics name={name} maxBatchSize={model.maxBatchSize} />;
}

function LoadedStatistics({ name, maxBatchSize }: { readonly name: string; readonly maxBatchSize: number }) {
  const [window, setWindow] = useState<SeriesWindow>('5m');
  const tick = useSamples(({ perSecond }) => perSecond?.atMs ?? 0);
  const series = useCall('observe/series', { model: name, version: '', window }, tick);
  const points = series.data?.points ?? NO_POINTS;
  const markers = useMemo(
    () => (series.data?.markers ?? []).map(({ atMs, text }) => ({ x: atMs, text })),
    [series.data],
  );
  const stepMs = points.at(-1)?.bucketMs;
  const limit: ChartLimit = { value: maxBatchSize, title: t('statistics.batch.max') };
  const shared = { markers, stepMs, error: series.error, onRetry: series.reload };
  return (
    <div className="min-h-0 flex-1 overflow-auto bg-canvas p-4" data-testid="model-statistics">
      <ChartGroup>
        <div className="mb-3 flex items-center gap-2">
          <Select
            aria-label={t('statistics.window')}
            value={window}
            onChange={setWindow}
            options={WINDOWS.map((value) => ({ value, label: t(`statistics.window.${value}`) }))}
          />
          <span className="flex-1" />
          <ChartGroupControls />
        </div>
        <DoctorCard name={name} tick={tick} />
        <div className="mt-3 grid grid-cols-1 gap-3 xl:grid-cols-2">
          <SeriesChart
            id="throughput"
            title={t('statistics.throughput')}
            make={throughputSeries}
            points={throughputPoints(points)}
            unit="perSecond"
            source={points}
            {...shared}
          />
          <SeriesChart
            id="latency"
            title={t('statistics.latency')}
            make={latencySeries}
            points={latencyPoints(points)}
            unit="us"
            source={points}
            {...shared}
          />
          <SeriesChart
            id="parts"
            title={t('statistics.parts')}
            make={partSeries}
            points={partPoints(points)}
            unit="us"
            source={points}
            {...shared}
          />
          <SeriesChart
            id="batch"
            title={t('statistics.batch')}
            make={batchSeries}
            points={batchPoints(points)}
            unit="count"
            source={points}
            limit={maxBatchSize > 0 ? limit : undefined}
            {...shared}
          />
          <SeriesChart
            id="queue"
            title={t('statistics.queue')}
            make={queueSeries}
            points={queuePoints(points)}
            unit="count"
            source={points}
            {...shared}
          />
        </div>
        <Counters name={name} tick={tick} busy={points.at(-1)?.busy ?? []} />
      </ChartGroup>
    </div>
  );
}

interface SeriesChartProps {
  readonly id: string;
  readonly title: string;
  readonly make: () => readonly ChartSeries[];
  readonly points: readonly ChartPoint[];
  readonly source: readonly SeriesPoint[];
  readonly unit: ChartUnit;
  readonly limit?: ChartLimit | undefined;
  readonly markers: readonly { readonly x: number; readonly text: string }[];
  readonly stepMs: number | undefined;
  readonly error: string;
  readonly onRetry: () => void;
}

function SeriesChart({ id, make, points, source, stepMs, ...rest }: SeriesChartProps) {
  const series = useMemo(() => make(), [make]);
  const drawn = hasTraffic(source) ? points : [];
  return (
    <div data-testid={`statistics-${id}`} className="min-w-0">
      <Chart
        {...rest}
        series={series}
        points={drawn}
        stepMs={stepMs}
        height={180}
        emptyText={t('statistics.empty')}
        testId={`chart-${id}`}
      />
    </div>
  );
}
