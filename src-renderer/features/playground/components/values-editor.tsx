// Typed values: a grid for small tensors, lines for texts, one field of numbers for what lies between.

import { useState } from 'react';

import { t } from '../../../texts/translate.ts';
import { TextArea } from '../../../ui/inputs.tsx';
import { elementCountOf } from '../../../tensors/tensor-slices.ts';
import type { InputDraft } from '../draft.ts';
import { withLines } from '../draft.ts';
import { splitValues } from '../draft-issues.ts';
import type { PlaygroundStore } from '../playground-store.ts';
import { editInput, patchInput } from '../playground-store.ts';
import { ValuesGrid } from './values-grid.tsx';

interface ValuesProps {
  readonly store: PlaygroundStore;
  readonly input: InputDraft;
}

const GRID_CELLS = 128;

/** Values are kept as typed. */
export function ValuesEditor({ store, input, hasBatch }: ValuesProps & { readonly hasBatch: boolean }) {
  if (input.datatype === 'BYTES') return <Lines store={store} input={input} hasBatch={hasBatch} />;
  // By what it takes, not by what is there: a text that is cleared to be written anew stays a text.
  if (elementCountOf(input.shape) > GRID_CELLS) return <NumberText store={store} input={input} />;
  return <ValuesGrid store={store} input={input} />;
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
