// The requests of clients that were traced. The row with the focus is chosen; steps of an ensemble are rows only where
// their model is asked for.

import { useMemo } from 'react';

import type { TraceRow } from '../../../../src-shared/contract/trace-row.ts';
import { formatClock, formatMicros, formatMoment } from '../../../lib/format.ts';
import { t } from '../../../texts/translate.ts';
import { Button } from '../../../ui/button.tsx';
import { DataTable } from '../../../ui/data-table.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import type { Column } from '../../../ui/table-model.ts';
import { NO_FILTER } from '../trace-filter.ts';
import { hasOutcome, queueNs, rangeOf, totalNs } from '../trace-parts.ts';
import { changeFilter, choose } from '../trace-store.ts';
import type { TraceViewData } from '../use-trace-view.ts';

const keyOf = ({ id }: TraceRow): string => String(id);

/** Lists what the filter lets through. */
export function TraceList({ view: { rows, listed, lit, layout } }: { readonly view: TraceViewData }) {
  const columns = useMemo(() => columnsOf(layout.originNs), [layout.originNs]);
  const selected = useMemo(() => new Set([...lit.rows].map(String)), [lit]);
  const requestCount = useMemo(() => rows.filter(({ parentId }) => parentId === 0).length, [rows]);
  return (
    <DataTable<TraceRow>
      label={t('traces.list')}
      testId="trace-list"
      rows={listed}
      columns={columns}
      keyOf={keyOf}
      testIdOf={({ id }) => `trace-row-${id}`}
      selected={selected}
      onSelected={(keys) => {
        const key = [...keys].at(-1);
        choose(key === undefined ? undefined : { kind: 'request', id: Number(key) });
      }}
      onOpen={({ id }) => choose({ kind: 'request', id })}
      empty={
        <EmptyState
          testId="trace-none"
          title={t('traces.filter.none')}
          text={t('traces.filter.noneText', { count: requestCount - listed.length })}
          actions={
            <Button worksOffline onClick={() => changeFilter(NO_FILTER)}>
              {t('traces.filter.clear')}
            </Button>
          }
        />
      }
    />
  );
}

function columnsOf(originNs: number): readonly Column<TraceRow>[] {
  const startNs = (row: TraceRow): number => rangeOf(row)?.[0] ?? Number.NaN;
  return [
    {
      id: 'time',
      title: t('traces.col.time'),
      width: 108,
      sortValue: startNs,
      cell: (row) =>
        row.atMs === undefined
          ? `+${formatMoment((startNs(row) - originNs) / 1000, 1)}`
          : formatClock(row.atMs, true),
    },
    {
      id: 'model',
      title: t('traces.col.model'),
      width: 132,
      isGrowing: true,
      growth: 2,
      sortValue: ({ model }) => model,
      cell: ({ model, parentId }) => (
        <span className="truncate">
          {model}
          {parentId !== 0 && (
            <span className="text-faint"> {t('traces.stepOf', { id: String(parentId) })}</span>
          )}
        </span>
      ),
    },
    {
      id: 'id',
      title: t('traces.col.id'),
      width: 92,
      isGrowing: true,
      dropOrder: 1,
      sortValue: ({ requestId }) => requestId ?? '',
      cell: ({ requestId }) => (
        <span className="truncate" title={requestId}>
          {requestId ?? '–'}
        </span>
      ),
    },
    {
      id: 'protocol',
      title: t('traces.col.protocol'),
      width: 64,
      dropOrder: 0,
      sortValue: ({ protocol }) => protocol ?? '',
      cell: ({ protocol }) => (
        <span className="text-soft">{protocol === undefined ? '–' : t(`traces.protocol.${protocol}`)}</span>
      ),
    },
    {
      id: 'execution',
      title: t('traces.col.execution'),
      help: t('traces.col.execution.help'),
      width: 84,
      align: 'end',
      dropOrder: 2,
      sortValue: ({ execution }) => execution?.id ?? Number.NaN,
      cell: ({ execution }) => execution?.id ?? '–',
    },
    {
      id: 'size',
      title: t('traces.col.size'),
      help: t('traces.col.size.help'),
      width: 64,
      align: 'end',
      dropOrder: 3,
      sortValue: ({ execution }) => execution?.batchSize || Number.NaN,
      cell: ({ execution }) => execution?.batchSize || '–',
    },
    {
      id: 'status',
      title: t('traces.col.status'),
      width: 72,
      sortValue: (row) => (row.isFailed ? 0 : hasOutcome(row) ? 2 : 1),
      cell: (row) => <Outcome row={row} />,
    },
    {
      id: 'queue',
      title: t('traces.col.queue'),
      width: 84,
      align: 'end',
      sortValue: (row) => queueNs(row) ?? Number.NaN,
      cell: (row) => micros(queueNs(row)),
    },
    {
      id: 'total',
      title: t('traces.col.total'),
      width: 84,
      align: 'end',
      sortValue: (row) => totalNs(row) ?? Number.NaN,
      cell: (row) => micros(totalNs(row)),
    },
  ];
}

function Outcome({ row }: { readonly row: TraceRow }) {
  if (!hasOutcome(row)) {
    return (
      <span className="text-faint" title={t('traces.noEndText')}>
        {t('traces.noEnd')}
      </span>
    );
  }
  return (
    <span className={row.isFailed ? 'text-bad' : 'text-soft'} title={row.error}>
      {t(row.isFailed ? 'traces.failed' : 'traces.ok')}
    </span>
  );
}

function micros(ns: number | undefined): string {
  return formatMicros(ns === undefined ? undefined : ns / 1000);
}
