// From which score on something found is drawn: boxes, joints.

import { t } from '../texts/translate.ts';
import { Field } from '../ui/field.tsx';
import { NumberInput } from '../ui/number-input.tsx';

/** A share from 0 to 1; an emptied field is 0. */
export function ThresholdField({
  value,
  onChange,
}: {
  readonly value: number;
  readonly onChange: (next: number) => void;
}) {
  return (
    <Field label={t('tensor.boxes.threshold')} isInline>
      <NumberInput
        value={value}
        min={0}
        max={1}
        step={0.05}
        className="w-24"
        aria-label={t('tensor.boxes.threshold')}
        onChange={(next = 0) => onChange(next)}
      />
    </Field>
  );
}
