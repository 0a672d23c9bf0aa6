// A number with buttons for one step up and down. Works alone (with aria-label) and inside a Field. A file of its own,
// because the frame has none and the first script does without it.

import { NumberField } from '@base-ui/react/number-field';
import { Minus, Plus } from 'lucide-react';

import { t } from '../texts/translate.ts';
import { cx } from './cx.ts';
import { Icon } from './icon.tsx';

/** The number and its limits; undefined = the field is empty. */
export interface NumberInputProps {
  readonly value: number | undefined;
  /** At every change, typed or stepped; undefined = the field was emptied. */
  readonly onChange: (value: number | undefined) => void;
  /** The button for one step was let go of, at this value; typing does not come here. */
  readonly onStepped?: (value: number) => void;
  readonly min?: number;
  readonly max?: number;
  readonly step?: number;
  readonly isDisabled?: boolean;
  readonly 'aria-label'?: string;
  readonly 'data-testid'?: string;
  /** With its width, where another than the usual one is wanted. */
  readonly className?: string;
}

/** A field for a number. */
export function NumberInput({
  value,
  onChange,
  onStepped,
  min,
  max,
  step = 1,
  isDisabled = false,
  className = 'w-28',
  ...rest
}: NumberInputProps) {
  return (
    <NumberField.Root
      value={value ?? null}
      onValueChange={(next) => onChange(next ?? undefined)}
      onValueCommitted={(next, { reason }) => {
        if (next !== null && (reason === 'increment-press' || reason === 'decrement-press'))
          onStepped?.(next);
      }}
      min={min}
      max={max}
      step={step}
      disabled={isDisabled}
      format={{ useGrouping: false, maximumFractionDigits: 9 }}
    >
      <NumberField.Group
        className={cx('inline-flex h-7 rounded border border-line-strong/80 bg-surface', className)}
      >
        <NumberField.Input
          className="focus-inset min-w-0 flex-1 rounded-l bg-transparent px-2 text-strong disabled:opacity-55"
          {...rest}
        />
        <NumberField.Decrement
          aria-label={t('common.decrease')}
          className="flex w-6 items-center justify-center border-l border-line text-soft hover:bg-hover disabled:opacity-40"
        >
          <Icon of={Minus} size={12} />
        </NumberField.Decrement>
        <NumberField.Increment
          aria-label={t('common.increase')}
          className="flex w-6 items-center justify-center rounded-r border-l border-line text-soft hover:bg-hover disabled:opacity-40"
        >
          <Icon of={Plus} size={12} />
        </NumberField.Increment>
      </NumberField.Group>
    </NumberField.Root>
  );
}
