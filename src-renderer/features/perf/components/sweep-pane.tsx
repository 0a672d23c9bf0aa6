// What a sweep over configurations found: every trial at its best load, which of them no other beats, and the best.

import { SlidersHorizontal } from 'lucide-react';
import { useMemo, useState } from 'react';

import type { PerfSweepResult } from '../../../../src-shared/contract/perf-views.ts';
import { useClient } from '../../../engine/engine-context.tsx';
import { useAction } from '../../../engine/use-action.ts';
import { useCall } from '../../../engine/use-call.ts';
import { formatDateTime, formatMicros, formatRate, threeDigits } from '../../../lib/format.ts';
import { t } from '../../../texts/translate.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Banner } from '../../../ui/banner.tsx';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { LatencyRateChart } from '../../../ui/latency-rate-chart.tsx';
import type { ChartSeries } from '../../../ui/chart-types.ts';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { Select } from '../../../ui/select.tsx';
import { loadColumns } from '../../../ui/load-columns.tsx';
import { SimpleTable } from '../../../ui/simple-table.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { stopRun } from '../perf-actions.ts';
import { changeSweep, perfUi, showRun, usePerf } from '../perf-store.ts';
import { sweepPoints } from '../run-charts.ts';
import type { RunsState } from '../use-perf.ts';
import { ApplyDialog } from './apply-dialog.tsx';
import { RunStateBadge } from './run-state-badge.tsx';

type Row = PerfSweepResult['rows'][number];

/** The chosen sweep, else the newest one. */
export function SweepPane({ list }: { readonly list: RunsState }) {
  const chosen = usePerf((state) => state.sweepId);
  const turn = usePerf((state) => state.turn);
  const sweeps = useMemo(() => sweepsOf(list), [list]);
  const id = chosen === '' ? (sweeps[0]?.value ?? '') : chosen;
  const { data, error } = useCall('perf/sweep', id === '' ? undefined : { sweep: id }, turn);
  if (id === '')
    return (
      <EmptyState
        icon={SlidersHorizontal}
        title={t('perf.sweep.empty')}
        text={t('perf.sweep.emptyText')}
        testId="perf-sweep-empty"
        actions={<Button onClick={planSweep}>{t('perf.sweep.use')}</Button>}
      />
    );
  return (
    <div className="flex flex-col gap-3" data-testid="perf-sweep-result">
      {sweeps.length > 1 && (
        <Select
          aria-label={t('perf.pane.sweep')}
          options={sweeps}
          value={id}
          onChange={(sweepId) => perfUi.setState({ sweepId })}
        />
      )}
      {error !== undefined && <Banner tone="bad">{error}</Banner>}
      {data === undefined ? error === undefined && <Skeleton rows={6} /> : <Result result={data} />}
    </div>
  );
}

/** Opens the values of a sweep in the plan, ready to be typed. */
function planSweep(): void {
  changeSweep({});
  // They are drawn only now.
  requestAnimationFrame(() => {
    document.querySelector<HTMLElement>('[data-testid="perf-sweep-instances"]')?.focus();
  });
}

function sweepsOf(list: RunsState): readonly { readonly value: string; readonly label: string }[] {
  const known = new Map<string, string>();
  for (const { sweep, model, startedAtMs } of list.runs) {
    if (sweep !== undefined) known.set(sweep.id, `${model}, ${formatDateTime(startedAtMs)}`);
  }
  return [...known].map(([value, label]) => ({ value, label }));
}

function Result({ result }: { readonly result: PerfSweepResult }) {
  const client = useClient();
  const { load, rate, p99 } = loadColumns();
  const points = useMemo(() => sweepPoints(result), [result]);
  const series = useMemo(
    (): readonly ChartSeries[] => [
      { key: 'trial', title: t('perf.sweep.trial'), role: 'c2', shape: 'points' },
      { key: 'frontier', title: t('perf.sweep.frontier'), role: 'c1', shape: 'path' },
    ],
    [],
  );
  const stop = useAction(() => stopRun(client, result.id));
  return (
    <>
      {result.isRunning && (
        <Banner
          testId="perf-sweep-running"
          actions={
            <Button size="sm" isBusy={stop.isRunning} onClick={() => stop.run()}>
              {t('perf.stop')}
            </Button>
          }
        >
          {t('perf.sweep.running', {
            done: result.rows.filter(({ state }) => state !== 'queued' && state !== 'running').length,
            count: result.rows.length,
          })}
        </Banner>
      )}
      <Best result={result} />
      <LatencyRateChart
        title={t('perf.sweep.pareto')}
        series={series}
        points={points}
        height={240}
        testId="perf-chart-pareto"
      />
      <Card title={t('perf.sweep.trials')}>
        <SimpleTable
          label={t('perf.sweep.trials')}
          testId="perf-sweep-table"
          rows={result.rows}
          keyOf={({ runId }) => runId}
          columns={[
            { id: 'title', title: t('perf.col.config'), cell: (row) => <TrialName row={row} /> },
            {
              id: 'state',
              title: t('perf.col.state'),
              cell: (row) => <TrialState row={row} result={result} />,
            },
            load,
            rate,
            { id: 'gain', title: t('perf.sweep.gain'), align: 'end', cell: (row) => <Gain row={row} /> },
            p99,
          ]}
        />
      </Card>
      <p className="text-sm text-faint">{t('perf.sweep.honesty')}</p>
    </>
  );
}

