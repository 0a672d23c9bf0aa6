// The plan as a form, its command line, and the button that starts it. Nothing is measured from here; the form only
// changes the plan in the store.

import { Play } from 'lucide-react';
import type { PerfPlan } from '../../../../src-shared/contract/perf-plan.ts';
import type { PerfDefaults } from '../../../../src-shared/contract/perf-calls.ts';
import { useModels } from '../../../engine/engine-context.tsx';
import { useCall } from '../../../engine/use-call.ts';
import { address } from '../../../lib/address.ts';
import { open } from '../../../lib/workspace-store.ts';
import { t } from '../../../texts/translate.ts';
import { Button } from '../../../ui/button.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { Field } from '../../../ui/field.tsx';
import { TextInput } from '../../../ui/inputs.tsx';
import { Select } from '../../../ui/select.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { changePlan, chooseModel, perfUi, usePerf } from '../perf-store.ts';
import { plannedLevels, sweepCount } from '../plan-edit.ts';
import type { StartState } from '../use-start.ts';
import { CommandLine } from './command-line.tsx';
import { DataSection } from './plan-data.tsx';
import { LoadSection } from './plan-load.tsx';
import { MeasurementSection, SequenceSection } from './plan-measurement.tsx';
import { OverrideSection } from './plan-override.tsx';
import { TargetSection } from './plan-target.tsx';
import { Section } from './section.tsx';

/** Its button is that of `start`, with the reason why it cannot be pressed. */
export function PlanPanel({ start }: { readonly start: StartState }) {
  const model = usePerf((state) => state.model);
  const plan = usePerf((state) => state.plan);
  const isAnyReady = useModels(({ models }) => models.some(({ state }) => state === 'ready'));
  const defaults = useCall('perf/plan', model === undefined ? undefined : { model });
  if (!isAnyReady && model === undefined) return <NoModel />;
  return (
    <form
      aria-label={t('perf.plan')}
      className="flex min-h-0 flex-1 flex-col"
      onSubmit={(event) => event.preventDefault()}
    >
      <div className="relative min-h-0 flex-1 overflow-auto p-3">
        <div className="flex flex-col gap-4">
          <ModelField />
          {defaults.error !== undefined && (
            <p role="alert" aria-live="assertive" className="text-bad">
              {defaults.error}
            </p>
          )}
          {defaults.data === undefined || plan === undefined ? (
            defaults.error === undefined && <Skeleton rows={8} />
          ) : (
            <>
              <Presets presets={defaults.data.presets} plan={plan} />
              <LoadSection plan={plan} />
              <TargetSection plan={plan} isDecoupled={defaults.data.isDecoupled} />
              <DataSection key={plan.model} plan={plan} defaults={defaults.data} />
              <MeasurementSection plan={plan} />
              {(defaults.data.isSequence || plan.load.kind === 'periodic') && <SequenceSection plan={plan} />}
              <OverrideSection defaults={defaults.data} />
              <CommandLine plan={plan} />
            </>
          )}
        </div>
      </div>
      <Footer start={start} />
    </form>
  );
}

function NoModel() {
  return (
    <EmptyState
      title={t('perf.noModel.title')}
      text={t('perf.noModel.text')}
      testId="perf-no-model"
      actions={<Button onClick={() => open(address('models'))}>{t('perf.noModel.open')}</Button>}
    />
  );
}

function ModelField() {
  const model = usePerf((state) => state.model);
  const ready = useModels(({ models }) => models);
  const names = ready.filter(({ state }) => state === 'ready').map(({ name }) => name);
  const isReady = model !== undefined && names.includes(model);
  const options = isReady || model === undefined ? names : [model, ...names];
  return (
    <Field label={t('perf.model')} error={isReady ? undefined : t('perf.model.notReady')}>
      <Select
        data-testid="perf-model"
        options={options.map((name) => ({ value: name, label: name }))}
        value={model ?? ''}
        onChange={chooseModel}
      />
    </Field>
  );
}

/** Whether the form holds what the preset sets. */
function isSame(plan: PerfPlan, { load, measurement }: Pick<PerfPlan, 'load' | 'measurement'>): boolean {
  return sorted({ load: plan.load, measurement: plan.measurement }) === sorted({ load, measurement });
}

/** As text, whatever the order in which the values were set: a plan that was kept comes back in another one. */
function sorted(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}

function Presets({ presets, plan }: { readonly presets: PerfDefaults['presets']; readonly plan: PerfPlan }) {
  return (
    <Section title={t('perf.presets')}>
      <div className="flex flex-wrap gap-1.5">
        {presets.map(({ name, about, plan: { load, measurement } }) => (
          <Button
            key={name}
            size="sm"
            title={about}
            aria-pressed={isSame(plan, { load, measurement })}
            className={isSame(plan, { load, measurement }) ? '!border-accent !bg-selected' : undefined}
            data-testid={`perf-preset-${slug(name)}`}
            // What is sent, and how, stays as it is in the form.
            onClick={() => changePlan({ load, measurement })}
          >
            {name}
          </Button>
        ))}
      </div>
    </Section>
  );
}

function slug(name: string): string {
  return name.toLowerCase().replaceAll(/\W+/g, '-');
}

function Footer({ start }: { readonly start: StartState }) {
  const name = usePerf((state) => state.name);
  const plan = usePerf((state) => state.plan);
  const sweep = usePerf((state) => state.sweep);
  const isBusy = usePerf((state) => state.live !== undefined);
  const configs = sweep === undefined ? 0 : sweepCount(sweep);
  const levels = plan === undefined ? undefined : plannedLevels(plan.load);
  return (
    // In a low window on one line, so that the form above has room.
    <div className="flex flex-col gap-2 border-t border-line p-3 [@media(max-height:559px)]:flex-row [@media(max-height:559px)]:flex-wrap">
      <TextInput
        className="[@media(max-height:559px)]:min-w-40 [@media(max-height:559px)]:flex-1"
        value={name}
        onChange={(next) => perfUi.setState({ name: next })}
        placeholder={t('perf.name.placeholder')}
        aria-label={t('perf.name')}
        data-testid="perf-name"
      />
      {start.reason !== undefined && plan !== undefined && (
        <p role="status" aria-live="polite" className="text-sm text-warn" data-testid="perf-problem">
          {start.reason}
        </p>
      )}
      <div className="flex items-center gap-2">
        <Button
          variant="primary"
          icon={Play}
          isBusy={start.isRunning}
          disabledReason={start.reason}
          data-testid="perf-start"
          onClick={start.run}
        >
          {configs > 0
            ? t('perf.startSweep', { count: configs })
            : isBusy
              ? t('perf.enqueue')
              : t('perf.start')}
        </Button>
        {levels !== undefined && levels > 0 && (
          <span className="text-sm text-faint">{t('perf.levels', { count: levels })}</span>
        )}
      </div>
    </div>
  );
}
