// Which loads are measured: kept outstanding, per second, by own gaps, growing, or at the times of the data.

import type { PerfLevels, PerfPlan } from '../../../../src-shared/contract/perf-plan.ts';
import { t } from '../../../texts/translate.ts';
import { Field } from '../../../ui/field.tsx';
import { NumberInput } from '../../../ui/number-input.tsx';
import { Select } from '../../../ui/select.tsx';
import { Checkbox, Segmented } from '../../../ui/toggles.tsx';
import { changePlan } from '../perf-store.ts';
import type { LevelsKind, LoadKind } from '../plan-edit.ts';
import { withLevelsKind, withLoadKind } from '../plan-edit.ts';
import { NumberList } from './number-list.tsx';
import { Section } from './section.tsx';

const LOADS: readonly LoadKind[] = ['concurrency', 'request-rate', 'intervals', 'periodic', 'schedule'];
const LEVELS: readonly LevelsKind[] = ['range', 'list', 'doubling', 'binary'];

/** What the chosen kind of load has no use for is not shown. */
export function LoadSection({ plan }: { readonly plan: PerfPlan }) {
  const { load } = plan;
  return (
    <Section title={t('perf.load')}>
      <Field label={t('perf.load.kind')} help={t(`perf.load.${load.kind}.help`)}>
        <Select
          data-testid="perf-load"
          value={load.kind}
          onChange={(kind) => changePlan({ load: withLoadKind(load, kind) })}
          options={LOADS.map((kind) => ({ value: kind, label: t(`perf.load.${kind}`) }))}
        />
      </Field>
      {'levels' in load && (
        <LevelFields levels={load.levels} onChange={(levels) => changePlan({ load: { ...load, levels } })} />
      )}
      {load.kind === 'request-rate' && (
        <>
          <Field label={t('perf.distribution')}>
            <Segmented
              label={t('perf.distribution')}
              value={load.distribution}
              onChange={(distribution) => changePlan({ load: { ...load, distribution } })}
              options={[
                { value: 'constant', label: t('perf.distribution.constant') },
                { value: 'poisson', label: t('perf.distribution.poisson') },
              ]}
            />
          </Field>
          <Checkbox isOn={plan.isAsync} onChange={(isAsync) => changePlan({ isAsync })}>
            {t('perf.async')}
          </Checkbox>
        </>
      )}
      {load.kind === 'intervals' && (
        <NumberList
          label={t('perf.intervals')}
          values={load.intervalsUs}
          onChange={(intervalsUs) => changePlan({ load: { ...load, intervalsUs } })}
        />
      )}
      {load.kind === 'periodic' && <PeriodicFields plan={plan} />}
    </Section>
  );
}

function LevelFields({
  levels,
  onChange,
}: {
  readonly levels: PerfLevels;
  readonly onChange: (levels: PerfLevels) => void;
}) {
  return (
    <>
      <Field label={t('perf.levels.kind')} help={t(`perf.levels.${levels.kind}.help`)}>
        <Segmented
          label={t('perf.levels.kind')}
          testId="perf-levels"
          value={levels.kind}
          onChange={(kind) => onChange(withLevelsKind(levels, kind))}
          options={LEVELS.map((kind) => ({ value: kind, label: t(`perf.levels.${kind}`) }))}
        />
      </Field>
      {levels.kind === 'list' ? (
        <NumberList
          label={t('perf.levels.values')}
          values={levels.values}
          isWhole={false}
          testId="perf-list"
          onChange={(values) => onChange({ kind: 'list', values })}
        />
      ) : (
        <div className="flex flex-wrap gap-3">
          <Field label={t('perf.levels.start')}>
            <NumberInput
              className="w-24"
              value={levels.start}
              min={0}
              data-testid="perf-range-start"
              onChange={(value) => onChange({ ...levels, start: value ?? 0 })}
            />
          </Field>
          <Field label={t('perf.levels.end')}>
            <NumberInput
              className="w-24"
              value={levels.end}
              min={0}
              data-testid="perf-range-end"
              onChange={(value) => onChange({ ...levels, end: value ?? 0 })}
            />
          </Field>
          {levels.kind !== 'doubling' && (
            <Field label={t('perf.levels.step')}>
              <NumberInput
                className="w-24"
                value={levels.step}
                min={0}
                data-testid="perf-range-step"
                onChange={(value) => onChange({ ...levels, step: value ?? 0 })}
              />
            </Field>
          )}
        </div>
      )}
    </>
  );
}

function PeriodicFields({ plan }: { readonly plan: PerfPlan }) {
  const { load } = plan;
  if (load.kind !== 'periodic') return null;
  const fields = ['start', 'end', 'step', 'requestPeriod'] as const;
  return (
    <div className="flex flex-wrap gap-3">
      {fields.map((field) => (
        <Field key={field} label={t(`perf.periodic.${field}`)}>
          <NumberInput
            className="w-24"
            value={load[field]}
            min={1}
            onChange={(value) => changePlan({ load: { ...load, [field]: value ?? 1 } })}
          />
        </Field>
      ))}
    </div>
  );
}
