// Columns that both lists of requests begin with: when, and which model.

import type { ReactNode } from 'react';

import { formatClock } from '../../lib/format.ts';
import { t } from '../../texts/translate.ts';
import type { Column } from '../../ui/table-model.ts';

/** Newest first. */
export function timeColumn<Row extends { readonly atMs: number }>(): Column<Row> {
  return {
    id: 'time',
    title: t('requests.time'),
    width: 108,
    sortValue: ({ atMs }) => -atMs,
    cell: ({ atMs }) => formatClock(atMs, true),
  };
}

interface ModelColumn<Row> {
  readonly width: number;
  readonly onOpen: (row: Row) => void;
  readonly testIdOf?: (row: Row) => string;
  /** What stands behind the name. */
  readonly more?: (row: Row) => ReactNode;
}

/** The name opens what the row stands for; Enter on the row does the same, so the name takes no stop of Tab. */
export function modelColumn<Row extends { readonly model: string }>(options: ModelColumn<Row>): Column<Row> {
  const { width, onOpen, testIdOf, more } = options;
  return {
    id: 'model',
    title: t('requests.model'),
    width,
    isGrowing: true,
    growth: 2,
    sortValue: ({ model }) => model,
    cell: (row) => (
      <button
        type="button"
        tabIndex={-1}
        className="min-w-0 truncate text-left text-accent hover:underline"
        data-testid={testIdOf?.(row)}
        onClick={() => onOpen(row)}
      >
        {row.model}
        {more?.(row)}
      </button>
    ),
  };
}
