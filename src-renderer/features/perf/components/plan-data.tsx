// What is sent: made-up values, or data of the user. Variable dimensions get their sizes here.

import { useRef } from 'react';

import type { PerfDefaults } from '../../../../src-shared/contract/perf-calls.ts';
import type { PerfData, PerfPlan } from '../../../../src-shared/contract/perf-plan.ts';
import { formatShape } from '../../../lib/format.ts';
import { useCall } from '../../../engine/use-call.ts';
import { t } from '../../../texts/translate.ts';
import { Banner } from '../../../ui/banner.tsx';
import { Button } from '../../../ui/button.tsx';
import { Field } from '../../../ui/field.tsx';
import { TextArea, TextInput } from '../../../ui/inputs.tsx';
import { NumberInput } from '../../../ui/number-input.tsx';
import { Select } from '../../../ui/select.tsx';
import { isKept } from '../kept-plan.ts';
import { changePlan } from '../perf-store.ts';
import { CapturedChoice } from './captured-choice.tsx';
import { NumberList } from './number-list.tsx';
import { Section } from './section.tsx';

type Source = PerfData['source'];

const SOURCES: readonly Source['kind'][] = ['random', 'zero', 'saved', 'captured', 'json', 'path'];

/** Sizes are elements of each open dimension. */
export function DataSection({
  plan,
  defaults,
}: {
  readonly plan: PerfPlan;
  readonly defaults: PerfDefaults;
}) {
  const { data } = plan;
  const change = (changes: Partial<PerfData>): void => changePlan({ data: { ...data, ...changes } });
  // What was captured has its own shapes.
  const openShapes = data.source.kind === 'captured' ? [] : defaults.openShapes;
  const hasText = defaults.inputs.some(({ datatype }) => datatype === 'BYTES');
  return (
    <Section title={t('perf.data')}>
      <Field label={t('perf.data.source')} help={t(`perf.data.${data.source.kind}.help`)}>
        <Select
          data-testid="perf-data"
          value={data.source.kind}
          onChange={(kind) => change({ source: emptySource(kind) })}
          options={SOURCES.map((kind) => ({ value: kind, label: t(`perf.data.${kind}`) }))}
        />
      </Field>
      {data.source.kind === 'json' && (
        <JsonText text={data.source.text} onChange={(text) => change({ source: { kind: 'json', text } })} />
      )}
      {data.source.kind === 'json' && !isKept(plan) && (
        <Banner tone="warn" testId="perf-data-not-kept">
          {t('perf.data.notKept')}
        </Banner>
      )}
      {data.source.kind === 'saved' && (
        <SavedChoice
          model={plan.model}
          request={data.source.request}
          onChange={(source) => change({ source })}
        />
      )}
      {data.source.kind === 'captured' && (
        <CapturedChoice
          model={plan.model}
          order={data.source.order}
          isScheduled={plan.load.kind === 'schedule'}
          onChange={(order) => change({ source: { kind: 'captured', order } })}
        />
      )}
      {data.source.kind === 'path' && (
        <Field label={t('perf.data.pathLabel')}>
          <TextInput
            value={data.source.path}
            isMono
            onChange={(path) => change({ source: { kind: 'path', path } })}
          />
        </Field>
      )}
      {openShapes.map((name) => (
        <NumberList
          key={name}
          label={t('perf.data.shape', { input: name })}
          help={t('perf.data.shapeHelp', {
            shape: formatShape(defaults.inputs.find((input) => input.name === name)?.shape ?? []),
          })}
          values={data.shapes[name] ?? []}
          testId={`perf-shape-${name}`}
          onChange={(shape) => change({ shapes: { ...data.shapes, [name]: shape } })}
        />
      ))}
      {hasText && (data.source.kind === 'random' || data.source.kind === 'zero') && (
        <div className="flex flex-wrap gap-3">
          <Field label={t('perf.data.stringData')}>
            <TextInput value={data.stringData} onChange={(stringData) => change({ stringData })} />
          </Field>
          <Field label={t('perf.data.stringLength')}>
            <NumberInput
              value={data.stringLength}
              min={1}
              onChange={(value) => change({ stringLength: value ?? 1 })}
            />
          </Field>
        </div>
      )}
    </Section>
  );
}

function emptySource(kind: Source['kind']): Source {
  switch (kind) {
    case 'json':
      return { kind, text: '' };
    case 'path':
      return { kind, path: '' };
    case 'saved':
      return { kind, request: '', name: '' };
    case 'captured':
      return { kind, order: 'in-order' };
    case 'random':
    case 'zero':
      return { kind };
  }
}

/** Requests saved in the playground for this model. */
function SavedChoice({
  model,
  request,
  onChange,
}: {
  readonly model: string;
  readonly request: string;
  readonly onChange: (source: Extract<Source, { kind: 'saved' }>) => void;
}) {
  const { data = [], error, isLoading } = useCall('playground/savedList', { model });
  if (error !== undefined) return <Banner tone="bad">{error}</Banner>;
  if (data.length === 0 && !isLoading) {
    return (
      <p className="text-soft" data-testid="perf-saved-none">
        {t('perf.data.savedNone')}
      </p>
    );
  }
  return (
    <Field label={t('perf.data.savedLabel')}>
      <Select
        data-testid="perf-saved"
        value={request}
        onChange={(id) =>
          onChange({ kind: 'saved', request: id, name: data.find((one) => one.id === id)?.name ?? '' })
        }
        options={[
          ...(request === '' ? [{ value: '', label: t('perf.data.savedChoose') }] : []),
          ...data.map(({ id, name }) => ({ value: id, label: name })),
        ]}
      />
    </Field>
  );
}

function JsonText({ text, onChange }: { readonly text: string; readonly onChange: (text: string) => void }) {
  const picker = useRef<HTMLInputElement>(null);
  return (
    <>
      <TextArea
        value={text}
        onChange={onChange}
        rows={5}
        isMono
        placeholder={'{"data": [{"INPUT0": [1, 2, 3]}]}'}
        aria-label={t('perf.data.json')}
        data-testid="perf-json"
      />
      <div>
        <Button size="sm" onClick={() => picker.current?.click()}>
          {t('perf.data.openFile')}
        </Button>
        <input
          ref={picker}
          type="file"
          accept=".json,application/json"
          hidden
          onChange={(event) => {
            void event.target.files?.[0]?.text().then(onChange);
            event.target.value = '';
          }}
        />
      </div>
    </>
  );
}
