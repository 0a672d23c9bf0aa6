// A list of numbers as one line of text: "1, 2, 4". What cannot be read is marked and counts as no value.

import { useState } from 'react';

import { t } from '../../../texts/translate.ts';
import { Field } from '../../../ui/field.tsx';
import { TextInput } from '../../../ui/inputs.tsx';
import { parseNumbers } from '../plan-edit.ts';

/** Values below `min` cannot be read. `onChange` gets no value while the text cannot be read. */
export function NumberList({
  label,
  help,
  values,
  onChange,
  min = 1,
  isWhole = true,
  placeholder,
  testId,
}: {
  readonly label: string;
  readonly help?: string;
  readonly values: readonly number[];
  readonly onChange: (values: number[]) => void;
  readonly min?: number;
  readonly isWhole?: boolean;
  readonly placeholder?: string;
  readonly testId?: string;
}) {
  const [text, setText] = useState(() => values.join(', '));
  const parsed = parseNumbers(text, { min, isWhole });
  const shown = (parsed ?? []).join() === values.join() ? text : values.join(', ');
  return (
    <Field
      label={label}
      help={help}
      error={parsed === undefined && shown === text ? t('perf.problem.numbers', { min }) : undefined}
    >
      <TextInput
        value={shown}
        isMono
        placeholder={placeholder}
        data-testid={testId}
        onChange={(next) => {
          setText(next);
          onChange([...(parseNumbers(next, { min, isWhole }) ?? [])]);
        }}
      />
    </Field>
  );
}
