// What a search found so far: its state, the outcome, every configuration drawn and in a table.

import { useMemo, useState } from 'react';

import type { AnalyzeTrial, AnalyzeView } from '../../../../src-shared/contract/analyze-calls.ts';
import { ConfigSheet } from '../../../actions/config-sheet.tsx';
import { editConfig } from '../../../actions/edit-config.ts';
import { saveText } from '../../../actions/save-text.ts';
import { useClient, useEngine } from '../../../engine/engine-context.tsx';
import { useAction } from '../../../engine/use-action.ts';
import { t } from '../../../texts/translate.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Banner } from '../../../ui/banner.tsx';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { LatencyRateChart } from '../../../ui/latency-rate-chart.tsx';
import type { ChartPoint, ChartSeries } from '../../../ui/chart-types.ts';
import { loadColumns } from '../../../ui/load-columns.tsx';
import { SimpleTable } from '../../../ui/simple-table.tsx';

/** Draws a search that runs or has ended; without a trial yet there is only its state. */
export function SearchResult({ view }: { readonly view: AnalyzeView }) {
  return (
    <div className="flex flex-col gap-3" data-testid="analyzer-result" data-state={view.state}>
      <StateBanner view={view} />
      {view.sentence !== '' && <Outcome view={view} />}
      {view.driftSentence !== undefined && <Banner tone="warn">{view.driftSentence}</Banner>}
      <ParetoChart trials={view.trials} />
      {view.trials.length > 0 && <Trials view={view} />}
      <p className="text-sm text-faint">{t('perf.sweep.honesty')}</p>
    </div>
  );
}

function StateBanner({ view }: { readonly view: AnalyzeView }) {
  const client = useClient();
  const stop = useAction(() => client.call('analyze/stop', {}));
  const resume = useAction(() => client.call('analyze/resume', {}));
  const { model } = view.request;
  if (view.state === 'done') return null;
  if (view.state === 'running')
    return (
      <Banner
        testId="analyzer-running"
        actions={
          <Button size="sm" isBusy={stop.isRunning} data-testid="analyzer-stop" onClick={() => stop.run()}>
            {t('analyzer.stop')}
          </Button>
        }
      >
        {t('analyzer.running', { model, count: view.measurementCount })}
        <span className="block text-sm break-words text-soft">{view.said}</span>
      </Banner>
    );
  return (
    <Banner
      tone={view.state === 'failed' ? 'bad' : 'info'}
      testId={`analyzer-${view.state}`}
      actions={
        <Button
          size="sm"
          isBusy={resume.isRunning}
          data-testid="analyzer-resume"
          onClick={() => resume.run()}
        >
          {t('analyzer.resume')}
        </Button>
      }
    >
      {view.state === 'failed'
        ? t('analyzer.failed', { model, error: view.error ?? '' })
        : t('analyzer.stopped', { model })}
    </Banner>
  );
}

function Outcome({ view }: { readonly view: AnalyzeView }) {
  const engine = useEngine();
  const [isOpen, setIsOpen] = useState(false);
  const save = useAction(async (format: 'html' | 'csv') => {
    const { fileName, text } = await engine.client.call('analyze/export', { format });
    await saveText(fileName, text, format === 'html' ? 'text/html' : 'text/csv');
  });
  const { model } = view.request;
  const apply = useAction(async () => {
    setIsOpen(false);
    await editConfig(engine, model, {
      title: t('analyzer.applyTitle'),
      apply: () => view.bestConfigText,
      load: false,
    });
  });
  return (
    <Card
      title={t('analyzer.outcome')}
      testId="analyzer-outcome"
      actions={
        <>
          <Button size="sm" data-testid="analyzer-html" onClick={() => save.run('html')}>
            {t('analyzer.html')}
          </Button>
          <Button size="sm" data-testid="analyzer-csv" onClick={() => save.run('csv')}>
            {t('analyzer.csv')}
          </Button>
        </>
      }
    >
      <div className="flex flex-wrap items-center gap-3">
        <p className="min-w-0 flex-1 break-words" data-testid="analyzer-sentence">
          {view.sentence}
        </p>
        {view.bestConfigText !== undefined && view.state !== 'running' && (
          <Button
            variant="primary"
            isBusy={apply.isRunning}
            data-testid="analyzer-apply"
            onClick={() => setIsOpen(true)}
          >
            {t('perf.apply')}
          </Button>
        )}
      </div>
      {isOpen && view.bestConfigText !== undefined && (
        <ConfigSheet
          model={model}
          configText={view.bestConfigText}
          testId="analyzer-apply"
          onApply={() => apply.run()}
          onClose={() => setIsOpen(false)}
        />
      )}
    </Card>
  );
}

