// The few settings most people change, as a form over the same text. Each change is made in the text at once; whatever
// else is written there stays untouched.

import { useMemo, useState } from 'react';
import type { ReactNode } from 'react';

import { POLICY_KINDS } from '../../../lib/version-policy.ts';
import { t } from '../../../texts/translate.ts';
import type { PlainKey } from '../../../texts/translate.ts';
import { Banner } from '../../../ui/banner.tsx';
import { Card } from '../../../ui/card.tsx';
import { Field } from '../../../ui/field.tsx';
import { TextInput } from '../../../ui/inputs.tsx';
import { NumberInput } from '../../../ui/number-input.tsx';
import { Select } from '../../../ui/select.tsx';
import { Switch } from '../../../ui/switch.tsx';
import { changeDraft } from '../../../config/drafts/config-drafts.ts';
import type { FormChange, FormValues } from '../form-model.ts';
import { changeForm, readForm } from '../form-model.ts';
import { useDraftText } from '../../../config/drafts/use-draft.ts';
import { useSettled } from '../use-settled.ts';
import type { PaneProps } from './effective-pane.tsx';

interface SectionProps {
  readonly values: FormValues;
  readonly isLocked: boolean;
  readonly onChange: (change: FormChange) => void;
}

const PAUSE_MS = 120;

/** Waits with a sentence while the text cannot be read. */
export function FormPane({ model, document, draft, facts }: PaneProps) {
  const now = useDraftText(document);
  const settled = useSettled(now, PAUSE_MS);
  const [written, setWritten] = useState<string>();
  // What the form itself wrote it shows at once: its fields would take a next change for none.
  const text = written === now ? now : settled;
  const values = useMemo(() => readForm(text), [text]);
  const isLocked = draft.disk.readOnlyReason !== undefined;
  const onChange = (change: FormChange): void =>
    changeDraft(document, (current) => {
      const next = changeForm(current.text, change);
      setWritten(next);
      return { ...current, text: next };
    });
  const section = { values, isLocked, onChange };
  if (values.error !== undefined) {
    return (
      <div className="p-3" data-testid="config-form">
        <Banner tone="warn">{t('config.form.waits', { error: values.error })}</Banner>
      </div>
    );
  }
  return (
    <div className="flex min-h-0 flex-1 flex-col gap-3 overflow-auto bg-canvas p-3" data-testid="config-form">
      <BatchingSection {...section} />
      <VersionSection {...section} available={model.versions.map(({ version }) => Number(version))} />
      {values.isEnsemble ? (
        <p className="px-1 text-sm text-soft">{t('config.form.ensemble')}</p>
      ) : (
        <>
          <InstanceSection {...section} />
          <RuntimeSection {...section} cores={facts?.physicalCores ?? 0} />
        </>
      )}
    </div>
  );
}

function BatchingSection({ values, isLocked, onChange }: SectionProps) {
  const canBatch = !values.isSequence && !values.isEnsemble;
  return (
    <Card title={t('config.form.batching')}>
      <Rows>
        <NumberRow
          label="config.form.maxBatch"
          help={t('config.form.maxBatchHelp')}
          testId="form-max-batch"
          value={values.maxBatchSize}
          isLocked={isLocked}
          onValue={(value) => onChange({ field: 'maxBatchSize', value })}
        />
        {values.isSequence && <p className="text-sm text-soft">{t('config.form.sequence')}</p>}
        {canBatch && (
          <Field label={t('config.form.dynamic')} help={t('config.form.dynamicHelp')} isInline>
            <Switch
              aria-label={t('config.form.dynamic')}
              data-testid="form-dynamic"
              isOn={values.isBatching}
              isDisabled={isLocked}
              onChange={(value) => onChange({ field: 'batching', value })}
            />
          </Field>
        )}
        {canBatch && values.isBatching && (
          <>
            <NumberRow
              label="config.form.delay"
              help={t('config.form.delayHelp')}
              testId="form-delay"
              value={values.queueDelayUs}
              step={50}
              isLocked={isLocked}
              onValue={(value) => onChange({ field: 'queueDelayUs', value })}
            />
            <NumbersRow
              label="config.form.preferred"
              help={t('config.form.preferredHelp')}
              testId="form-preferred"
              value={values.preferredBatchSizes}
              isLocked={isLocked}
              onValue={(value) => onChange({ field: 'preferredBatchSizes', value })}
            />
          </>
        )}
      </Rows>
    </Card>
  );
}

function InstanceSection({ values, isLocked, onChange }: SectionProps) {
  return (
    <Card title={t('config.form.instances')}>
      {values.hasManyGroups ? (
        <p className="text-soft">{t('config.form.manyGroups')}</p>
      ) : (
        <Rows>
          <NumberRow
            label="config.form.count"
            help={t('config.form.countHelp')}
            testId="form-instances"
            value={values.instanceCount}
            min={1}
            isLocked={isLocked}
            onValue={(value) => onChange({ field: 'instanceCount', value })}
          />
          <Field label={t('config.form.kind')} isInline>
            <Select
              aria-label={t('config.form.kind')}
              data-testid="form-kind"
              value={values.instanceKind}
              isDisabled={isLocked}
              onChange={(value) => onChange({ field: 'instanceKind', value })}
              options={(['KIND_AUTO', 'KIND_CPU', 'KIND_GPU', 'KIND_MODEL'] as const).map((kind) => ({
                value: kind,
                label: kind,
              }))}
            />
          </Field>
        </Rows>
      )}
    </Card>
  );
}

