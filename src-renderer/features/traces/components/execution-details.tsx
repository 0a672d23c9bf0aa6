// One run of an instance: how large its batch was, why it was closed, and the requests in it.

import type { TraceRow } from '../../../../src-shared/contract/trace-row.ts';
import { formatMicros } from '../../../lib/format.ts';
import { t } from '../../../texts/translate.ts';
import { Card, Facts } from '../../../ui/card.tsx';
import { SimpleTable } from '../../../ui/simple-table.tsx';
import { closeReasonText } from '../close-reason.ts';
import type { TimelineBlock } from '../timeline-layout.ts';
import { queueNs, totalNs } from '../trace-parts.ts';
import { choose } from '../trace-store.ts';

/** Requests lead to their waterfall. */
export function ExecutionDetails({ block }: { readonly block: TimelineBlock }) {
  const { execution, rows, startNs, endNs } = block;
  const { requestCount, batchSize, instance, closeReason } = execution;
  const unknown = <span className="text-faint">{t('traces.execution.unknown')}</span>;
  const others = Math.max(0, requestCount - rows.length);
  return (
    <div className="flex flex-col gap-3" data-testid="trace-execution">
      <Card title={t('traces.execution', { id: String(block.id) })}>
        <Facts
          items={[
            [t('traces.col.model'), rows[0]?.model ?? ''],
            [t('traces.execution.instance'), instance === '' ? unknown : instance],
            [
              t('traces.execution.batch'),
              batchSize === 0
                ? unknown
                : t('traces.execution.batchOf', { rows: batchSize, requests: requestCount }),
            ],
            [t('traces.execution.took'), formatMicros((endNs - startNs) / 1000)],
            [
              t('traces.execution.closed'),
              <span key="reason" data-testid="trace-closed">
                {closeReasonText(closeReason) ?? unknown}
              </span>,
            ],
          ]}
        />
      </Card>
      <Card title={t('traces.execution.requests')}>
        <SimpleTable<TraceRow>
          label={t('traces.execution.requests')}
          testId="trace-execution-requests"
          rows={rows}
          keyOf={({ id }) => String(id)}
          columns={[
            {
              id: 'id',
              title: t('traces.col.id'),
              cell: ({ id, requestId }) => (
                <button
                  type="button"
                  className="max-w-48 truncate text-left text-accent hover:underline"
                  onClick={() => choose({ kind: 'request', id })}
                >
                  {t('traces.request', { id: requestId ?? String(id) })}
                </button>
              ),
            },
            { id: 'queue', title: t('traces.col.queue'), align: 'end', cell: (row) => micros(queueNs(row)) },
            { id: 'total', title: t('traces.col.total'), align: 'end', cell: (row) => micros(totalNs(row)) },
          ]}
        />
        {others > 0 && (
          <p className="mt-2 text-sm text-faint" data-testid="trace-others">
            {t('traces.execution.partly', { count: others })}
          </p>
        )}
      </Card>
    </div>
  );
}

function micros(ns: number | undefined): string {
  return formatMicros(ns === undefined ? undefined : ns / 1000);
}
