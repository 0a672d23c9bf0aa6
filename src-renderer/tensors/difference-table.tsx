// How far the outputs of two answers are from each other, one row per output, with the first element that differs.

import type { TensorDifference } from '../../src-shared/contract/inference-calls.ts';
import { t } from '../texts/translate.ts';
import { SimpleTable } from '../ui/simple-table.tsx';
import { valueText } from './value-text.ts';

/** Largest absolute and relative difference; a dash where there is none. */
export function DifferenceTable({ rows }: { readonly rows: readonly TensorDifference[] }) {
  const number = (value: number | undefined): string => (value === undefined ? '–' : valueText(value, 3));
  return (
    <SimpleTable
      label={t('playground.tab.diff')}
      testId="pg-diff-table"
      rows={rows}
      keyOf={({ name }) => name}
      columns={[
        { id: 'name', title: t('playground.diff.output'), isMono: true, cell: ({ name }) => name },
        {
          id: 'absolute',
          title: t('playground.diff.absolute'),
          align: 'end',
          cell: ({ maxAbsolute }) => number(maxAbsolute),
        },
        {
          id: 'relative',
          title: t('playground.diff.relative'),
          align: 'end',
          cell: ({ maxRelative }) => number(maxRelative),
        },
        {
          id: 'first',
          title: t('playground.diff.first'),
          isMono: true,
          cell: ({ firstDiffering }) => firstDiffering ?? '–',
        },
      ]}
    />
  );
}
