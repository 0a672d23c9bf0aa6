// What is asked and how: version, protocol, encoding, batch size, streaming, shared memory.

import type { PerfPlan } from '../../../../src-shared/contract/perf-plan.ts';
import { useModel } from '../../../engine/engine-context.tsx';
import { t } from '../../../texts/translate.ts';
import { Button } from '../../../ui/button.tsx';
import { Field } from '../../../ui/field.tsx';
import { NumberInput } from '../../../ui/number-input.tsx';
import { Select } from '../../../ui/select.tsx';
import { Checkbox, Segmented } from '../../../ui/toggles.tsx';
import { changePlan } from '../perf-store.ts';
import { Section } from './section.tsx';

/** Select has no empty value; this stands for the server's choice. */
const LATEST = 'latest';

/** Another protocol goes back to this server's own address. */
export function TargetSection({
  plan,
  isDecoupled,
}: {
  readonly plan: PerfPlan;
  readonly isDecoupled: boolean;
}) {
  const versions = useModel(plan.model)?.servedVersions ?? [];
  const known =
    plan.version === '' || versions.includes(plan.version) ? versions : [plan.version, ...versions];
  const isCaptured = plan.data.source.kind === 'captured';
  return (
    <Section title={t('perf.target')}>
      <div className="flex flex-wrap items-end gap-3">
        <Field label={t('perf.protocol')}>
          <Segmented
            label={t('perf.protocol')}
            testId="perf-protocol"
            value={plan.protocol}
            onChange={(protocol) =>
              // An address speaks one protocol: another one goes back to this server's own.
              changePlan({ protocol, url: '', ...(protocol === 'http' ? { isStreaming: false } : {}) })
            }
            options={[
              { value: 'http', label: 'HTTP' },
              { value: 'grpc', label: 'gRPC' },
            ]}
          />
        </Field>
        <Field label={t('perf.version')}>
          <Select
            value={plan.version === '' ? LATEST : plan.version}
            onChange={(version) => changePlan({ version: version === LATEST ? '' : version })}
            options={[
              { value: LATEST, label: t('perf.version.latest') },
              ...known.map((version) => ({ value: version, label: version })),
            ]}
          />
        </Field>
        <Field label={t('perf.batchSize')} help={isCaptured ? t('perf.batchSize.captured') : undefined}>
          <NumberInput
            value={isCaptured ? undefined : plan.batchSize}
            isDisabled={isCaptured}
            min={1}
            data-testid="perf-batch"
            onChange={(value) => changePlan({ batchSize: value ?? 1 })}
          />
        </Field>
      </div>
      {plan.url !== '' && (
        <div
          role="status"
          aria-live="polite"
          data-testid="perf-other-server"
          className="flex flex-wrap items-center gap-2"
        >
          <p className="text-sm text-warn">{t('perf.server.other', { url: plan.url })}</p>
          <Button size="sm" onClick={() => changePlan({ url: '' })}>
            {t('perf.server.useOwn')}
          </Button>
        </div>
      )}
      {plan.protocol === 'http' ? (
        <HttpFields plan={plan} />
      ) : (
        <GrpcFields plan={plan} isDecoupled={isDecoupled} />
      )}
      <Checkbox
        isOn={plan.sharedMemory === 'system'}
        onChange={(isOn) => changePlan({ sharedMemory: isOn ? 'system' : 'none' })}
      >
        {t('perf.sharedMemory')}
      </Checkbox>
    </Section>
  );
}

function HttpFields({ plan }: { readonly plan: PerfPlan }) {
  const options = [
    { value: 'binary', label: t('perf.encoding.binary') },
    { value: 'json', label: 'JSON' },
  ] as const;
  return (
    <div className="flex flex-wrap items-end gap-3">
      <Field label={t('perf.encoding.input')}>
        <Segmented
          label={t('perf.encoding.input')}
          value={plan.inputEncoding}
          onChange={(inputEncoding) => changePlan({ inputEncoding })}
          options={options}
        />
      </Field>
      <Field label={t('perf.encoding.output')}>
        <Segmented
          label={t('perf.encoding.output')}
          value={plan.outputEncoding}
          onChange={(outputEncoding) => changePlan({ outputEncoding })}
          options={options}
        />
      </Field>
    </div>
  );
}

function GrpcFields({ plan, isDecoupled }: { readonly plan: PerfPlan; readonly isDecoupled: boolean }) {
  return (
    <div className="flex flex-col gap-1">
      <Checkbox
        isOn={plan.isStreaming}
        data-testid="perf-streaming"
        onChange={(isStreaming) => changePlan({ isStreaming, ...(isStreaming ? { isAsync: true } : {}) })}
      >
        {t('perf.streaming')}
      </Checkbox>
      {isDecoupled && !plan.isStreaming && (
        <p className="text-sm text-warn">{t('perf.streaming.decoupled')}</p>
      )}
    </div>
  );
}
