// How it is measured: windows, stability, limits, warm-up; and the sequences of models that keep state.

import type { PerfPlan } from '../../../../src-shared/contract/perf-plan.ts';
import { t } from '../../../texts/translate.ts';
import { Field } from '../../../ui/field.tsx';
import { NumberInput } from '../../../ui/number-input.tsx';
import { Select } from '../../../ui/select.tsx';
import { Checkbox, Segmented } from '../../../ui/toggles.tsx';
import { changeMeasurement, changePlan } from '../perf-store.ts';
import { Section } from './section.tsx';

const RANKS = [0, 50, 90, 95, 99] as const;

/** A measurement window ends by time (ms) or by the number of requests. */
export function MeasurementSection({ plan }: { readonly plan: PerfPlan }) {
  const { measurement } = plan;
  const ranks = [...new Set([...RANKS, measurement.percentile])].sort((a, b) => a - b);
  return (
    <Section title={t('perf.measurement')}>
      <div className="flex flex-wrap items-end gap-3">
        <Field label={t('perf.measurement.mode')}>
          <Segmented
            label={t('perf.measurement.mode')}
            value={measurement.mode}
            onChange={(mode) => changeMeasurement({ mode })}
            options={[
              { value: 'time', label: t('perf.measurement.time') },
              { value: 'count', label: t('perf.measurement.count') },
            ]}
          />
        </Field>
        {measurement.mode === 'time' ? (
          <Field label={t('perf.measurement.intervalMs')}>
            <NumberInput
              value={measurement.intervalMs}
              min={50}
              step={500}
              data-testid="perf-interval"
              onChange={(value) => changeMeasurement({ intervalMs: value ?? 5000 })}
            />
          </Field>
        ) : (
          <Field label={t('perf.measurement.requestCount')}>
            <NumberInput
              value={measurement.requestCount}
              min={1}
              onChange={(value) => changeMeasurement({ requestCount: value ?? 50 })}
            />
          </Field>
        )}
      </div>
      <div className="grid grid-cols-2 gap-3">
        <MeasurementNumber plan={plan} field="stabilityPercent" min={0} fallback={10} />
        <MeasurementNumber plan={plan} field="maxWindows" min={1} fallback={10} />
        <MeasurementNumber plan={plan} field="latencyLimitMs" min={0} fallback={0} />
        <MeasurementNumber plan={plan} field="warmupRequestCount" min={0} fallback={0} />
        <MeasurementNumber plan={plan} field="fixedRequestCount" min={0} fallback={0} />
        <Field label={t('perf.measurement.percentile')}>
          <Select
            className="w-28"
            value={String(measurement.percentile)}
            onChange={(value) => changeMeasurement({ percentile: Number(value) })}
            options={ranks.map((rank) => ({
              value: String(rank),
              label: rank === 0 ? t('perf.measurement.mean') : `p${rank}`,
            }))}
          />
        </Field>
      </div>
      <Checkbox
        isOn={measurement.growsWindows === true}
        data-testid="perf-grows-windows"
        onChange={(growsWindows) => changeMeasurement({ growsWindows })}
      >
        {t('perf.measurement.growsWindows')}
      </Checkbox>
      <Checkbox
        isOn={plan.keepsRequests === true}
        data-testid="perf-keep-requests"
        onChange={(keepsRequests) => changePlan({ keepsRequests })}
      >
        {t('perf.measurement.keepsRequests')}
      </Checkbox>
      <p className="text-sm text-faint">{t('perf.measurement.keepsRequestsHelp')}</p>
      <Checkbox
        isOn={plan.tracesSlowest === true && plan.url === ''}
        isDisabled={plan.url !== ''}
        data-testid="perf-trace-slowest"
        onChange={(tracesSlowest) => changePlan({ tracesSlowest })}
      >
        {t('perf.measurement.tracesSlowest')}
      </Checkbox>
      <p className="text-sm text-faint">
        {plan.url === ''
          ? t('perf.measurement.tracesSlowestHelp')
          : t('perf.measurement.tracesOther', { url: plan.url })}
      </p>
    </Section>
  );
}

type NumberName =
  | 'stabilityPercent'
  | 'maxWindows'
  | 'latencyLimitMs'
  | 'warmupRequestCount'
  | 'fixedRequestCount';

/** Fields whose 0 stands for something else than a number. */
function isOpenAtZero(
  field: NumberName,
): field is 'latencyLimitMs' | 'warmupRequestCount' | 'fixedRequestCount' {
  return field === 'latencyLimitMs' || field === 'warmupRequestCount' || field === 'fixedRequestCount';
}

function MeasurementNumber({
  plan,
  field,
  min,
  fallback,
}: {
  readonly plan: PerfPlan;
  readonly field: NumberName;
  readonly min: number;
  /** When the field is emptied. */
  readonly fallback: number;
}) {
  return (
    <Field
      label={t(`perf.measurement.${field}`)}
      help={
        isOpenAtZero(field) && plan.measurement[field] === 0 ? t(`perf.measurement.${field}.none`) : undefined
      }
    >
      <NumberInput
        value={plan.measurement[field]}
        min={min}
        data-testid={`perf-${field}`}
        onChange={(value) => changeMeasurement({ [field]: value ?? fallback })}
      />
    </Field>
  );
}

/** Lengths are requests of one sequence. */
export function SequenceSection({ plan }: { readonly plan: PerfPlan }) {
  const { sequence } = plan;
  const change = (changes: Partial<PerfPlan['sequence']>): void =>
    changePlan({ sequence: { ...sequence, ...changes } });
  return (
    <Section title={t('perf.sequence')}>
      <div className="grid grid-cols-2 gap-3">
        <Field label={t('perf.sequence.count')}>
          <NumberInput value={sequence.count} min={1} onChange={(value) => change({ count: value ?? 1 })} />
        </Field>
        <Field label={t('perf.sequence.length')}>
          <NumberInput
            value={sequence.length}
            min={1}
            data-testid="perf-sequence-length"
            onChange={(value) => change({ length: value ?? 20, isLengthGiven: value !== undefined })}
          />
        </Field>
        <Field label={t('perf.sequence.variation')}>
          <NumberInput
            value={sequence.lengthVariationPercent}
            min={0}
            onChange={(value) => change({ lengthVariationPercent: value ?? 0 })}
          />
        </Field>
        <Field label={t('perf.sequence.firstId')}>
          <NumberInput
            value={sequence.firstId}
            min={1}
            onChange={(value) => change({ firstId: value ?? 1 })}
          />
        </Field>
      </div>
      <Checkbox isOn={sequence.isSerial} onChange={(isSerial) => change({ isSerial })}>
        {t('perf.sequence.serial')}
      </Checkbox>
    </Section>
  );
}
