// A tensor as a table of its last two dimensions; the others are picked. Only what is shown is fetched, page by page.

import { useState } from 'react';

import type { PlaygroundOutput } from '../../src-shared/contract/playground-answer.ts';
import { t } from '../texts/translate.ts';
import { Button } from '../ui/button.tsx';
import { NumberInput } from '../ui/number-input.tsx';
import { sliceStart, tableShape } from './tensor-slices.ts';
import { useElements } from './use-elements.ts';

const MAX_COLUMNS = 64;
const PAGE_CELLS = 1024;

/** A long table is shown page by page. */
export function TensorTable({ output }: { readonly output: PlaygroundOutput }) {
  const slice = tableShape(output.shape);
  const [positions, setPositions] = useState<readonly number[]>(() => slice.picked.map(() => 0));
  const [firstRow, setFirstRow] = useState(0);
  const columns = Math.min(MAX_COLUMNS, slice.columns);
  const pageRows = Math.max(
    1,
    Math.min(slice.rows - firstRow, Math.floor(PAGE_CELLS / Math.max(1, columns))),
  );
  const start = sliceStart(slice, positions) + firstRow * slice.columns;
  const { texts, error } = useElements(output, start, pageRows * slice.columns);
  const isPaged = slice.rows > pageRows || firstRow > 0;
  return (
    <div className="flex flex-col">
      <SlicePicker
        picked={slice.picked}
        positions={positions}
        onChange={(next) => {
          setPositions(next);
          setFirstRow(0);
        }}
      />
      {error !== undefined && <p className="p-3 text-sm text-bad">{error}</p>}
      <Cells
        name={output.name}
        texts={texts}
        rows={slice.columns === 0 ? 0 : pageRows}
        columns={columns}
        stride={slice.columns}
        firstRow={firstRow}
        rowStep={slice.isWrapped ? slice.columns : 1}
      />
      {(isPaged || slice.columns > columns) && (
        <footer className="flex flex-wrap items-center gap-2 border-t border-line/60 px-3 py-1.5 text-sm text-faint">
          {isPaged && (
            <>
              <Button
                size="sm"
                disabledReason={firstRow === 0 ? t('playground.firstPage') : undefined}
                onClick={() =>
                  setFirstRow(Math.max(0, firstRow - Math.floor(PAGE_CELLS / Math.max(1, columns))))
                }
              >
                {t('playground.earlierRows')}
              </Button>
              <Button
                size="sm"
                disabledReason={firstRow + pageRows >= slice.rows ? t('playground.lastPage') : undefined}
                onClick={() => setFirstRow(firstRow + pageRows)}
              >
                {t('playground.laterRows')}
              </Button>
              <span>
                {t('playground.rowsShown', {
                  from: firstRow,
                  to: firstRow + pageRows - 1,
                  count: slice.rows,
                })}
              </span>
            </>
          )}
          {slice.columns > columns && (
            <span>{t('playground.columnsShown', { shown: columns, count: slice.columns })}</span>
          )}
        </footer>
      )}
    </div>
  );
}

/** One number field for each of `picked`, which are sizes; `positions` are 0-based. */
export function SlicePicker({
  picked,
  positions,
  onChange,
}: {
  readonly picked: readonly number[];
  readonly positions: readonly number[];
  readonly onChange: (positions: readonly number[]) => void;
}) {
  if (picked.every((size) => size <= 1)) return null;
  return (
    <div className="flex flex-wrap items-center gap-2 border-b border-line/60 px-3 py-1.5">
      <span className="text-sm text-soft">{t('playground.slice')}</span>
      {picked.map((size, axis) => (
        <NumberInput
          key={axis}
          value={positions[axis] ?? 0}
          min={0}
          max={size - 1}
          className="w-20"
          aria-label={t('playground.sliceOf', { axis })}
          onChange={(next = 0) => onChange(positions.with(axis, next))}
        />
      ))}
      <span className="font-mono text-sm text-faint">, :, :</span>
    </div>
  );
}

interface CellsProps {
  readonly name: string;
  readonly texts: readonly string[];
  readonly rows: number;
  readonly columns: number;
  /** Elements from one row to the next. */
  readonly stride: number;
  readonly firstRow: number;
  /** What one row counts: 1, or the elements in it where a vector goes on from row to row. */
  readonly rowStep: number;
}

function Cells({ name, texts, rows, columns, stride, firstRow, rowStep }: CellsProps) {
  return (
    <div
      className="max-h-80 overflow-auto"
      tabIndex={0}
      role="region"
      aria-label={t('playground.valuesOf', { name })}
    >
      <table className="border-collapse font-mono text-sm" data-testid={`pg-table-${name}`}>
        <thead className="sticky top-0 bg-surface">
          <tr>
            <th scope="col" className="sticky left-0 bg-surface px-2 py-0.5">
              <span className="sr-only">{t('playground.row')}</span>
            </th>
            {Array.from({ length: columns }, (_, column) => (
              <th key={column} scope="col" className="px-2 py-0.5 text-right font-normal text-faint">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {Array.from({ length: rows }, (_, row) => (
            <tr key={row} className="border-t border-line/40">
              <th
                scope="row"
                className="sticky left-0 bg-surface px-2 py-0.5 text-right font-normal text-faint"
              >
                {(firstRow + row) * rowStep}
              </th>
              {texts.slice(row * stride, row * stride + columns).map((text, column) => (
                <td key={column} className="px-2 py-0.5 text-right whitespace-pre text-strong select-text">
                  {text}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
