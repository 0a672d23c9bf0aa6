// The warm-up runner: samples of the file and suggested ones, run on the loaded instances without a reload, with the
// latency of every iteration per instance.

import { useMemo, useRef, useState } from 'react';

import type { WarmupSample } from '../../../src-shared/contract/inference-calls.ts';
import type { CallResult } from '../../../src-shared/contract/contract.ts';
import { messageOf } from '../../engine/engine-client.ts';
import { useClient, useModel } from '../../engine/engine-context.tsx';
import { useAction } from '../../engine/use-action.ts';
import { useCall } from '../../engine/use-call.ts';
import type { ModelTabProps } from '../../lib/feature.ts';
import { t } from '../../texts/translate.ts';
import { Badge } from '../../ui/badge.tsx';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import type { ChartPoint, ChartRole, ChartSeries } from '../../ui/chart-types.ts';
import { Chart } from '../../ui/chart.tsx';
import { CodeBlock } from '../../ui/code-block.tsx';
import { toastError, toastSuccess } from '../../ui/toast.tsx';
import { insertSample } from './insert-sample.ts';

type Result = CallResult<'warmup/run'>;
const ROLES: readonly ChartRole[] = ['c1', 'c2', 'c3', 'c4', 'c5'];
const ITERATIONS = 20;

export function WarmupTab({ model: name }: ModelTabProps) {
  const model = useModel(name);
  const samples = useCall('warmup/samples', { model: name }, model?.loadedAtMs ?? 0);
  const [result, setResult] = useState<Result>();
  if (model === undefined) return null;
  const isLoaded = model.servedVersions.length > 0;
  return (
    <div
      className="flex min-h-0 flex-1 flex-col gap-3 overflow-auto bg-canvas p-4"
      data-testid="model-warmup"
    >
      {!isLoaded && <Banner tone="info">{t('warmup.notLoaded')}</Banner>}
      {result !== undefined && <Outcome result={result} />}
      <Card title={t('warmup.title')}>
        {samples.error !== '' && <p className="text-bad">{samples.error}</p>}
        {samples.data?.length === 0 && <p className="text-soft">{t('warmup.none')}</p>}
        <ul className="flex flex-col gap-3">
          {samples.data?.map((sample) => (
            <SampleRow
              key={`${sample.isSuggested}-${sample.name}`}
              name={name}
              sample={sample}
              isLoaded={isLoaded}
              onResult={setResult}
              onInserted={samples.reload}
            />
          ))}
        </ul>
      </Card>
    </div>
  );
}

interface SampleRowProps {
  readonly name: string;
  readonly sample: WarmupSample;
  readonly isLoaded: boolean;
  readonly onResult: (result: Result) => void;
  readonly onInserted: () => void;
}

function SampleRow({ name, sample, isLoaded, onResult, onInserted }: SampleRowProps) {
  const client = useClient();
  const cancel = useRef<AbortController>(undefined);
  const run = useAction(async () => {
    cancel.current = new AbortController();
    const { signal } = cancel.current;
    const args = { model: name, version: '', configText: sample.configText, iterations: ITERATIONS };
    onResult(await client.call('warmup/run', args, { signal }));
  }, toastError);
  const insert = useAction(async () => {
    const undo = await insertSample(client, name, sample.configText);
    const run = (): void => void undo().catch((thrown: unknown) => toastError(messageOf(thrown)));
    toastSuccess(t('warmup.inserted'), { label: t('warmup.undo'), onClick: run });
    onInserted();
  }, toastError);
  return (
    <li className="rounded-md border border-line p-3" data-testid={`warmup-sample-${sample.name}`}>
      <div className="mb-2 flex items-center gap-2">
        <span className="font-mono text-strong">{sample.name}</span>
        <span className="text-soft">{t('warmup.sample', { batch: sample.batchSize })}</span>
        <Badge>{t(sample.isSuggested ? 'warmup.suggested' : 'warmup.inFile')}</Badge>
        <span className="flex-1" />
        {run.isRunning ? (
          <Button onClick={() => cancel.current?.abort(new DOMException('cancelled', 'AbortError'))}>
            {t('warmup.cancel')}
          </Button>
        ) : (
          <Button
            disabledReason={isLoaded ? '' : t('warmup.notLoaded')}
            data-testid={`warmup-run-${sample.name}`}
            onClick={() => run.run()}
          >
            {t('warmup.run')}
          </Button>
        )}
        {sample.isSuggested && (
          <Button
            isBusy={insert.isRunning}
            data-testid={`warmup-insert-${sample.name}`}
            onClick={() => insert.run()}
          >
            {t('warmup.insert')}
          </Button>
        )}
      </div>
      <CodeBlock text={sample.configText} />
    </li>
  );
}

function Outcome({ result }: { readonly result: Result }) {
  const series = useMemo<readonly ChartSeries[]>(
    () =>
      result.instances.map(({ name }, index) => ({
        key: `i${index}`,
        title: name,
        role: ROLES[index % ROLES.length] ?? 'c1',
      })),
    [result],
  );
  const points = useMemo(() => curvePoints(result), [result]);
  const failed = result.instances.find(({ error }) => error !== '');
  return (
    <div data-testid="warmup-result">
      {failed === undefined ? (
        <p className="mb-2 font-medium text-strong" data-testid="warmup-sentence">
          {result.sentence}
        </p>
      ) : (
        <Banner tone="bad">{t('warmup.failed', { instance: failed.name, error: failed.error })}</Banner>
      )}
      <Chart
        title={t('warmup.chart')}
        series={series}
        points={points}
        unit="us"
        xKind="number"
        xTitle={t('warmup.iteration')}
        xText={(x) => (x === 1 ? `1 (${t('warmup.cold')})` : String(x))}
        markers={[{ x: 1, text: t('warmup.cold') }]}
        emptyText={t('warmup.empty')}
        testId="warmup-chart"
      />
    </div>
  );
}

/** One point per iteration, 1-based, microseconds per instance. */
function curvePoints({ instances }: Result): readonly ChartPoint[] {
  const length = Math.max(0, ...instances.map(({ latenciesMs }) => latenciesMs.length));
  return Array.from({ length }, (_, index) => {
    const values = instances.map(({ latenciesMs }, instance): [string, number | undefined] => {
      const ms = latenciesMs[index];
      return [`i${instance}`, ms === undefined ? undefined : ms * 1000];
    });
    return { ...Object.fromEntries(values), x: index + 1 };
  });
}
