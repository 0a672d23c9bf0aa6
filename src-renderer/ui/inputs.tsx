// Text, number and multi-line inputs. They work alone (with aria-label) and inside a Field.

import { Input as BaseInput } from '@base-ui/react/input';
import { NumberField } from '@base-ui/react/number-field';
import { Minus, Plus } from 'lucide-react';
import type { InputHTMLAttributes, Ref } from 'react';

import { t } from '../texts/translate.ts';
import { cx } from './cx.ts';
import type { IconType } from './icon.tsx';
import { Icon } from './icon.tsx';

const FRAME =
  'h-7 min-w-0 rounded border border-line-strong/80 bg-surface px-2 text-strong placeholder:text-faint aria-invalid:border-bad data-[invalid]:border-bad disabled:opacity-55';

export interface TextInputProps extends Omit<
  InputHTMLAttributes<HTMLInputElement>,
  'onChange' | 'value' | 'defaultValue'
> {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly icon?: IconType | undefined;
  readonly isMono?: boolean;
  readonly ref?: Ref<HTMLInputElement>;
}

export function TextInput({ value, onChange, icon, isMono = false, className, ...rest }: TextInputProps) {
  const input = (
    <BaseInput
      value={value}
      onValueChange={onChange}
      spellCheck={false}
      autoComplete="off"
      className={cx(FRAME, 'w-full', icon !== undefined && 'pl-7', isMono && 'font-mono text-sm')}
      {...rest}
    />
  );
  return (
    <span className={cx('relative inline-flex', className)}>
      {icon !== undefined && (
        <Icon
          of={icon}
          size={14}
          className="pointer-events-none absolute top-1/2 left-2 -translate-y-1/2 text-faint"
        />
      )}
      {input}
    </span>
  );
}

export interface NumberInputProps {
  readonly value: number | undefined;
  readonly onChange: (value: number | undefined) => void;
  readonly min?: number;
  readonly max?: number;
  readonly step?: number;
  readonly isDisabled?: boolean;
  readonly 'aria-label'?: string;
  readonly 'data-testid'?: string;
  readonly className?: string;
}

export function NumberInput({
  value,
  onChange,
  min,
  max,
  step = 1,
  isDisabled = false,
  className,
  ...rest
}: NumberInputProps) {
  return (
    <NumberField.Root
      value={value ?? null}
      onValueChange={(next) => onChange(next ?? undefined)}
      min={min}
      max={max}
      step={step}
      disabled={isDisabled}
      format={{ useGrouping: false, maximumFractionDigits: 9 }}
    >
      <NumberField.Group
        className={cx('inline-flex h-7 w-28 rounded border border-line-strong/80 bg-surface', className)}
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

export interface TextAreaProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly rows?: number;
  readonly isMono?: boolean;
  readonly placeholder?: string;
  readonly 'aria-label'?: string;
  readonly 'data-testid'?: string;
}

export function TextArea({ value, onChange, rows = 4, isMono = false, ...rest }: TextAreaProps) {
  return (
    <textarea
      value={value}
      rows={rows}
      spellCheck={false}
      onChange={(event) => onChange(event.target.value)}
      className={cx(FRAME, 'h-auto w-full resize-y py-1', isMono && 'font-mono text-sm')}
      {...rest}
    />
  );
}