function VersionSection({
  values,
  isLocked,
  onChange,
  available,
}: SectionProps & { readonly available: readonly number[] }) {
  return (
    <Card title={t('config.form.versions')}>
      <Rows>
        <Field label={t('config.form.policy')} isInline>
          <Select
            aria-label={t('config.form.policy')}
            data-testid="form-policy"
            value={values.versionPolicy}
            isDisabled={isLocked}
            onChange={(value) => onChange({ field: 'versionPolicy', value, available })}
            options={POLICY_KINDS.map((policy) => ({
              value: policy,
              label: t(`config.form.policy.${policy}`),
            }))}
          />
        </Field>
        {values.versionPolicy === 'latest' && (
          <NumberRow
            label="config.form.latest"
            testId="form-latest"
            value={values.latestCount}
            min={1}
            isLocked={isLocked}
            onValue={(value) => onChange({ field: 'latestCount', value })}
          />
        )}
        {values.versionPolicy === 'specific' && (
          <NumbersRow
            label="config.form.specific"
            testId="form-versions"
            value={values.versions}
            isLocked={isLocked}
            onValue={(value) => onChange({ field: 'versions', value })}
          />
        )}
      </Rows>
    </Card>
  );
}

function RuntimeSection({ values, isLocked, onChange, cores }: SectionProps & { readonly cores: number }) {
  const instances = values.instanceCount ?? 1;
  const threads = values.intraOpThreads ?? 0;
  return (
    <Card title={t('config.form.runtime')}>
      <Rows>
        <NumberRow
          label="config.form.intra"
          help={
            threads > 0 && cores > 0
              ? t('config.form.threadBudget', { instances, threads, cores })
              : t('config.form.threadsHelp')
          }
          testId="form-intra"
          value={values.intraOpThreads}
          isLocked={isLocked}
          onValue={(value) => onChange({ field: 'intraOpThreads', value })}
        />
        <NumberRow
          label="config.form.inter"
          help={t('config.form.threadsHelp')}
          testId="form-inter"
          value={values.interOpThreads}
          isLocked={isLocked}
          onValue={(value) => onChange({ field: 'interOpThreads', value })}
        />
        <Field label={t('config.form.level')} isInline>
          <Select
            aria-label={t('config.form.level')}
            data-testid="form-level"
            value={values.graphLevel === undefined ? '' : String(values.graphLevel)}
            isDisabled={isLocked}
            onChange={(value) =>
              onChange({ field: 'graphLevel', value: value === '' ? undefined : Number(value) })
            }
            options={[
              { value: '', label: t('config.form.level.unset') },
              { value: '-1', label: t('config.form.level.basic') },
              { value: '1', label: t('config.form.level.extended') },
              { value: '0', label: t('config.form.level.all') },
              { value: '2', label: t('config.form.level.none') },
            ]}
          />
        </Field>
      </Rows>
    </Card>
  );
}

function Rows({ children }: { readonly children: ReactNode }) {
  return <div className="flex flex-col gap-3">{children}</div>;
}

interface RowProps<Value> {
  readonly label: PlainKey;
  readonly help?: string;
  readonly testId: string;
  readonly value: Value;
  readonly isLocked: boolean;
}

function NumberRow({
  label,
  help,
  testId,
  value,
  isLocked,
  onValue,
  min = 0,
  step = 1,
}: RowProps<number | undefined> & {
  readonly onValue: (value: number | undefined) => void;
  readonly min?: number;
  readonly step?: number;
}) {
  return (
    <Field label={t(label)} help={help} isInline>
      <NumberInput
        aria-label={t(label)}
        data-testid={testId}
        value={value}
        min={min}
        step={step}
        isDisabled={isLocked}
        onChange={(next) => {
          if (next !== value) onValue(next);
        }}
      />
    </Field>
  );
}

/** A list of whole numbers as text; the text of the config changes once it can be read. */
function NumbersRow({
  label,
  help,
  testId,
  value,
  isLocked,
  onValue,
}: RowProps<readonly number[]> & { readonly onValue: (value: readonly number[]) => void }) {
  const [typed, setTyped] = useState<string>();
  const shown = typed ?? value.join(', ');
  const numbers = readNumbers(shown);
  return (
    <Field
      label={t(label)}
      help={help}
      isInline
      error={numbers === undefined ? t('config.form.numbersBad') : undefined}
    >
      <TextInput
        aria-label={t(label)}
        data-testid={testId}
        className="w-40"
        value={shown}
        disabled={isLocked}
        onChange={setTyped}
        onBlur={() => {
          if (numbers === undefined) return;
          setTyped(undefined);
          if (numbers.join() !== value.join()) onValue(numbers);
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter') event.currentTarget.blur();
        }}
      />
    </Field>
  );
}

function readNumbers(text: string): readonly number[] | undefined {
  const words = text.split(/[\s,]+/).filter((word) => word !== '');
  return words.every((word) => /^\d{1,9}$/.test(word)) ? words.map(Number) : undefined;
}
