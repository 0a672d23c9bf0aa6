// Texts of a BYTES input. One a line is quick to type; a field for each keeps the line breaks that belong to a text, as
// prompts and documents have them. An input that takes a single text is always a field of its own.

import { useState } from 'react';

import { t } from '../../../texts/translate.ts';
import { Button } from '../../../ui/button.tsx';
import { TextArea } from '../../../ui/inputs.tsx';
import type { InputDraft } from '../draft.ts';
import { takesOneText, withLines } from '../draft.ts';
import type { PlaygroundStore } from '../playground-store.ts';
import { editInput } from '../playground-store.ts';

/** Fields at a time; more texts than these are typed as lines. */
const MAX_FIELDS = 32;
const MAX_ROWS = 10;

interface TextsProps {
  readonly store: PlaygroundStore;
  readonly input: InputDraft;
  /** The first dimension is the batch. */
  readonly hasBatch: boolean;
}

/** Values that have line breaks get fields, wherever they came from: as lines they would fall apart at the next key. */
export function TextsEditor({ store, input, hasBatch }: TextsProps) {
  const [isByField, setIsByField] = useState(false);
  const { values } = input;
  if (takesOneText(input, hasBatch) && values.length <= 1) {
    return <TextField store={store} input={input} at={0} />;
  }
  const isBroken = values.some((value) => value.includes('\n'));
  if (isBroken || (isByField && values.length <= MAX_FIELDS)) {
    return (
      <div className="flex flex-col gap-2">
        {values.slice(0, MAX_FIELDS).map((_value, at) => (
          <TextField key={at} store={store} input={input} at={at} />
        ))}
        <Hint
          text={
            values.length > MAX_FIELDS
              ? t('playground.texts.fieldsShown', { shown: MAX_FIELDS, count: values.length })
              : t('playground.texts.fields')
          }
          change={t('playground.texts.toLines')}
          testId={`pg-texts-lines-${input.name}`}
          disabledReason={isBroken ? t('playground.texts.broken') : undefined}
          onChange={() => setIsByField(false)}
        />
      </div>
    );
  }
  return (
    <div className="flex flex-col gap-2">
      <TextArea
        value={values.join('\n')}
        rows={Math.min(MAX_ROWS, Math.max(2, values.length + 1))}
        isMono
        aria-label={t('playground.linesOf', { name: input.name })}
        data-testid={`pg-lines-${input.name}`}
        onChange={(text) =>
          editInput(store, input.name, (current) => withLines(current, text.split('\n'), hasBatch))
        }
      />
      <Hint
        text={t('playground.texts.lines')}
        change={t('playground.texts.toFields')}
        testId={`pg-texts-fields-${input.name}`}
        disabledReason={
          values.length > MAX_FIELDS ? t('playground.texts.tooMany', { max: MAX_FIELDS }) : undefined
        }
        onChange={() => setIsByField(true)}
      />
    </div>
  );
}

interface TextFieldProps extends Omit<TextsProps, 'hasBatch'> {
  readonly at: number;
}

function TextField({ store, input, at }: TextFieldProps) {
  const value = input.values[at] ?? '';
  return (
    <TextArea
      value={value}
      rows={Math.min(MAX_ROWS, Math.max(2, value.split('\n').length))}
      isMono
      aria-label={t('playground.texts.one', { index: at, name: input.name })}
      data-testid={input.values.length > 1 ? `pg-text-${input.name}-${at}` : `pg-lines-${input.name}`}
      onChange={(text) =>
        editInput(store, input.name, (current) => ({
          ...current,
          values: current.values.length === 0 ? [text] : current.values.with(at, text),
        }))
      }
    />
  );
}

interface HintProps {
  readonly text: string;
  readonly change: string;
  readonly testId: string;
  readonly disabledReason: string | undefined;
  readonly onChange: () => void;
}

function Hint({ text, change, testId, disabledReason, onChange }: HintProps) {
  return (
    <p className="flex flex-wrap items-center gap-2 text-sm text-faint">
      {text}
      <Button size="sm" worksOffline data-testid={testId} disabledReason={disabledReason} onClick={onChange}>
        {change}
      </Button>
    </p>
  );
}
