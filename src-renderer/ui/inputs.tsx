// Text and multi-line inputs. They work alone (with aria-label) and inside a Field.

import { Input as BaseInput } from '@base-ui/react/input';
import type { InputHTMLAttributes, Ref } from 'react';

import { cx } from './cx.ts';
import type { IconType } from './icon.tsx';
import { Icon } from './icon.tsx';

const FRAME =
  'h-7 min-w-0 rounded border border-line-strong/80 bg-surface px-2 text-strong placeholder:text-faint aria-invalid:border-bad data-[invalid]:border-bad disabled:opacity-55';

/** Those of an input of HTML, with the text alone told. */
export interface TextInputProps extends Omit<
  InputHTMLAttributes<HTMLInputElement>,
  'onChange' | 'value' | 'defaultValue'
> {
  readonly value: string;
  /** The whole text, at every key. */
  readonly onChange: (value: string) => void;
  readonly icon?: IconType | undefined;
  readonly isMono?: boolean;
  readonly ref?: Ref<HTMLInputElement>;
}

/** One line of text. */
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

/** What the area holds, and who hears of changes. */
export interface TextAreaProps {
  readonly value: string;
  /** The whole text, at every key. */
  readonly onChange: (value: string) => void;
  readonly rows?: number;
  readonly isMono?: boolean;
  readonly placeholder?: string;
  readonly 'aria-label'?: string;
  readonly 'data-testid'?: string;
}

/** Several lines of text. */
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
