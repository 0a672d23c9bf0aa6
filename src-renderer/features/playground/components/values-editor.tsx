// Typed values: a grid for small tensors, lines for texts, one field of numbers for what lies between. A paste of many
// values fills the grid from the focused cell on.

import type { ClipboardEvent, KeyboardEvent } from 'react';
import { useState } from 'react';

import { t } from '../../../texts/translate.ts';
import { cx } from '../../../ui/cx.ts';
import { TextArea } from '../../../ui/inputs.tsx';
import { elementCountOf } from '../../../tensors/tensor-slices.ts';
import type { InputDraft } from '../draft.ts';
import { emptyValue, withLines } from '../draft.ts';
import { isValueOf, splitValues } from '../draft-issues.ts';
import type { PlaygroundStore } from '../playground-store.ts';
import { editInput, patchInput } from '../playground-store.ts';

interface ValuesProps {
  readonly store: PlaygroundStore;
  readonly input: InputDraft;
}

const GRID_CELLS = 128;
const GRID_COLUMNS = 8;

export function ValuesEditor({ store, input, hasBatch }: ValuesProps & { readonly hasBatch: boolean }) {
  if (input.datatype === 'BYTES') return <Lines store={store} input={input} hasBatch={hasBatch} />;
  // By what it takes, not by what is there: a text that is cleared to be written anew stays a text.
  if (elementCountOf(input.shape) > GRID_CELLS) return <NumberText store={store} input={input} />;
  return <Grid store={store} input={input} />;
}

function Lines({ store, input, hasBatch }: ValuesProps & { readonly hasBatch: boolean }) {
  return (
    <TextArea
      value={input.values.join('\n')}
      rows={Math.min(10, Math.max(2, input.values.length + 1))}
      isMono
      aria-label={t('playground.linesOf', { name: input.name })}
      data-testid={`pg-lines-${input.name}`}
      onChange={(text) =>
        editInput(store, input.name, (current) => withLines(current, text.split('\n'), hasBatch))
      }
    />
  );
}

/** Keeps what is typed as it is; the draft gets the words in it. */
function NumberText({ store, input }: ValuesProps) {
  const [text, setText] = useState(() => input.values.join(', '));
  const isOurs = splitValues(text).join(' ') === input.values.join(' ');
  return (
    <TextArea
      value={isOurs ? text : input.values.join(', ')}
      rows={8}
      isMono
      aria-label={t('playground.valuesOf', { name: input.name })}
      data-testid={`pg-values-${input.name}`}
      onChange={(next) => {
        setText(next);
        patchInput(store, input.name, { values: splitValues(next) });
      }}
    />
  );
}

/** Columns of the grid: the last dimension when it is short enough. */
function columnsOf({ shape, values }: InputDraft): number {
  const last = shape.at(-1) ?? 1;
  if (last > 1 && last <= GRID_COLUMNS) return last;
  return Math.max(1, Math.min(GRID_COLUMNS, values.length));
}

function Grid({ store, input }: ValuesProps) {
  const { name, datatype, values } = input;
  const columns = columnsOf(input);
  const rest = (columns - (values.length % columns)) % columns;
  const setFrom = (at: number, texts: readonly string[]): void =>
    editInput(store, name, (current) => ({
      ...current,
      values: current.values.map((value, index) => texts[index - at] ?? value),
    }));
  const onPaste = (event: ClipboardEvent, at: number): void => {
    const words = splitValues(event.clipboardData.getData('text'));
    if (words.length < 2) return;
    event.preventDefault();
    setFrom(at, words);
  };
  const onKeyDown = (event: KeyboardEvent, at: number): void => {
    const step = event.key === 'ArrowDown' ? columns : event.key === 'ArrowUp' ? -columns : 0;
    if (step === 0) return;
    event.preventDefault();
    const next = event.currentTarget
      .closest('[data-grid]')
      ?.querySelector<HTMLInputElement>(`[data-at="${at + step}"]`);
    next?.focus();
    next?.select();
  };
  return (
    <div className="max-h-72 overflow-auto rounded border border-line" data-grid>
      <div
        role="group"
        aria-label={t('playground.valuesOf', { name })}
        className="grid gap-px bg-line"
        style={{ gridTemplateColumns: `repeat(${columns}, minmax(2.75rem, 1fr))` }}
      >
        {values.map((value, at) => (
          <input
            key={at}
            value={value}
            data-at={at}
            aria-label={t('playground.element', { name, index: at })}
            aria-invalid={!isValueOf(datatype, value)}
            data-testid={`pg-value-${name}-${at}`}
            spellCheck={false}
            autoComplete="off"
            placeholder={emptyValue(datatype)}
            onChange={(event) => setFrom(at, [event.target.value])}
            onPaste={(event) => onPaste(event, at)}
            onKeyDown={(event) => onKeyDown(event, at)}
            className={cx(
              'focus-inset h-6 w-full min-w-0 bg-surface px-1.5 text-right font-mono text-sm text-strong',
              'aria-invalid:bg-bad-soft aria-invalid:text-bad',
            )}
          />
        ))}
        {rest > 0 && <div className="bg-surface" style={{ gridColumn: `span ${rest}` }} />}
      </div>
    </div>
  );
}
