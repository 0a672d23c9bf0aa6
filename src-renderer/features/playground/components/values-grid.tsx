// The values of a small tensor as a grid with one Tab stop. Arrows, Home, End and Page keys move from cell to cell, where
// what is typed replaces the value; Enter, F2 or a click edit the text in the cell, and Escape brings back what was there.

import type { ClipboardEvent, FocusEvent, KeyboardEvent } from 'react';
import { useId, useRef, useState } from 'react';

import { t } from '../../../texts/translate.ts';
import { cx } from '../../../ui/cx.ts';
import type { InputDraft } from '../draft.ts';
import { emptyValue } from '../draft.ts';
import { isValueOf, splitValues } from '../draft-issues.ts';
import { movedCell } from '../grid-moves.ts';
import type { PlaygroundStore } from '../playground-store.ts';
import { editInput } from '../playground-store.ts';

const MAX_COLUMNS = 8;
const ROW_PX = 25;

/** Columns of the grid: the last dimension when it is short enough. */
function columnsOf({ shape, values }: InputDraft): number {
  const last = shape.at(-1) ?? 1;
  if (last > 1 && last <= MAX_COLUMNS) return last;
  return Math.max(1, Math.min(MAX_COLUMNS, values.length));
}

interface ValuesGridProps {
  readonly store: PlaygroundStore;
  readonly input: InputDraft;
}

/** A paste of many values fills the grid from the focused cell on. */
export function ValuesGrid({ store, input }: ValuesGridProps) {
  const { name, datatype, values } = input;
  const hint = useId();
  const columns = columnsOf(input);
  const rest = (columns - (values.length % columns)) % columns;
  const setFrom = (at: number, texts: readonly string[]): void =>
    editInput(store, name, (current) => ({
      ...current,
      values: current.values.map((value, index) => texts[index - at] ?? value),
    }));
  const { tabStop, editing, edit, onFocus, onKeyDown } = useCells(columns, values, (at, text) =>
    setFrom(at, [text]),
  );
  const onPaste = (event: ClipboardEvent, at: number): void => {
    const words = splitValues(event.clipboardData.getData('text'));
    if (words.length < 2) return;
    event.preventDefault();
    setFrom(at, words);
  };
  const rowStarts = Array.from({ length: Math.ceil(values.length / columns) }, (_, row) => row * columns);
  return (
    <div className="max-h-72 overflow-auto rounded border border-line" data-grid>
      <p id={hint} className="sr-only">
        {t('playground.gridKeys')}
      </p>
      <div
        role="grid"
        aria-label={t('playground.valuesOf', { name })}
        aria-describedby={hint}
        aria-rowcount={rowStarts.length}
        aria-colcount={columns}
        data-testid={`pg-grid-${name}`}
        className="grid gap-px bg-line"
        style={{ gridTemplateColumns: `repeat(${columns}, minmax(2.75rem, 1fr))` }}
      >
        {rowStarts.map((start, row) => (
          <div key={start} role="row" aria-rowindex={row + 1} className="contents">
            {values.slice(start, start + columns).map((value, column) => {
              const at = start + column;
              return (
                <div key={at} role="gridcell" aria-colindex={column + 1} className="min-w-0 bg-surface">
                  <input
                    value={value}
                    data-at={at}
                    data-state={editing === at ? 'editing' : 'moving'}
                    tabIndex={at === tabStop ? 0 : -1}
                    aria-label={t('playground.element', { name, index: at })}
                    aria-invalid={!isValueOf(datatype, value)}
                    data-testid={`pg-value-${name}-${at}`}
                    spellCheck={false}
                    autoComplete="off"
                    placeholder={emptyValue(datatype)}
                    onChange={(event) => setFrom(at, [event.target.value])}
                    onPaste={(event) => onPaste(event, at)}
                    onFocus={(event) => onFocus(event, at)}
                    onClick={() => edit(at)}
                    onKeyDown={(event) => onKeyDown(event, at)}
                    className={cx(
                      'focus-inset h-6 w-full min-w-0 bg-surface px-1.5 text-right font-mono text-sm text-strong',
                      'aria-invalid:bg-bad-soft aria-invalid:text-bad',
                    )}
                  />
                </div>
              );
            })}
            {start + columns > values.length && rest > 0 && (
              <div aria-hidden className="bg-surface" style={{ gridColumn: `span ${rest}` }} />
            )}
          </div>
        ))}
      </div>
    </div>
  );
}

interface Cells {
  /** The one cell that Tab reaches: the one that had the focus last. */
  readonly tabStop: number;
  /** The cell whose text the arrow keys move in; undefined = they move from cell to cell. */
  readonly editing: number | undefined;
  readonly edit: (at: number) => void;
  readonly onFocus: (event: FocusEvent<HTMLInputElement>, at: number) => void;
  readonly onKeyDown: (event: KeyboardEvent<HTMLInputElement>, at: number) => void;
}

/** Which cell has the focus, whether it is edited, and what keys do in it. */
function useCells(
  columns: number,
  values: readonly string[],
  restore: (at: number, text: string) => void,
): Cells {
  const [focused, setFocused] = useState(0);
  const [editing, setEditing] = useState<number>();
  // What the cell with the focus held when it came to it.
  const before = useRef('');
  const isHeld = (at: number): boolean => (values[at] ?? '') === before.current;
  const onEscape = (event: KeyboardEvent<HTMLInputElement>, at: number): void => {
    if (editing !== at && isHeld(at)) return;
    event.preventDefault();
    event.stopPropagation();
    if (!isHeld(at)) restore(at, before.current);
    setEditing(undefined);
    event.currentTarget.select();
  };
  const onEnter = (event: KeyboardEvent<HTMLInputElement>, at: number): void => {
    event.preventDefault();
    if (editing !== at) {
      setEditing(at);
      event.currentTarget.setSelectionRange(
        event.currentTarget.value.length,
        event.currentTarget.value.length,
      );
      return;
    }
    setEditing(undefined);
    before.current = values[at] ?? '';
    event.currentTarget.select();
  };
  return {
    tabStop: Math.min(focused, values.length - 1),
    editing,
    edit: setEditing,
    onFocus: (event, at) => {
      before.current = values[at] ?? '';
      setFocused(at);
      setEditing(undefined);
      event.currentTarget.select();
    },
    onKeyDown: (event, at) => {
      const isMod = event.ctrlKey || event.metaKey;
      if (event.altKey) return;
      if (event.key === 'Escape') return onEscape(event, at);
      if (event.key === 'F2' || (event.key === 'Enter' && !isMod && !event.shiftKey)) {
        return onEnter(event, at);
      }
      if (event.shiftKey || (editing === at && !LEAVES_TEXT.has(event.key))) return;
      const page = event.currentTarget.closest('[data-grid]');
      const pageRows = Math.max(1, Math.floor((page?.clientHeight ?? 0) / ROW_PX));
      const next = movedCell(event.key, isMod, at, { columns, count: values.length, pageRows });
      if (next === undefined) return;
      event.preventDefault();
      page?.querySelector<HTMLInputElement>(`[data-at="${next}"]`)?.focus();
    },
  };
}

/** Keys that move from cell to cell while a text is edited too: they mean nothing in one line. */
const LEAVES_TEXT: ReadonlySet<string> = new Set(['ArrowUp', 'ArrowDown', 'PageUp', 'PageDown']);
