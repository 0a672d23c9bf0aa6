// What seldom changes: id, priority, timeout, repeats, sequence fields for models without sequences, parameters.

import { ChevronDown, ChevronRight, Plus, X } from 'lucide-react';
import { useState } from 'react';

import { t } from '../../../texts/translate.ts';
import { Button } from '../../../ui/button.tsx';
import { Field } from '../../../ui/field.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { TextInput } from '../../../ui/inputs.tsx';
import { NumberInput } from '../../../ui/number-input.tsx';
import { Select } from '../../../ui/select.tsx';
import type { ParameterDraft, RequestDraft } from '../draft.ts';
import type { PlaygroundStore } from '../playground-store.ts';
import { patchDraft } from '../playground-store.ts';

interface OptionsProps {
  readonly store: PlaygroundStore;
  readonly draft: RequestDraft;
}

/** Closed at first, with what is set as one line. The timeout is microseconds. */
export function OptionsCard({ store, draft }: OptionsProps) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <section className="rounded-md border border-line bg-surface">
      <h3>
        <button
          type="button"
          aria-expanded={isOpen}
          data-testid="pg-options"
          onClick={() => setIsOpen(!isOpen)}
          className="focus-inset flex h-9 w-full items-center gap-2 rounded-md px-3 text-left font-semibold text-strong hover:bg-hover"
        >
          <Icon of={isOpen ? ChevronDown : ChevronRight} size={14} />
          {t('playground.options')}
          <span className="truncate font-normal text-faint">{summary(draft)}</span>
        </button>
      </h3>
      {isOpen && (
        <div className="flex flex-col gap-3 border-t border-line p-3">
          <div className="flex flex-wrap gap-3">
            <RequestFields store={store} draft={draft} />
          </div>
          <Parameters store={store} parameters={draft.parameters} />
        </div>
      )}
    </section>
  );
}

/** What differs from the defaults, in one line. */
function summary({ id, priority, timeoutUs, repeat, parameters }: RequestDraft): string {
  return [
    id === '' ? '' : `id ${id}`,
    priority === 0 ? '' : `priority ${priority}`,
    timeoutUs === 0 ? '' : `timeout ${timeoutUs} µs`,
    repeat.count <= 1 ? '' : t('playground.repeat.summary', repeat),
    parameters.length === 0 ? '' : t('playground.parameters.count', { count: parameters.length }),
  ]
    .filter((part) => part !== '')
    .join(', ');
}

function RequestFields({ store, draft }: OptionsProps) {
  const { repeat } = draft;
  return (
    <>
      <Field label={t('playground.id')}>
        <TextInput
          value={draft.id}
          isMono
          className="w-40"
          data-testid="pg-id"
          onChange={(id) => patchDraft(store, { id })}
        />
      </Field>
      <Field label={t('playground.priority')}>
        <NumberInput
          value={draft.priority}
          min={0}
          data-testid="pg-priority"
          onChange={(priority = 0) => patchDraft(store, { priority })}
        />
      </Field>
      <Field label={t('playground.timeout')}>
        <NumberInput
          value={draft.timeoutUs}
          min={0}
          step={1000}
          data-testid="pg-timeout"
          onChange={(timeoutUs = 0) => patchDraft(store, { timeoutUs })}
        />
      </Field>
      <Field label={t('playground.repeat')}>
        <NumberInput
          value={repeat.count}
          min={1}
          max={10_000}
          data-testid="pg-repeat"
          onChange={(count = 1) => patchDraft(store, { repeat: { ...repeat, count } })}
        />
      </Field>
      <Field label={t('playground.concurrency')}>
        <NumberInput
          value={repeat.concurrency}
          min={1}
          max={256}
          data-testid="pg-concurrency"
          onChange={(concurrency = 1) => patchDraft(store, { repeat: { ...repeat, concurrency } })}
        />
      </Field>
    </>
  );
}

function Parameters({
  store,
  parameters,
}: {
  readonly store: PlaygroundStore;
  readonly parameters: readonly ParameterDraft[];
}) {
  const set = (index: number, changes: Partial<ParameterDraft>): void =>
    patchDraft(store, {
      parameters: parameters.map((one, at) => (at === index ? { ...one, ...changes } : one)),
    });
  return (
    <div className="flex flex-col gap-2">
      <h4 className="text-sm font-medium text-soft">{t('playground.parameters')}</h4>
      {parameters.map(({ key, kind, value }, index) => (
        <div key={index} className="flex flex-wrap items-center gap-2">
          <TextInput
            value={key}
            isMono
            className="w-36"
            aria-label={t('playground.parameter.name')}
            onChange={(next) => set(index, { key: next })}
          />
          <Select
            aria-label={t('playground.parameter.type')}
            value={kind}
            options={[
              { value: 'text', label: t('playground.parameter.text') },
              { value: 'number', label: t('playground.parameter.number') },
              { value: 'boolean', label: t('playground.parameter.boolean') },
            ]}
            onChange={(next) => set(index, { kind: next, value: START_VALUES[next] })}
          />
          <ParameterValue kind={kind} value={value} onChange={(next) => set(index, { value: next })} />
          <IconButton
            label={t('playground.parameter.remove')}
            icon={X}
            onClick={() => patchDraft(store, { parameters: parameters.toSpliced(index, 1) })}
          />
        </div>
      ))}
      <Button
        size="sm"
        icon={Plus}
        className="self-start"
        data-testid="pg-parameter-add"
        onClick={() =>
          patchDraft(store, { parameters: [...parameters, { key: '', kind: 'text', value: '' }] })
        }
      >
        {t('playground.parameter.add')}
      </Button>
    </div>
  );
}

const START_VALUES: Readonly<Record<ParameterDraft['kind'], string>> = {
  text: '',
  number: '0',
  boolean: 'true',
};

function ParameterValue({
  kind,
  value,
  onChange,
}: Pick<ParameterDraft, 'kind' | 'value'> & { readonly onChange: (value: string) => void }) {
  const label = t('playground.parameter.value');
  if (kind === 'boolean') {
    return (
      <Select
        aria-label={label}
        value={value === 'true' ? 'true' : 'false'}
        options={[
          { value: 'true', label: 'true' },
          { value: 'false', label: 'false' },
        ]}
        onChange={onChange}
      />
    );
  }
  if (kind === 'number') {
    return (
      <NumberInput
        aria-label={label}
        value={Number(value)}
        onChange={(next) => onChange(String(next ?? 0))}
      />
    );
  }
  return <TextInput aria-label={label} value={value} isMono className="w-40" onChange={onChange} />;
}
