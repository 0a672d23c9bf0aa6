// Checkbox for what is on or off in a form or a list; Segmented for two to five choices that should all be visible. What
// takes effect at once is a Switch.

import { Checkbox as BaseCheckbox } from '@base-ui/react/checkbox';
import { Radio } from '@base-ui/react/radio';
import { RadioGroup } from '@base-ui/react/radio-group';
import { Check, Minus } from 'lucide-react';
import type { ReactNode } from 'react';
import { useId } from 'react';

import { cx } from './cx.ts';
import { Icon } from './icon.tsx';
import type { ToggleProps } from './switch.tsx';

/** On, off, or mixed for what stands for several. */
export function Checkbox({
  isOn,
  onChange,
  isDisabled = false,
  isMixed = false,
  children,
  ...rest
}: ToggleProps & { readonly isMixed?: boolean; readonly children?: ReactNode }) {
  const box = (
    <BaseCheckbox.Root
      checked={isOn}
      indeterminate={isMixed}
      onCheckedChange={(next) => onChange(next)}
      disabled={isDisabled}
      className="inline-flex size-4 shrink-0 items-center justify-center rounded-[3px] border border-line-strong bg-surface data-[checked]:border-accent data-[checked]:bg-accent data-[indeterminate]:border-accent data-[indeterminate]:bg-accent data-[disabled]:opacity-50"
      {...rest}
    >
      <BaseCheckbox.Indicator className="text-on-accent">
        <Icon of={isMixed ? Minus : Check} size={12} />
      </BaseCheckbox.Indicator>
    </BaseCheckbox.Root>
  );
  if (children === undefined) return box;
  return (
    <label className="inline-flex min-h-6 items-center gap-2">
      {box}
      <span>{children}</span>
    </label>
  );
}

/** Two to five choices side by side, as radio buttons. */
export function Segmented<T extends string>({
  options,
  value,
  onChange,
  label,
  testId,
}: {
  readonly options: readonly {
    readonly value: T;
    readonly label: ReactNode;
    readonly disabledReason?: string | undefined;
  }[];
  readonly value: T;
  readonly onChange: (value: T) => void;
  readonly label: string;
  readonly testId?: string;
}) {
  const id = useId();
  return (
    <RadioGroup
      aria-label={label}
      data-testid={testId}
      value={value}
      onValueChange={(next) => onChange(next as T)}
      className="inline-flex h-7 w-fit rounded border border-line-strong/80 bg-surface p-px"
    >
      {options.map((option) => (
        <Radio.Root
          key={option.value}
          value={option.value}
          disabled={option.disabledReason !== undefined}
          title={option.disabledReason}
          // Inside a Field each choice would have the name of the field.
          aria-labelledby={`${id}${option.value}`}
          className={cx(
            'inline-flex items-center rounded-[3px] px-2 whitespace-nowrap text-soft hover:text-strong data-[checked]:bg-selected data-[checked]:font-medium data-[checked]:text-strong',
            option.disabledReason !== undefined && 'opacity-50',
          )}
        >
          <span id={`${id}${option.value}`}>{option.label}</span>
        </Radio.Root>
      ))}
    </RadioGroup>
  );
}
