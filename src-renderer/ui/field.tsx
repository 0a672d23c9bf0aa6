// A labelled control with help and error text, tied together for screen readers.

import { Field as Base } from '@base-ui/react/field';
import type { ReactNode } from 'react';

import { cx } from './cx.ts';

/** A control with its name, help and fault, which readers hear together. */
export function Field({
  label,
  help,
  error,
  children,
  isInline = false,
  className,
}: {
  readonly label: ReactNode;
  readonly help?: ReactNode;
  readonly error?: string | undefined;
  /** A control of this room (TextInput, NumberInput, Select, Switch ...). */
  readonly children: ReactNode;
  /** Label left of the control instead of above. */
  readonly isInline?: boolean;
  readonly className?: string;
}) {
  return (
    <Base.Root
      invalid={error !== undefined}
      className={cx(isInline ? 'flex items-center justify-between gap-4' : 'flex flex-col gap-1', className)}
    >
      <div className={isInline ? 'min-w-0' : 'contents'}>
        <Base.Label className="text-sm font-medium text-soft">{label}</Base.Label>
        {isInline && help !== undefined && (
          <Base.Description className="text-sm text-faint">{help}</Base.Description>
        )}
      </div>
      {children}
      {!isInline && help !== undefined && (
        <Base.Description className="text-sm text-faint">{help}</Base.Description>
      )}
      {error !== undefined && (
        <Base.Error match className="text-sm text-bad">
          {error}
        </Base.Error>
      )}
    </Base.Root>
  );
}
