// Captured requests, newest first; the steps of an ensemble are rows of their own. Enter shows one with its tensors.

import { useState } from 'react';

import type { CapturedRow } from '../../../src-shared/contract/capture-calls.ts';
import type { Capture } from '../../actions/use-capture.ts';
import { formatBytes, formatMillis, formatShape } from '../../lib/format.ts';
import { t } from '../../texts/translate.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import type { Column } from '../../ui/table-model.ts';
import { CapturedDialog } from '../../tensors/captured-dialog.tsx';
import { modelColumn, timeColumn } from './request-columns.tsx';

/** The engine keeps the latest requests only, so rows go. */
export function CapturedList({ capture: { rows } }: { readonly capture: Capture }) {
  const [shown, setShown] = useState<CapturedRow>();
  return (
    <>
      <DataTable<CapturedRow>
        label={t('capture.list')}
        testId="captured-table"
        rows={rows}
        columns={columns(rows, setShown)}
        keyOf={({ id }) => String(id)}
        testIdOf={({ id }) => `captured-${id}`}
        onOpen={setShown}
        empty={<EmptyState testId="captured-none" title={t('capture.none')} text={t('capture.noneText')} />}
      />
      {shown !== undefined && <CapturedDialog row={shown} onClose={() => setShown(undefined)} />}
    </>
  );
}

function columns(
  rows: readonly CapturedRow[],
  onOpen: (row: CapturedRow) => void,
): readonly Column<CapturedRow>[] {
  const hasFailed = rows.some(({ state }) => state === 'failed');
  const byId = new Map(rows.map((row) => [row.id, row]));
  return [
    timeColumn(),
    modelColumn({
      width: 220,
      onOpen,
      more: (row) =>
        row.parentId !== 0 && (
          <span className="text-faint"> {stepText(row, byId.get(row.parentId)?.model)}</span>
        ),
    }),
    {
      id: 'id',
      title: t('capture.column.id'),
      width: 96,
      cell: ({ requestId }) => <span className="truncate">{requestId ?? '–'}</span>,
    },
    {
      id: 'inputs',
      title: t('capture.column.inputs'),
      width: 160,
      isGrowing: true,
      growth: 2,
      cell: ({ inputs }) => (
        <span className="truncate font-mono text-sm text-soft">
          {inputs.map(({ name, shape }) => `${name} ${formatShape(shape)}`).join(', ')}
        </span>
      ),
    },
    {
      id: 'state',
      title: t('capture.column.state'),
      // The server's words need the room that an answered request does not.
      width: hasFailed ? 240 : 100,
      isGrowing: true,
      growth: hasFailed ? 6 : 1,
      sortValue: ({ state }) => state,
      cell: ({ state, error }) => (
        <span className={state === 'failed' ? 'truncate text-bad' : 'truncate text-soft'} title={error}>
          {t(stateText(state))}
          {error !== undefined && `: ${withoutId(error)}`}
        </span>
      ),
    },
    {
      id: 'duration',
      title: t('capture.column.duration'),
      width: 92,
      align: 'end',
      sortValue: ({ durationMs }) => durationMs,
      cell: ({ durationMs, state }) => (state === 'running' ? '–' : formatMillis(durationMs)),
    },
    {
      id: 'size',
      title: t('capture.column.size'),
      width: 116,
      align: 'end',
      sortValue: ({ byteSize }) => byteSize,
      cell: ({ byteSize, hasTensors }) => (hasTensors ? formatBytes(byteSize) : t('capture.tooLarge')),
    },
  ];
}

/** `ensemble` undefined = its request was pushed out by newer ones. */
function stepText({ stepIndex }: CapturedRow, ensemble: string | undefined): string {
  const step = stepIndex + 1;
  return ensemble === undefined
    ? t('capture.stepOfGone', { step })
    : t('capture.step', { step, model: ensemble });
}

/** The id has a column of its own, and the room is for what was wrong. */
function withoutId(error: string): string {
  return error.replace(/^\[request id: [^\]]*\] /, '');
}

function stateText(state: CapturedRow['state']) {
  if (state === 'ok') return 'capture.ok';
  return state === 'failed' ? 'capture.failed' : 'capture.running';
}
