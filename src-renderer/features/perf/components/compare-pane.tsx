// Two to four runs side by side: curves over each other, differences with their confidence, what differs in the
// configuration, and a warning when the machines or circumstances differ.

import { GitCompare } from 'lucide-react';
import { useMemo } from 'react';

import type { PerfComparison, PerfDifference, PerfRun } from '../../../../src-shared/contract/perf-views.ts';
import { useCall } from '../../../engine/use-call.ts';
import { formatMicros, threeDigits } from '../../../lib/format.ts';
import { t } from '../../../texts/translate.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Banner } from '../../../ui/banner.tsx';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import type { ChartSeries } from '../../../ui/chart-types.ts';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { SimpleTable } from '../../../ui/simple-table.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { runTitle } from '../perf-actions.ts';
import { perfUi, toggleCompared, usePerf } from '../perf-store.ts';
import { RUN_ROLES, loadKey, runKey } from '../run-charts.ts';
import type { RunsState } from '../use-perf.ts';
import { TradeOffChart } from './trade-off-chart.tsx';

/** The first of the chosen runs is what the others differ from. */
export function ComparePane({ list }: { readonly list: RunsState }) {
  const compared = usePerf((state) => state.compared);
  const known = compared.filter((id) => list.runs.some((run) => run.id === id));
  const turn = usePerf((state) => state.turn);
  const { data, error } = useCall('perf/compare', known.length < 2 ? undefined : { runs: known }, turn);
  if (known.length < 2) {
    return (
      <EmptyState
        icon={GitCompare}
        title={t('perf.compare.empty')}
        testId="perf-compare-empty"
        actions={
          <Button onClick={() => perfUi.setState({ pane: 'history' })}>{t('perf.compare.toHistory')}</Button>
        }
      />
    );
  }
  if (error !== undefined) return <Banner tone="bad">{error}</Banner>;
  return data === undefined ? <Skeleton rows={6} /> : <Comparison comparison={data} />;
}

function Comparison({ comparison }: { readonly comparison: PerfComparison }) {
  const { runs, differences, configChanges, warnings } = comparison;
  const series = useMemo(() => runSeries(runs), [runs]);
  return (
    <div className="flex flex-col gap-3" data-testid="perf-comparison">
      {runs.some(({ state }) => state === 'running' || state === 'queued') && (
        <Banner tone="info" testId="perf-compare-going">
          {t('perf.compare.going')}
        </Banner>
      )}
      {warnings.length > 0 && (
        <Banner tone="warn" testId="perf-compare-warning">
          <ul>
            {warnings.map((warning) => (
              <li key={warning}>{warning}</li>
            ))}
          </ul>
        </Banner>
      )}
      <div className="flex flex-wrap gap-2">
        {runs.map((run, index) => (
          <Button
            key={run.id}
            size="sm"
            title={t('perf.compare.remove')}
            onClick={() => toggleCompared(run.id)}
          >
            {t(index === 0 ? 'perf.compare.base' : 'perf.compare.other', {
              number: index + 1,
              name: runTitle(run),
            })}
            <span aria-hidden> ×</span>
          </Button>
        ))}
      </div>
      <TradeOffChart runs={runs} series={series} limitMs={0} height={260} testId="perf-chart-compare" />
      {differences.map(({ runId, levels }) => (
        <DifferenceCard
          key={runId}
          title={t('perf.compare.against', {
            name: titleOf(runs, runId),
            base: titleOf(runs, runs[0]?.id ?? ''),
          })}
          levels={levels}
        />
      ))}
      <ConfigCard runs={runs} changes={configChanges} />
    </div>
  );
}

function runSeries(runs: readonly PerfRun[]): readonly ChartSeries[] {
  return runs.map((run, index) => ({
    key: runKey(index),
    labelKey: loadKey(index),
    title: `${index + 1} ${runTitle(run)}`,
    role: RUN_ROLES[index] ?? 'c5',
    shape: 'path',
  }));
}

/** Runs are often called the same; their number tells them apart. */
function titleOf(runs: readonly PerfRun[], id: string): string {
  const index = runs.findIndex((run) => run.id === id);
  const run = runs[index];
  return run === undefined ? id : `${index + 1} ${runTitle(run)}`;
}

function DifferenceCard({
  title,
  levels,
}: {
  readonly title: string;
  readonly levels: readonly PerfDifference[];
}) {
  return (
    <Card title={title} testId="perf-differences">
      {levels.length === 0 ? (
        <p className="text-soft">{t('perf.compare.noCommon')}</p>
      ) : (
        <SimpleTable
          label={title}
          rows={levels}
          keyOf={({ unit, value }) => `${unit} ${value}`}
          columns={[
            {
              id: 'load',
              title: t(`perf.unit.${levels[0]?.unit ?? 'concurrency'}`),
              cell: ({ value }) => threeDigits(value),
            },
            {
              id: 'rate',
              title: t('perf.col.rate'),
              align: 'end',
              cell: ({ throughputPercent, isThroughputClear }) => (
                <Difference text={`${signed(throughputPercent)} %`} isClear={isThroughputClear} />
              ),
            },
            {
              id: 'p99',
              title: 'p99',
              align: 'end',
              cell: ({ p99DifferenceUs, isP99Clear }) => (
                <Difference
                  text={`${p99DifferenceUs >= 0 ? '+' : '-'}${formatMicros(Math.abs(p99DifferenceUs))}`}
                  isClear={isP99Clear}
                />
              ),
            },
            { id: 'sentence', title: t('perf.compare.verdict'), cell: ({ sentence }) => sentence },
          ]}
        />
      )}
    </Card>
  );
}

function signed(value: number): string {
  return `${value > 0 ? '+' : ''}${Math.abs(value) < 0.05 ? '0' : threeDigits(Math.round(value * 10) / 10)}`;
}

function Difference({ text, isClear }: { readonly text: string; readonly isClear: boolean }) {
  return (
    <span className="inline-flex items-center gap-2 whitespace-nowrap tabular-nums">
      {text}
      <Badge tone={isClear ? 'info' : 'neutral'}>
        {t(isClear ? 'perf.compare.clear' : 'perf.compare.noise')}
      </Badge>
    </span>
  );
}

function ConfigCard({
  runs,
  changes,
}: {
  readonly runs: readonly PerfRun[];
  readonly changes: PerfComparison['configChanges'];
}) {
  return (
    <Card title={t('perf.compare.config')} testId="perf-config-diff">
      {changes.length === 0 ? (
        <p className="text-soft">{t('perf.compare.sameConfig')}</p>
      ) : (
        <SimpleTable
          label={t('perf.compare.config')}
          rows={changes}
          keyOf={({ path }) => path}
          columns={[
            { id: 'path', title: t('perf.compare.field'), isMono: true, cell: ({ path }) => path },
            ...runs.map((run, index) => ({
              id: run.id,
              title: titleOf(runs, run.id),
              isMono: true,
              cell: ({ values }: PerfComparison['configChanges'][number]) => (
                <span className="break-all">{values[index] === '' ? t('common.none') : values[index]}</span>
              ),
            })),
          ]}
        />
      )}
    </Card>
  );
}
