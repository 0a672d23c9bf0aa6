// A drop-down choice out of many: what is typed leaves what fits, and no more lines are drawn than one looks through.

import { Combobox as Base } from '@base-ui/react/combobox';
import { Check, ChevronsUpDown } from 'lucide-react';
import { useMemo, useState } from 'react';

import { t } from '../texts/translate.ts';
import { cx } from './cx.ts';
import { Icon } from './icon.tsx';
import type { SelectProps } from './select-look.ts';
import { OPTION_LOOK, TRIGGER_LOOK } from './select-look.ts';

/** Drawing three hundred lines holds the page up for half a second. */
const MOST_DRAWN = 60;

/** As Select, with a field to find in. */
export function LongSelect({
  options,
  value,
  onChange,
  isDisabled = false,
  className,
  ...rest
}: SelectProps<string>) {
  const [query, setQuery] = useState('');
  const byValue = useMemo(() => new Map(options.map((option) => [option.value, option])), [options]);
  const values = useMemo(() => options.map((option) => option.value), [options]);
  const labelOf = (of: string): string => byValue.get(of)?.label ?? of;
  return (
    <Base.Root
      items={values}
      itemToStringLabel={labelOf}
      value={value}
      disabled={isDisabled}
      limit={MOST_DRAWN}
      autoHighlight
      onInputValueChange={setQuery}
      onValueChange={(next) => {
        if (next !== null) onChange(next);
      }}
    >
      <Base.Trigger className={cx(TRIGGER_LOOK, className)} {...rest}>
        <span className="truncate">
          <Base.Value>{(shown: string | null) => (shown === null ? '' : labelOf(shown))}</Base.Value>
        </span>
        <Icon of={ChevronsUpDown} size={12} className="text-faint" />
      </Base.Trigger>
      <Base.Portal>
        <Base.Positioner sideOffset={4} className="z-50">
          <Base.Popup
            aria-label={rest['aria-label'] ?? t('select.find', { count: options.length })}
            className="flex max-h-80 min-w-[var(--anchor-width)] flex-col rounded-md border border-line bg-surface shadow-float outline-none"
          >
            <Base.Input
              placeholder={t('select.find', { count: options.length })}
              aria-label={t('select.find', { count: options.length })}
              className="m-1 h-7 rounded border border-line-strong/80 bg-surface px-2 text-strong placeholder:text-faint"
            />
            <Base.Empty>
              <p className="px-3 py-1.5 text-sm text-soft empty:hidden">{t('select.none')}</p>
            </Base.Empty>
            <Base.List className="min-h-0 flex-1 overflow-auto py-1 empty:p-0">
              {(each: string) => (
                <Base.Item
                  key={each}
                  value={each}
                  disabled={byValue.get(each)?.disabledReason !== undefined}
                  className={OPTION_LOOK}
                >
                  <Base.ItemIndicator className="col-start-1">
                    <Icon of={Check} size={14} />
                  </Base.ItemIndicator>
                  <span className="col-start-2">
                    {labelOf(each)}
                    {byValue.get(each)?.disabledReason !== undefined && (
                      <span className="block text-sm">{byValue.get(each)?.disabledReason}</span>
                    )}
                  </span>
                </Base.Item>
              )}
            </Base.List>
            {query === '' && options.length > MOST_DRAWN && (
              <p className="border-t border-line px-3 py-1.5 text-sm text-faint">
                {t('select.more', { shown: MOST_DRAWN, count: options.length })}
              </p>
            )}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
