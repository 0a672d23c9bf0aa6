// Which of the traced requests are listed.

import { useMemo } from 'react';

import { t } from '../../../texts/translate.ts';
import { NumberInput } from '../../../ui/number-input.tsx';
import { Select } from '../../../ui/select.tsx';
import { Checkbox } from '../../../ui/toggles.tsx';
import { changeFilter, useTraces } from '../trace-store.ts';
import type { TraceViewData } from '../use-trace-view.ts';

/** Models are those of the rows, not those that are loaded. */
export function TraceFilterBar({ view: { rows, listed } }: { readonly view: TraceViewData }) {
  const filter = useTraces((state) => state.filter);
  const models = useMemo(
    () => [...new Set(rows.map(({ model }) => model))].toSorted((a, b) => a.localeCompare(b, 'en')),
    [rows],
  );
  return (
    <div className="flex min-h-9 flex-wrap items-center gap-x-4 gap-y-1 px-3 pb-1.5">
      <Select
        aria-label={t('traces.filter.model')}
        data-testid="trace-filter-model"
        className="max-w-56"
        value={filter.model ?? ''}
        onChange={(model) => changeFilter({ model: model === '' ? undefined : model })}
        options={[
          { value: '', label: t('traces.filter.all') },
          ...models.map((model) => ({ value: model, label: model })),
        ]}
      />
      <Checkbox
        isOn={filter.errorsOnly}
        onChange={(errorsOnly) => changeFilter({ errorsOnly })}
        data-testid="trace-filter-errors"
      >
        {t('traces.filter.errors')}
      </Checkbox>
      <span className="flex items-center gap-2">
        <span className="text-soft" aria-hidden="true">
          {t('traces.filter.slower')}
        </span>
        <NumberInput
          aria-label={`${t('traces.filter.slower')}, ms`}
          data-testid="trace-filter-slower"
          className="w-28"
          min={0}
          value={filter.slowerThanMs}
          onChange={(slowerThanMs) => changeFilter({ slowerThanMs })}
        />
        <span className="text-soft">ms</span>
      </span>
      <span className="ml-auto text-sm text-faint" data-testid="trace-count">
        {t('traces.count', { count: listed.length })}
      </span>
    </div>
  );
}