function TrialName({ row }: { readonly row: Row }) {
  return (
    <div>
      <button
        type="button"
        className="min-h-6 text-left font-medium text-accent hover:underline"
        onClick={() => showRun(row.runId)}
      >
        {titleOf(row)}
      </button>
      {row.error !== '' && <p className="text-sm break-words text-bad">{row.error}</p>}
    </div>
  );
}

function Gain({ row: { gain, isServed } }: { readonly row: Row }) {
  if (isServed || gain === undefined) return <>–</>;
  return (
    <span className={gain.isClear ? 'whitespace-nowrap' : 'whitespace-nowrap text-faint'}>
      {signedPercent(gain.percent)} {t(gain.isClear ? 'perf.sweep.clear' : 'perf.sweep.noise')}
    </span>
  );
}

function TrialState({ row, result }: { readonly row: Row; readonly result: PerfSweepResult }) {
  return (
    <span className="inline-flex gap-1">
      {row.state === 'done' && row.load > 0 && !row.isStable ? (
        <Badge tone="warn">{t('perf.level.unstable')}</Badge>
      ) : (
        <RunStateBadge state={row.state} />
      )}
      {row.isPareto && <Badge tone="info">{t('perf.sweep.unbeaten')}</Badge>}
      {row.runId === result.bestRunId && (
        <Badge tone="good" testId="perf-sweep-best">
          {t('perf.sweep.best')}
        </Badge>
      )}
    </span>
  );
}

/** The best trial against the configuration as it is, and the button that writes it. */
function Best({ result }: { readonly result: PerfSweepResult }) {
  const [isOpen, setIsOpen] = useState(false);
  const isApplying = usePerf((state) => state.applying !== undefined);
  const best = result.rows.find(({ runId }) => runId === result.bestRunId);
  if (result.isRunning || result.rows.every(({ load }) => load === 0)) return null;
  if (best === undefined) {
    return (
      <Banner tone="info" testId="perf-sweep-outcome">
        {noWinnerText(result)}
      </Banner>
    );
  }
  return (
    <Banner
      tone="good"
      testId="perf-sweep-outcome"
      actions={
        <Button size="sm" isBusy={isApplying} data-testid="perf-sweep-apply" onClick={() => setIsOpen(true)}>
          {t('perf.apply')}
        </Button>
      }
    >
      {t('perf.sweep.outcome', {
        title: titleOf(best),
        rate: formatRate(best.inferPerSecond),
        p99: formatMicros(best.p99Us),
        gain: signedPercent(best.gain?.percent ?? 0),
        load: threeDigits(best.load),
      })}
      {isOpen && (
        <ApplyDialog
          run={{ id: result.bestRunId, model: result.model, configText: result.bestConfigText }}
          onClose={() => setIsOpen(false)}
        />
      )}
    </Banner>
  );
}

function titleOf({ title, isServed }: Row): string {
  if (!isServed) return title;
  return title === '' ? t('perf.sweep.asServed') : t('perf.sweep.asServedWith', { title });
}

function signedPercent(percent: number): string {
  return `${percent >= 0 ? '+' : ''}${Math.round(percent)} %`;
}

/** Why nothing is recommended, with the largest difference that was seen. */
function noWinnerText({ rows }: PerfSweepResult): string {
  const compared = rows.filter(({ gain }) => gain !== undefined);
  const [largest] = compared.toSorted((a, b) => (b.gain?.percent ?? 0) - (a.gain?.percent ?? 0));
  if (largest?.gain === undefined) return t('perf.sweep.nothingToCompare');
  if (compared.every(({ gain }) => gain?.isClear === true)) return t('perf.sweep.servedIsBest');
  return t('perf.sweep.noClearWinner', {
    title: largest.title,
    gain: signedPercent(largest.gain.percent),
    load: threeDigits(largest.load),
  });
}
