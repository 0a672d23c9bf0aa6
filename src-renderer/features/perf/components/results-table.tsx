// One row per level with the columns of perf_analyzer's CSV, what people look for first in front. Unstable rows are kept and marked; the knee is named.

import { memo, useMemo } from 'react';

import { SHOWN_RANKS } from '../shown-ranks.ts';
import type { PerfLevel, PerfLevelState } from '../../../../src-shared/contract/perf-views.ts';
import { formatCount, formatMicros, formatRate, threeDigits } from '../../../lib/format.ts';
import { t } from '../../../texts/translate.ts';
import type { Tone } from '../../../ui/badge.tsx';
import { Badge } from '../../../ui/badge.tsx';
import { Card } from '../../../ui/card.tsx';
import { cx } from '../../../ui/cx.ts';
import type { SimpleColumn } from '../../../ui/simple-table.tsx';
import { SimpleTable } from '../../../ui/simple-table.tsx';
import { levelKey } from '../live-run.ts';
import { LATENCY_PARTS, latencyParts } from '../run-charts.ts';

const TONES: Readonly<Record<PerfLevelState, Tone>> = {
  stable: 'good',
  unstable: 'warn',
  'over-limit': 'warn',
  skipped: 'neutral',
  stopped: 'neutral',
  failed: 'bad',
};

interface Row {
  readonly level: PerfLevel;
  readonly index: number;
}

/** Drawn again when its levels or the selection change, not with each progress of a run. */
export const ResultsTable = memo(function ResultsTable({
  levels,
  kneeIndex,
  selected,
  onSelect,
}: {
  readonly levels: readonly PerfLevel[];
  readonly kneeIndex: number;
  readonly selected: number;
  readonly onSelect: (index: number) => void;
}) {
  const rows = useMemo(() => levels.map((level, index) => ({ level, index })), [levels]);
  const knee = levels[kneeIndex];
  const unit = levels[0]?.unit ?? 'concurrency';
  const first: SimpleColumn<Row> = {
    id: 'level',
    title: t(`perf.unit.${unit}`),
    cell: ({ level, index }) => (
      <button
        type="button"
        aria-pressed={index === selected}
        data-testid={`perf-level-${level.value}`}
        onClick={() => onSelect(index)}
        className={cx(
          'min-h-6 min-w-10 rounded border px-2 text-left font-medium hover:bg-hover',
          index === selected ? 'border-accent bg-selected text-strong' : 'border-transparent text-accent',
        )}
      >
        {threeDigits(level.value)}
      </button>
    ),
  };
  return (
    <Card title={t('perf.results')} testId="perf-results">
      <SimpleTable
        label={t('perf.results')}
        testId="perf-results-table"
        rows={rows}
        columns={[first, ...columns(kneeIndex)]}
        keyOf={({ level }) => levelKey(level)}
      />
      {knee !== undefined && (
        <p className="mt-2 text-soft" data-testid="perf-knee">
          {t('perf.knee', { value: threeDigits(knee.value) })}
        </p>
      )}
    </Card>
  );
});

function columns(kneeIndex: number): readonly SimpleColumn<Row>[] {
  const time = (
    id: string,
    title: string,
    of: (level: PerfLevel) => number | undefined,
  ): SimpleColumn<Row> => ({
    id,
    title,
    align: 'end',
    cell: ({ level }) => (
      <span className="whitespace-nowrap tabular-nums">
        {formatMicros(level.result.requestCount > 0 ? of(level) : undefined)}
      </span>
    ),
  });
  return [
    {
      id: 'state',
      title: t('perf.col.state'),
      cell: ({ level, index }) => (
        <span className="inline-flex gap-1">
          <Badge tone={TONES[level.state]} title={level.note} testId={`perf-level-state-${level.value}`}>
            {t(`perf.level.${level.state}`)}
          </Badge>
          {index === kneeIndex && <Badge tone="info">{t('perf.level.knee')}</Badge>}
          {level.isGeneratorLimit && (
            <Badge tone="warn" title={t('perf.level.generatorHelp')}>
              {t('perf.level.generator')}
            </Badge>
          )}
        </span>
      ),
    },
    {
      id: 'rate',
      title: t('perf.col.rate'),
      align: 'end',
      cell: ({ level }) => (
        <span className="font-medium text-strong tabular-nums">
          {formatRate(level.result.inferPerSecond)}
        </span>
      ),
    },
    time('mean', t('perf.tile.mean'), ({ result }) => result.meanUs),
    ...SHOWN_RANKS.map((rank) => time(`p${rank}`, `p${rank}`, ({ result }) => result.percentilesUs[rank])),
    {
      id: 'errors',
      title: t('perf.col.errors'),
      align: 'end',
      cell: ({ level }) => <span className="tabular-nums">{formatCount(level.result.errorCount)}</span>,
    },
    ...LATENCY_PARTS.map(({ part, title }) =>
      time(part, t(title), ({ result }) => latencyParts(result)[part]),
    ),
  ];
}
