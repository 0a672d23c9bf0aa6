// A drop-down choice with our looks and the keyboard of a native one.

import { Select as Base } from '@base-ui/react/select';
import { Check, ChevronsUpDown } from 'lucide-react';

import { cx } from './cx.ts';
import { Icon } from './icon.tsx';

/** One entry of the list. */
export interface Option<T extends string> {
  readonly value: T;
  readonly label: string;
  readonly disabledReason?: string | undefined;
}

/** A choice out of a list. */
export function Select<T extends string>({
  options,
  value,
  onChange,
  isDisabled = false,
  className,
  ...rest
}: {
  readonly options: readonly Option<T>[];
  readonly value: T;
  readonly onChange: (value: T) => void;
  readonly isDisabled?: boolean;
  readonly className?: string;
  readonly 'aria-label'?: string;
  readonly 'data-testid'?: string;
}) {
  return (
    <Base.Root
      items={options.map((option) => ({ value: option.value, label: option.label }))}
      value={value}
      disabled={isDisabled}
      onValueChange={(next) => {
        if (next !== null) onChange(next);
      }}
    >
      <Base.Trigger
        className={cx(
          'inline-flex h-7 min-w-24 items-center justify-between gap-2 rounded border border-line-strong/80 bg-surface px-2 text-strong hover:bg-hover data-[disabled]:opacity-55',
          className,
        )}
        {...rest}
      >
        <Base.Value className="truncate" />
        <Base.Icon render={<span className="text-faint" />}>
          <Icon of={ChevronsUpDown} size={12} />
        </Base.Icon>
      </Base.Trigger>
      <Base.Portal>
        <Base.Positioner sideOffset={4} alignItemWithTrigger={false} className="z-50">
          <Base.Popup className="max-h-80 min-w-[var(--anchor-width)] overflow-auto rounded-md border border-line bg-surface py-1 shadow-float outline-none">
            {options.map((option) => (
              <Base.Item
                key={option.value}
                value={option.value}
                disabled={option.disabledReason !== undefined}
                className="focus-inset mx-1 grid min-h-7 grid-cols-[1rem_1fr] items-center gap-2 rounded px-2 data-[disabled]:text-faint data-[highlighted]:bg-hover"
              >
                <Base.ItemIndicator className="col-start-1">
                  <Icon of={Check} size={14} />
                </Base.ItemIndicator>
                <span className="col-start-2">
                  <Base.ItemText>{option.label}</Base.ItemText>
                  {option.disabledReason !== undefined && (
                    <span className="block text-sm">{option.disabledReason}</span>
                  )}
                </span>
              </Base.Item>
            ))}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
