// A drop-down choice with our looks and the keyboard of a native one.

import { Select as Base } from '@base-ui/react/select';
import { Check, ChevronsUpDown } from 'lucide-react';
import { Suspense } from 'react';

import { lazyView } from '../lib/lazy-view.ts';
import { cx } from './cx.ts';
import { Icon } from './icon.tsx';
import type { SelectProps } from './select-look.ts';
import { OPTION_LOOK, TRIGGER_LOOK } from './select-look.ts';

/** From so many on one types to find: fewer can be looked through. */
const LONG = 40;

const LongSelect = lazyView(async () => (await import('./long-select.tsx')).LongSelect);

/** A choice out of a list, with a field to find in where the list is long. */
export function Select<T extends string>(props: SelectProps<T>) {
  if (props.options.length < LONG) return <ShortSelect {...props} />;
  const { onChange, ...rest } = props;
  return (
    // Closed it looks the same, so nothing moves when it comes.
    <Suspense
      fallback={
        <ShortSelect {...props} options={props.options.filter(({ value }) => value === props.value)} />
      }
    >
      <LongSelect {...rest} onChange={(next) => onChange(next as T)} />
    </Suspense>
  );
}

function ShortSelect<T extends string>({
  options,
  value,
  onChange,
  isDisabled = false,
  className,
  ...rest
}: SelectProps<T>) {
  return (
    <Base.Root
      items={options.map((option) => ({ value: option.value, label: option.label }))}
      value={value}
      disabled={isDisabled}
      onValueChange={(next) => {
        if (next !== null) onChange(next);
      }}
    >
      <Base.Trigger className={cx(TRIGGER_LOOK, className)} {...rest}>
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
                className={OPTION_LOOK}
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
