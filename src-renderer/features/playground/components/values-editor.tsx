// Typed values: a grid for small tensors, fields for texts, one field of numbers for what lies between.

import { useState } from 'react';

import { t } from '../../../texts/translate.ts';
import { TextArea } from '../../../ui/inputs.tsx';
import { elementCountOf } from '../../../tensors/tensor-slices.ts';
import type { InputDraft } from '../draft.ts';
import { splitValues } from '../draft-issues.ts';
import type { PlaygroundStore } from '../playground-store.ts';
import { patchInput } from '../playground-store.ts';
import { TextsEditor } from './texts-editor.tsx';
import { ValuesGrid } from './values-grid.tsx';

interface ValuesProps {
  readonly store: PlaygroundStore;
  readonly input: InputDraft;
}

const GRID_CELLS = 128;

/** Values are kept as typed. */
export function ValuesEditor({ store, input, hasBatch }: ValuesProps & { readonly hasBatch: boolean }) {
  if (elementCountOf(input.shape) === 0) {
    return (
      <p className="text-sm text-soft" data-testid={`pg-nothing-${input.name}`}>
        {t('playground.noElements')}
      </p>
    );
  }
  if (input.datatype === 'BYTES') return <TextsEditor store={store} input={input} hasBatch={hasBatch} />;
  // By what it takes, not by what is there: a text that is cleared to be written anew stays a text.
  if (elementCountOf(input.shape) > GRID_CELLS) return <NumberText store={store} input={input} />;
  return <ValuesGrid store={store} input={input} />;
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
