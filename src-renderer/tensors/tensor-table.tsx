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

/** A long or a wide table is shown part by part. */
export function TensorTable({ output }: { readonly output: PlaygroundOutput }) {
  const slice = tableShape(output.shape);
  const [positions, setPositions] = useState<readonly number[]>(() => slice.picked.map(() => 0));
  const [firstRow, setFirstRow] = useState(0);
  const [firstColumn, setFirstColumn] = useState(0);
  const pageColumns = Math.min(MAX_COLUMNS, slice.columns);
  const columns = Math.min(pageColumns, slice.columns - firstColumn);
  const pageRows = Math.max(1, Math.floor(PAGE_CELLS / Math.max(1, pageColumns)));
  const rows = Math.max(1, Math.min(slice.rows - firstRow, pageRows));
  const { texts, error } = useElements(output, {
    start: sliceStart(slice, positions) + firstRow * slice.columns + firstColumn,
    rows,
    columns,
    stride: slice.columns,
  });
  const isLong = slice.rows > pageRows;
  const isWide = slice.columns > pageColumns;
  return (
    <div className="flex flex-col">
      <SlicePicker
        picked={slice.picked}
        positions={positions}
        onChange={(next) => {
          setPositions(next);
          setFirstRow(0);
          setFirstColumn(0);
        }}
      />
      {error !== undefined && <p className="p-3 text-sm text-bad">{error}</p>}
      <Cells
        name={output.name}
        texts={texts}
        rows={slice.columns === 0 ? 0 : rows}
        columns={columns}
        firstRow={firstRow}
        firstColumn={firstColumn}
        rowStep={slice.isWrapped ? slice.columns : 1}
      />
      {(isLong || isWide) && (
        <footer className="flex flex-wrap items-center gap-x-4 gap-y-2 border-t border-line/60 px-3 py-1.5 text-sm text-faint">
          {isLong && (
            <Pager
              of="rows"
              first={firstRow}
              shown={rows}
              step={pageRows}
              count={slice.rows}
              onChange={setFirstRow}
            />
          )}
          {isWide && (
            <Pager
              of="columns"
              first={firstColumn}
              shown={columns}
              step={pageColumns}
              count={slice.columns}
              onChange={setFirstColumn}
            />
          )}
        </footer>
      )}
    </div>
  );
}

interface PagerProps {
  readonly of: 'rows' | 'columns';
  /** 0-based. */
  readonly first: number;
  readonly shown: number;
  /** How far one press goes. */
  readonly step: number;
  readonly count: number;
  readonly onChange: (first: number) => void;
}

function Pager({ of, first, shown, step, count, onChange }: PagerProps) {
  return (
    <span className="flex flex-wrap items-center gap-2" data-testid={`tensor-${of}`}>
      <Button
        size="sm"
        data-testid={`tensor-${of}-earlier`}
        disabledReason={first === 0 ? t(`playground.${of}.first`) : undefined}
        onClick={() => onChange(Math.max(0, first - step))}
      >
        {t(`playground.${of}.earlier`)}
      </Button>
      <Button
        size="sm"
        data-testid={`tensor-${of}-later`}
        disabledReason={first + shown >= count ? t(`playground.${of}.last`) : undefined}
        onClick={() => onChange(first + step)}
      >
        {t(`playground.${of}.later`)}
      </Button>
      <span>{t(`playground.${of}.shown`, { from: first, to: first + shown - 1, count })}</span>
    </span>
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
  readonly firstRow: number;
  readonly firstColumn: number;
  /** What one row counts: 1, or the elements in it where a vector goes on from row to row. */
  readonly rowStep: number;
}

/** Columns are as wide as the longest text, so that figures stand below each other; longer ones stand out alone. */
const MAX_EVEN_LETTERS = 16;

function Cells({ name, texts, rows, columns, firstRow, firstColumn, rowStep }: CellsProps) {
  const letters = Math.max(...texts.map(({ length }) => length), String(firstColumn + columns - 1).length);
  const minWidth = `calc(${Math.min(letters, MAX_EVEN_LETTERS)}ch + 1rem)`;
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
              <th
                key={column}
                scope="col"
                style={{ minWidth }}
                className="px-2 py-0.5 text-right font-normal text-faint"
              >
                {firstColumn + column}
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
              {texts.slice(row * columns, (row + 1) * columns).map((text, column) => (
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
