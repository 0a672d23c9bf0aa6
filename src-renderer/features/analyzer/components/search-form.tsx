// What a search tries, and what it costs.

import { Play } from 'lucide-react';

import type { AnalyzeRequest, AnalyzeView } from '../../../../src-shared/contract/analyze-calls.ts';
import type { ModelView } from '../../../../src-shared/contract/model-view.ts';
import { useClient, useServer } from '../../../engine/engine-context.tsx';
import { useAction } from '../../../engine/use-action.ts';
import { useCommand } from '../../../lib/command-registry.ts';
import { formatDuration } from '../../../lib/format.ts';
import { t } from '../../../texts/translate.ts';
import { Button } from '../../../ui/button.tsx';
import { Field } from '../../../ui/field.tsx';
import { NumberInput } from '../../../ui/number-input.tsx';
import { Select } from '../../../ui/select.tsx';
import { Segmented } from '../../../ui/toggles.tsx';
import { changeForm, estimateOf, useRequest } from '../analyzer-store.ts';

/** Starts a search; a button that cannot says why. */
export function SearchForm({
  models,
  wanted,
  view,
}: {
  readonly models: readonly ModelView[];
  /** Model that the address names; undefined = none. */
  readonly wanted: string | undefined;
  readonly view: AnalyzeView | undefined;
}) {
  const client = useClient();
  const cpuCount = useServer((server) => server?.cpuCount ?? 1);
  const ready = models.filter(({ state, isShadowed }) => state === 'ready' && !isShadowed);
  const request = useRequest('', cpuCount);
  const names = ready.map(({ name }) => name);
  const model = [request.model, wanted, view?.request.model, ...names].find(
    (name) => name !== undefined && names.includes(name),
  );
  const start = useAction((asked: AnalyzeRequest) => client.call('analyze/start', asked));
  const isRunning = view?.state === 'running';
  const reason =
    model === undefined ? t('perf.noModel.text') : isRunning ? t('analyzer.stopping') : undefined;
  const begin = (): void => {
    if (model !== undefined) start.run({ ...request, model });
  };
  useCommand('analyzer.start', begin, () => reason);
  return (
    <form
      aria-label={t('analyzer.setUp')}
      className="flex min-h-0 flex-1 flex-col gap-3 overflow-auto p-3"
      data-testid="analyzer-form"
      onSubmit={(event) => event.preventDefault()}
    >
      <Field label={t('perf.model')}>
        <Select
          data-testid="analyzer-model"
          value={model ?? ''}
          options={names.map((name) => ({ value: name, label: name }))}
          onChange={(name) => changeForm({ model: name })}
        />
      </Field>
      <Field label={t('analyzer.mode')} help={t(`analyzer.mode.${request.mode}.help`)}>
        <Segmented
          label={t('analyzer.mode')}
          testId="analyzer-mode"
          value={request.mode}
          onChange={(mode) => changeForm({ mode })}
          options={[
            { value: 'brute', label: t('analyzer.mode.brute') },
            { value: 'quick', label: t('analyzer.mode.quick') },
          ]}
        />
      </Field>
      <Ranges request={request} />
      <p className="text-sm text-soft" data-testid="analyzer-estimate">
        {estimateText(request)}
      </p>
      <div className="flex flex-col gap-1">
        <Button
          variant="primary"
          icon={Play}
          className="self-start"
          data-testid="analyzer-start"
          isBusy={start.isRunning}
          disabledReason={reason}
          onClick={begin}
        >
          {t('analyzer.begin')}
        </Button>
        {view !== undefined && !isRunning && <p className="text-sm text-faint">{t('analyzer.replaces')}</p>}
      </div>
    </form>
  );
}

function Ranges({ request }: { readonly request: AnalyzeRequest }) {
  return (
    <>
      <Field label={t('analyzer.maxInstances')}>
        <NumberInput
          value={request.maxInstances}
          min={1}
          max={64}
          data-testid="analyzer-instances"
          onChange={(value) => changeForm({ maxInstances: value ?? 1 })}
        />
      </Field>
      <Field label={t('analyzer.maxBatchSize')} help={t('analyzer.maxBatchSize.help')}>
        <NumberInput
          value={request.maxBatchSize}
          min={1}
          max={4096}
          data-testid="analyzer-batch"
          onChange={(value) => changeForm({ maxBatchSize: value ?? 1 })}
        />
      </Field>
      <Field label={t('analyzer.maxConcurrency')}>
        <NumberInput
          value={request.maxConcurrency}
          min={1}
          max={4096}
          data-testid="analyzer-concurrency"
          onChange={(value) => changeForm({ maxConcurrency: value ?? 1 })}
        />
      </Field>
      <Field label={t('analyzer.limit')} help={t('analyzer.limit.help')}>
        <NumberInput
          value={request.latencyLimitMs}
          min={0}
          data-testid="analyzer-limit"
          onChange={(value) => changeForm({ latencyLimitMs: value ?? 0 })}
        />
      </Field>
      <Field label={t('analyzer.minutes')} help={t('analyzer.minutes.help')}>
        <NumberInput
          value={request.seconds / 60}
          min={0}
          step={0.5}
          data-testid="analyzer-minutes"
          onChange={(value) => changeForm({ seconds: (value ?? 0) * 60 })}
        />
      </Field>
      <Field label={t('analyzer.window')}>
        <NumberInput
          value={request.windowMs}
          min={20}
          max={60_000}
          step={100}
          data-testid="analyzer-window"
          onChange={(value) => changeForm({ windowMs: Math.round(value ?? 1000) })}
        />
      </Field>
    </>
  );
}

function estimateText(request: AnalyzeRequest): string {
  const { configs, loads, durationMs } = estimateOf(request);
  return request.mode === 'quick'
    ? t('analyzer.estimateQuick', { configs })
    : t('analyzer.estimate', { configs, loads, time: formatDuration(durationMs) });
}
