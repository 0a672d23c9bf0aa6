// The shape of one input: free dimensions are number fields, fixed ones are text. With the pencil the whole shape
// becomes a field, so that a wrong one can be sent on purpose.

import { Pencil, Undo2 } from 'lucide-react';
import { Fragment, useState } from 'react';

import { formatShape } from '../../../lib/format.ts';
import { t } from '../../../texts/translate.ts';
import { IconButton } from '../../../ui/icon-button.tsx';
import { TextInput } from '../../../ui/inputs.tsx';
import { NumberInput } from '../../../ui/number-input.tsx';
import type { InputDraft } from '../draft.ts';
import { withShape } from '../draft.ts';
import { parseShape } from '../draft-issues.ts';
import type { PlaygroundStore } from '../playground-store.ts';
import { editDraft, editInput } from '../playground-store.ts';
import { withSize } from '../token-inputs.ts';

interface ShapeRowProps {
  readonly store: PlaygroundStore;
  readonly input: InputDraft;
  readonly hasBatch: boolean;
}

/** `hasBatch` = the first dimension is the batch, whose size all inputs share. */
export function ShapeRow({ store, input, hasBatch }: ShapeRowProps) {
  const { name, template, shape } = input;
  const [isFree, setIsFree] = useState(false);
  const isUnusual =
    shape.length !== template.length || shape.some((dim, at) => template[at] !== -1 && dim !== template[at]);
  if (isFree || isUnusual || input.badShape !== undefined) {
    return (
      <span className="flex items-center gap-1">
        <ShapeField store={store} input={input} />
        <IconButton
          label={t('playground.shape.reset', { shape: formatShape(template) })}
          icon={Undo2}
          data-testid={`pg-shape-reset-${name}`}
          onClick={() => {
            setIsFree(false);
            editInput(store, name, (current) => withShape(current, usual(current)));
          }}
        />
      </span>
    );
  }
  const setDim = (at: number, size: number | undefined): void =>
    editDraft(store, (draft) => withSize(draft, name, { at, size: size ?? 1 }));
  return (
    <span className="flex items-center gap-1 font-mono text-sm text-soft" data-testid={`pg-dims-${name}`}>
      {'['}
      {shape.map((dim, at) => (
        <Fragment key={at}>
          {at > 0 && <span>,</span>}
          {template[at] === -1 && !(hasBatch && at === 0) ? (
            <NumberInput
              value={dim}
              min={0}
              aria-label={t('playground.dimension', { index: at, name })}
              data-testid={`pg-dim-${name}-${at}`}
              className={widthOf(dim)}
              onChange={(size) => setDim(at, size)}
            />
          ) : (
            <span>{dim}</span>
          )}
        </Fragment>
      ))}
      {']'}
      <IconButton
        label={t('playground.shape.edit', { name })}
        icon={Pencil}
        data-testid={`pg-shape-edit-${name}`}
        onClick={() => setIsFree(true)}
      />
    </span>
  );
}

/** Wide enough for the number, beside its two buttons. */
function widthOf(dim: number): string {
  const digits = String(dim).length;
  if (digits <= 3) return 'w-24';
  return digits <= 6 ? 'w-32' : 'w-40';
}

/** The shape the model takes, with free sizes as they are. */
function usual({ template, shape }: InputDraft): readonly number[] {
  const fits = shape.length === template.length;
  return template.map((dim, at) => (dim === -1 ? (fits ? (shape[at] ?? 1) : 1) : dim));
}

function ShapeField({ store, input }: { readonly store: PlaygroundStore; readonly input: InputDraft }) {
  const [text, setText] = useState(input.badShape ?? input.shape.join(', '));
  const parsed = parseShape(text);
  // A shape that changed elsewhere (the batch size) replaces what was typed.
  const isOurs =
    parsed === undefined ? input.badShape === text : formatShape(parsed) === formatShape(input.shape);
  return (
    <TextInput
      value={isOurs ? text : input.shape.join(', ')}
      isMono
      aria-label={t('playground.shape.of', { name: input.name })}
      aria-invalid={input.badShape !== undefined}
      data-testid={`pg-shape-${input.name}`}
      className="w-32"
      onChange={(next) => {
        setText(next);
        const shape = parseShape(next);
        editInput(store, input.name, (current) =>
          shape === undefined ? { ...current, badShape: next } : withShape(current, shape),
        );
      }}
    />
  );
}
