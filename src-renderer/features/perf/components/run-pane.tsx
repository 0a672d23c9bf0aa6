// One run: how it goes or went, its numbers, its charts, a row per level, and the level that is looked at.

import { Gauge, Play } from 'lucide-react';
import { useEffect, useRef } from 'react';

import type { PerfRun } from '../../../../src-shared/contract/perf-views.ts';
import { formatRate } from '../../../lib/format.ts';
import { t } from '../../../texts/translate.ts';
import { announce } from '../../../ui/announcer.tsx';
import { Banner } from '../../../ui/banner.tsx';
import { Button } from '../../../ui/button.tsx';
import { ChartGroup } from '../../../ui/chart-group.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { runTitle } from '../perf-actions.ts';
import { perfUi, showRun, usePerf } from '../perf-store.ts';
import { bestIndex } from '../run-charts.ts';
import type { RunsState, ShownRun } from '../use-perf.ts';
import { useShownRun } from '../use-perf.ts';
import type { StartState } from '../use-start.ts';
import { LevelDetails } from './level-details.tsx';
import { LiveControls } from './live-controls.tsx';
import { ResultsTable } from './results-table.tsx';
import { RunBanners } from './run-banners.tsx';
import { RunCharts } from './run-charts-grid.tsx';
import { RunHeader } from './run-header.tsx';
import { Tiles } from './tiles.tsx';

/** Without a run it says how to begin. */
export function RunPane({ list, start }: { readonly list: RunsState; readonly start: StartState }) {
  const shown = useShownRun(list.runs);
  if (list.error !== undefined) {
    return (
      <Banner tone="bad" actions={<Button onClick={list.reload}>{t('common.retry')}</Button>}>
        {list.error}
      </Banner>
    );
  }
  if (list.runs.length === 0 && shown.live === undefined) {
    return list.isLoading ? (
      <Skeleton rows={6} />
    ) : (
      <EmptyState
        icon={Gauge}
        title={t('perf.empty.title')}
        text={t('perf.empty.text')}
        testId="perf-empty"
        actions={
          <Button icon={Play} isBusy={start.isRunning} disabledReason={start.reason} onClick={start.run}>
            {t('perf.empty.start')}
          </Button>
        }
      />
    );
  }
  if (shown.error !== undefined) return <Banner tone="bad">{shown.error}</Banner>;
  if (shown.run === undefined) return <Skeleton rows={6} />;
  return <Shown shown={shown} />;
}

function Shown({ shown: { run, live, levels } }: { readonly shown: ShownRun }) {
  const chosen = usePerf((state) => state.levelIndex);
  const best = bestIndex(levels);
  useSaidEnd(run, live !== undefined, levels[best]?.result.inferPerSecond);
  if (run === undefined) return null;
  // Where no request was answered the last level tells how many failed, and there is nothing to draw.
  const index = chosen ?? (best === -1 ? levels.length - 1 : best);
  const level = levels[index];
  return (
    <div
      className="flex flex-col gap-3"
      data-testid="perf-run"
      data-state={live === undefined ? run.state : 'running'}
    >
      <RunHeader run={run} />
      <OtherRun runId={run.id} />
      {live !== undefined && <LiveControls live={live} />}
      <RunBanners run={run} levels={levels} />
      {(live !== undefined || level !== undefined) && (
        <Tiles
          live={live?.progress.live}
          level={live === undefined ? level : levels.at(-1)}
          isLive={live !== undefined}
        />
      )}
      {(live !== undefined || best !== -1) && (
        <ChartGroup>
          <RunCharts run={run} live={live} levels={levels} />
        </ChartGroup>
      )}
      {levels.length > 0 && (
        <ResultsTable levels={levels} kneeIndex={run.kneeIndex} selected={index} onSelect={selectLevel} />
      )}
      {level !== undefined && <LevelDetails level={level} runId={run.id} place={index} />}
    </div>
  );
}

/** Says once that the run that was followed has ended, and with what. */
function useSaidEnd(run: PerfRun | undefined, isLive: boolean, bestRate: number | undefined): void {
  const followed = useRef('');
  useEffect(() => {
    if (run === undefined) return;
    if (isLive) followed.current = run.id;
    else if (followed.current === run.id && run.state !== 'running' && run.state !== 'queued') {
      followed.current = '';
      const state = t(`perf.state.${run.state}`);
      announce(
        bestRate === undefined
          ? t('perf.ended', { name: runTitle(run), state })
          : t('perf.endedWith', { name: runTitle(run), state, rate: formatRate(bestRate) }),
      );
    }
  }, [run, isLive, bestRate]);
}

function selectLevel(levelIndex: number): void {
  perfUi.setState({ levelIndex });
}

/** One run goes on at a time; whoever looks at another one is told. */
function OtherRun({ runId }: { readonly runId: string }) {
  const going = usePerf((state) => state.live?.runId);
  if (going === undefined || going === runId) return null;
  return (
    <Banner
      testId="perf-other-run"
      actions={
        <Button size="sm" onClick={() => showRun(going)}>
          {t('common.show')}
        </Button>
      }
    >
      {t('perf.otherRun')}
    </Banner>
  );
}
