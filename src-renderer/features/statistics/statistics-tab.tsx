// What a model does: how it stands now, the batch doctor's sentence, its charts, and counters since load. One time
// range, one crosshair and one pause for all of it.

import { Activity, Play } from 'lucide-react';
import { useState } from 'react';
import { useStore } from 'zustand';

import type { SeriesWindow } from '../../../src-shared/contract/observe-views.ts';
import { WINDOWS } from '../../../src-shared/contract/observe-views.ts';
import type { ModelView } from '../../../src-shared/contract/model-view.ts';
import { loadModel } from '../../actions/model-actions.ts';
import { isRunning, startServer } from '../../actions/server-actions.ts';
import { useEngine, useModel, useServer } from '../../engine/engine-context.tsx';
import type { ModelTabProps } from '../../lib/feature.ts';
import { t } from '../../texts/translate.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { ChartGroup, ChartGroupControls, useChartGroup } from '../../ui/chart-group.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Select } from '../../ui/select.tsx';
import { Counters } from './components/counters.tsx';
import { DoctorCard } from './components/doctor-card.tsx';
import { FirstRequests } from './components/first-requests.tsx';
import { InstanceStrip } from './components/instance-strip.tsx';
import { NowStrip } from './components/now-strip.tsx';
import { StatisticsCharts } from './components/statistics-charts.tsx';
import { firstWindow, hasTraffic } from './series-state.ts';
import { useRestartMarkers, useSeries } from './use-series.ts';
import { useVersionStatistics } from './use-version-statistics.ts';

/** Of a version that does not serve it says so. */
export function StatisticsTab({ model: name, version }: ModelTabProps) {
  const engine = useEngine();
  const model = useModel(name);
  if (model === undefined) return null;
  const isServed =
    model.servedVersions.length > 0 && (version === '' || model.servedVersions.includes(version));
  if (isServed) {
    return (
      <ChartGroup>
        <ServedStatistics model={model} version={version} />
      </ChartGroup>
    );
  }
  const isOther = model.servedVersions.length > 0;
  return (
    <EmptyState
      icon={Activity}
      testId="statistics-not-loaded"
      title={isOther ? t('statistics.notServed', { version }) : t('statistics.notLoaded')}
      text={
        isOther
          ? t('statistics.notServedText', { versions: model.servedVersions.join(', ') })
          : t('statistics.notLoadedText')
      }
      actions={
        !isOther && (
          <Button icon={Play} onClick={() => void loadModel(engine, name)}>
            {t('models.load')}
          </Button>
        )
      }
    />
  );
}

function ServedStatistics({ model, version }: { readonly model: ModelView; readonly version: string }) {
  const [window, setWindow] = useState<SeriesWindow>(() => firstWindow(Date.now() - model.loadedAtMs));
  const group = useChartGroup();
  const isPaused = useStore(group, ({ pausedAtMs }) => pausedAtMs !== undefined);
  // Charts hold a part of the range they were paused or zoomed in, which says nothing of another one.
  const showWindow = (next: SeriesWindow): void => {
    setWindow(next);
    group.setState({ pausedAtMs: undefined, zoom: undefined });
  };
  const target = { model: model.name, version, window };
  const series = useSeries(target, isPaused);
  const counters = useVersionStatistics(model.name, version, isPaused);
  const restarts = useRestartMarkers();
  const { data } = series;
  const isIdle = data !== undefined && !hasTraffic(data.points);
  return (
    <div className="min-h-0 flex-1 overflow-auto bg-canvas p-4" data-testid="model-statistics">
      <StoppedBanner />
      <div className="mb-3 flex flex-wrap items-center gap-x-4 gap-y-2">
        <Select
          aria-label={t('statistics.window')}
          data-testid="statistics-window"
          value={window}
          onChange={showWindow}
          options={WINDOWS.map((value) => ({ value, label: t(`statistics.window.${value}`) }))}
        />
        <NowStrip model={model.name} version={version} counters={counters.data} />
        <span className="ml-auto">
          <ChartGroupControls />
        </span>
      </div>
      <div className="flex flex-col gap-3">
        {isIdle && <FirstRequests model={model.name} version={version} />}
        <DoctorCard name={model.name} version={version} isHeld={isPaused} />
        <StatisticsCharts
          window={window}
          series={series}
          restarts={restarts}
          maxBatchSize={model.maxBatchSize}
          isHeld={isPaused}
        >
          {counters.data !== undefined && <InstanceStrip instances={counters.data.instances} />}
        </StatisticsCharts>
        {counters.data !== undefined && (
          <Counters
            name={model.name}
            version={version}
            view={counters.data}
            maxQueueSize={data?.maxQueueSize ?? 0}
            hasCache={data?.hasCache ?? false}
          />
        )}
      </div>
    </div>
  );
}

function StoppedBanner() {
  const engine = useEngine();
  const isStopped = useServer((view) => view !== undefined && !isRunning(view));
  if (!isStopped) return null;
  return (
    <div className="mb-3">
      <Banner
        tone="warn"
        testId="statistics-stopped"
        actions={
          <Button size="sm" icon={Play} onClick={() => void startServer(engine)}>
            {t('statistics.stopped.start')}
          </Button>
        }
      >
        {t('statistics.stopped')}
      </Banner>
    </div>
  );
}
