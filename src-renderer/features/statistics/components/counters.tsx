// Numbers since load: counters, batches by size, why they closed, instances.

import type { StatisticsView } from '../../../../src-shared/contract/observe-views.ts';
import { useCall } from '../../../engine/use-call.ts';
import { formatCount, formatMicros, formatPercent } from '../../../lib/format.ts';
import { t } from '../../../texts/translate.ts';
import { Card, Facts } from '../../../ui/card.tsx';
import { SimpleTable } from '../../../ui/simple-table.tsx';

export function Counters({
  name,
  tick,
  busy,
}: {
  readonly name: string;
  readonly tick: number;
  readonly busy: readonly number[];
}) {
  const statistics = useCall('observe/statistics', { model: name, version: '' }, tick);
  const view = statistics.data?.at(-1);
  if (view === undefined) return null;
  return (
    <div className="mt-3 grid grid-cols-1 gap-3 lg:grid-cols-2">
      <Card title={t('statistics.counters')} testId="statistics-counters">
        <Facts items={facts(view)} />
      </Card>
      <Card title={t('statistics.instances')}>
        <SimpleTable
          label={t('statistics.instances')}
          rows={view.instances.map((instance, index) => ({ ...instance, share: busy[index] }))}
          keyOf={(instance) => instance.name}
          columns={[
            { id: 'name', title: t('statistics.instances.name'), isMono: true, cell: (row) => row.name },
            { id: 'device', title: t('statistics.instances.device'), cell: (row) => row.device },
            {
              id: 'count',
              title: t('statistics.batches.count'),
              align: 'end',
              cell: (row) => formatCount(row.executionCount),
            },
            {
              id: 'busy',
              title: t('statistics.instances.busy'),
              align: 'end',
              cell: (row) => formatPercent(row.share),
            },
          ]}
        />
      </Card>
      <Card title={t('statistics.batches')}>
        <SimpleTable
          label={t('statistics.batches')}
          rows={view.batches}
          keyOf={({ batchSize }) => String(batchSize)}
          columns={[
            { id: 'size', title: t('statistics.batches.size'), cell: ({ batchSize }) => batchSize },
            {
              id: 'count',
              title: t('statistics.batches.count'),
              align: 'end',
              cell: ({ count }) => formatCount(count),
            },
          ]}
        />
      </Card>
      <Card title={t('statistics.reasons')}>
        {view.closeReasons.length === 0 ? (
          <p className="text-soft">{t('statistics.reasons.none')}</p>
        ) : (
          <SimpleTable
            label={t('statistics.reasons')}
            rows={view.closeReasons}
            keyOf={({ reason }) => reason}
            columns={[
              { id: 'reason', title: t('statistics.reasons.reason'), cell: ({ reason }) => reason },
              {
                id: 'count',
                title: t('statistics.batches.count'),
                align: 'end',
                cell: ({ count }) => formatCount(count),
              },
            ]}
          />
        )}
      </Card>
    </div>
  );
}

function facts(view: StatisticsView): readonly (readonly [string, string])[] {
  const { percentilesUs } = view;
  return [
    [t('statistics.counters.requests'), formatCount(view.successCount)],
    [t('statistics.counters.inferences'), formatCount(view.inferenceCount)],
    [t('statistics.counters.executions'), formatCount(view.executionCount)],
    [t('statistics.counters.failed'), formatCount(view.failureCount)],
    [t('statistics.counters.rejected'), formatCount(view.rejectedCount)],
    [t('statistics.counters.cancelled'), formatCount(view.cancelledCount)],
    [t('statistics.counters.mean'), formatMicros(view.successCount === 0 ? undefined : view.meanUs.request)],
    [
      t('statistics.counters.percentiles'),
      [percentilesUs?.p50, percentilesUs?.p99, percentilesUs?.max].map(formatMicros).join(' / '),
    ],
    [
      t('statistics.counters.cache'),
      `${formatCount(view.cacheHitCount)} / ${formatCount(view.cacheMissCount)}`,
    ],
  ];
}