function ParetoChart({ trials }: { readonly trials: readonly AnalyzeTrial[] }) {
  const series = useMemo(
    (): readonly ChartSeries[] => [
      { key: 'trial', title: t('perf.sweep.trial'), role: 'c2', shape: 'points' },
      { key: 'failing', title: t('analyzer.overLimit'), role: 'danger', shape: 'points' },
      { key: 'frontier', title: t('perf.sweep.frontier'), role: 'c1', shape: 'path' },
    ],
    [],
  );
  const points = useMemo(() => paretoPoints(trials), [trials]);
  return (
    <LatencyRateChart
      title={t('perf.sweep.pareto')}
      series={series}
      points={points}
      height={240}
      testId="analyzer-chart"
    />
  );
}

function paretoPoints(trials: readonly AnalyzeTrial[]): readonly ChartPoint[] {
  return trials
    .filter(({ failure }) => failure === undefined)
    .map(({ p99Us, inferPerSecond, isPassing, isPareto }) => ({
      x: p99Us,
      trial: isPassing ? inferPerSecond : undefined,
      failing: isPassing ? undefined : inferPerSecond,
      frontier: isPareto ? inferPerSecond : undefined,
    }))
    .toSorted((a, b) => a.x - b.x);
}

function Trials({ view }: { readonly view: AnalyzeView }) {
  const { load, rate, p99 } = loadColumns();
  return (
    <Card title={t('analyzer.trials')}>
      <SimpleTable
        label={t('analyzer.trials')}
        testId="analyzer-trials"
        rows={view.trials}
        keyOf={({ variant }) => variant}
        columns={[
          { id: 'name', title: t('perf.col.config'), cell: (trial) => <Name trial={trial} /> },
          {
            id: 'state',
            title: t('perf.col.state'),
            cell: (trial) => <Marks trial={trial} best={view.best} />,
          },
          { id: 'instances', title: t('analyzer.instances'), cell: ({ instanceGroup }) => instanceGroup },
          { id: 'batch', title: t('analyzer.batch'), align: 'end', cell: ({ maxBatchSize }) => maxBatchSize },
          load,
          rate,
          p99,
        ]}
      />
    </Card>
  );
}

function Name({ trial: { variant, failure } }: { readonly trial: AnalyzeTrial }) {
  return (
    <div>
      <span className="font-medium">{variant}</span>
      {failure !== undefined && <p className="text-sm break-words text-bad">{failure}</p>}
    </div>
  );
}

function Marks({ trial, best }: { readonly trial: AnalyzeTrial; readonly best: string | undefined }) {
  return (
    <span className="inline-flex flex-wrap gap-1">
      {trial.isDefault && <Badge>{t('analyzer.default')}</Badge>}
      {trial.isPareto && <Badge tone="info">{t('perf.sweep.unbeaten')}</Badge>}
      {trial.failure === undefined && !trial.isStable && (
        <Badge tone="warn">{t('perf.level.unstable')}</Badge>
      )}
      {trial.failure === undefined && !trial.isPassing && <Badge tone="warn">{t('analyzer.failing')}</Badge>}
      {trial.variant === best && (
        <Badge tone="good" testId="analyzer-best">
          {t('perf.sweep.best')}
        </Badge>
      )}
    </span>
  );
}
