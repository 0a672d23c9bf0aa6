// What a hand-over is made for. Each change is checked at once; what a target does not have is not asked for.

import type { HandoverChoices, HandoverPlan } from '../../../../src-shared/contract/handover-calls.ts';
import {
  HANDOVER_TARGETS,
  HELM_CHARTS,
  isHandoverName,
} from '../../../../src-shared/contract/handover-calls.ts';
import { t } from '../../../texts/translate.ts';
import { Field } from '../../../ui/field.tsx';
import { NumberInput } from '../../../ui/number-input.tsx';
import { Select } from '../../../ui/select.tsx';
import { Checkbox, Segmented } from '../../../ui/toggles.tsx';
import { SettledInput } from './settled-input.tsx';

interface PlanFormProps {
  readonly choices: HandoverChoices;
  readonly plan: HandoverPlan;
  readonly onChange: (changes: Partial<HandoverPlan>) => void;
}

/** `onChange` gets the whole plan. */
export function PlanForm({ choices, plan, onChange }: PlanFormProps) {
  const isCluster = plan.target !== 'compose';
  const release = choices.releases.find(({ name }) => name === plan.release);
  return (
    <form
      className="flex min-h-0 flex-col gap-3 overflow-auto px-5 py-3"
      data-testid="handover-plan"
      onSubmit={(event) => event.preventDefault()}
    >
      <Field label={t('handover.target')}>
        <Select
          value={plan.target}
          data-testid="handover-target"
          options={HANDOVER_TARGETS.map((value) => ({ value, label: t(`handover.target.${value}`) }))}
          onChange={(target) => onChange({ target })}
        />
      </Field>
      {plan.target === 'helm' && (
        <Field label={t('handover.chart')}>
          <Select
            value={plan.chart}
            data-testid="handover-chart"
            options={HELM_CHARTS.map((value) => ({ value, label: value }))}
            onChange={(chart) => onChange({ chart })}
          />
        </Field>
      )}
      <Field
        label={t('handover.release')}
        help={release === undefined ? undefined : t('handover.releaseHolds', release)}
      >
        <Select
          value={plan.release}
          data-testid="handover-release"
          options={choices.releases.map(({ name }) => ({ value: name, label: name }))}
          onChange={(name) => onChange({ release: name })}
        />
      </Field>
      <DeviceFields plan={plan} onChange={onChange} />
      {choices.repositories.map((repository, at) => (
        <Field
          key={repository}
          label={t('handover.place', { repository: repository.split(/[\\/]/).at(-1) ?? repository })}
          help={at === 0 ? t('handover.place.help') : undefined}
        >
          <SettledInput
            isMono
            value={plan.locations[at] ?? ''}
            data-testid={`handover-place-${at}`}
            placeholder={isCluster ? '' : repository}
            onChange={(place) =>
              onChange({ locations: plan.locations.map((old, index) => (index === at ? place : old)) })
            }
          />
        </Field>
      ))}
      <Field
        label={t('handover.name')}
        help={t('handover.name.help')}
        error={isHandoverName(plan.name) ? undefined : t('handover.name.bad')}
      >
        <SettledInput value={plan.name} data-testid="handover-name" onChange={(name) => onChange({ name })} />
      </Field>
      {isCluster && <ScaleFields plan={plan} onChange={onChange} />}
      <Extras plan={plan} onChange={onChange} />
    </form>
  );
}

type PartProps = Omit<PlanFormProps, 'choices'>;

function DeviceFields({ plan, onChange }: PartProps) {
  return (
    <div className="flex items-end gap-3">
      <Field label={t('handover.device')}>
        <Segmented
          label={t('handover.device')}
          testId="handover-device"
          value={plan.device}
          options={(['cpu', 'gpu'] as const).map((value) => ({
            value,
            label: t(`handover.device.${value}`),
          }))}
          onChange={(device) => onChange({ device })}
        />
      </Field>
      {plan.device === 'gpu' && (
        <Field label={t('handover.gpus')}>
          <NumberInput
            value={plan.gpuCount}
            min={1}
            max={64}
            data-testid="handover-gpus"
            onChange={(gpuCount) => onChange({ gpuCount: gpuCount ?? 1 })}
          />
        </Field>
      )}
    </div>
  );
}

function ScaleFields({ plan, onChange }: PartProps) {
  return (
    <div className="grid grid-cols-2 gap-3">
      <Field label={t('handover.replicas')}>
        <NumberInput
          value={plan.replicas}
          min={1}
          max={1000}
          data-testid="handover-replicas"
          onChange={(replicas) => onChange({ replicas: replicas ?? 1 })}
        />
      </Field>
      <Field label={t('handover.autoscaling')}>
        <Select
          value={plan.autoscaling}
          data-testid="handover-autoscaling"
          options={(['none', 'queue', 'cpu'] as const).map((value) => ({
            value,
            label: t(`handover.autoscaling.${value}`),
          }))}
          onChange={(autoscaling) => onChange({ autoscaling })}
        />
      </Field>
    </div>
  );
}

function Extras({ plan, onChange }: PartProps) {
  const hasMonitoring = plan.target === 'compose' || plan.target === 'kubernetes' || plan.target === 'helm';
  return (
    <div className="flex flex-col gap-1.5">
      <Checkbox
        isOn={plan.completedConfigs}
        data-testid="handover-completed"
        onChange={(completedConfigs) => onChange({ completedConfigs })}
      >
        {t('handover.completedConfigs')}
      </Checkbox>
      {hasMonitoring && (
        <Checkbox
          isOn={plan.monitoring}
          data-testid="handover-monitoring"
          onChange={(monitoring) => onChange({ monitoring })}
        >
          {t('handover.monitoring')}
        </Checkbox>
      )}
      {plan.target === 'compose' && (
        <Checkbox
          isOn={plan.clients}
          data-testid="handover-clients"
          onChange={(clients) => onChange({ clients })}
        >
          {t('handover.clients')}
        </Checkbox>
      )}
    </div>
  );
}
