// What a run of a sample gave: the sentence with the count it suggests, or the error with the input at fault, and the
// latency of every iteration, one line per instance.

import { useMemo } from 'react';

import { OutputCard } from '../../../tensors/output-card.tsx';
import { isSentPicture, OverPicture, useTensorPicture } from '../../../tensors/over-picture.tsx';
import { t } from '../../../texts/translate.ts';
import { Banner } from '../../../ui/banner.tsx';
import { Button } from '../../../ui/button.tsx';
import type { ChartPoint, ChartSeries } from '../../../ui/chart-types.ts';
import { LINE_ROLES } from '../../../ui/chart-types.ts';
import { Chart } from '../../../ui/chart.tsx';
import { Disclosure } from '../../../ui/disclosure.tsx';
import type { WarmupResult } from '../warmup-store.ts';

interface OutcomeProps {
  readonly model: string;
  readonly result: WarmupResult;
  readonly hasChart: boolean;
  /** Count the sample has now. */
  readonly count: number;
  readonly onCount: (count: number) => void;
}

/** `count` is the sample's own; `onCount` gets the one that is suggested. */
export function Outcome({ model, result, hasChart, count, onCount }: OutcomeProps) {
  const failed = result.instances.find(({ error }) => error !== undefined);
  return (
    <div className="mt-3 flex flex-col gap-3" data-testid="warmup-result">
      {failed === undefined ? (
        <div className="flex flex-wrap items-center gap-2">
          <p className="font-medium text-strong" data-testid="warmup-sentence">
            {result.sentence}
          </p>
          {result.suggestedCount !== count && (
            <Button size="sm" data-testid="warmup-use-count" onClick={() => onCount(result.suggestedCount)}>
              {t('warmup.useCount', { count: result.suggestedCount })}
            </Button>
          )}
        </div>
      ) : (
        <Banner tone="bad" testId="warmup-failure">
          {result.faultyInput === undefined
            ? t('warmup.failed', { instance: failed.name })
            : t('warmup.failedInput', { instance: failed.name, input: result.faultyInput })}
          <code className="mt-1 block break-words whitespace-pre-wrap">{failed.error}</code>
        </Banner>
      )}
      {hasChart && <Curve result={result} />}
      {hasChart && result.outputs.length > 0 && (
        <Disclosure title={t('warmup.answer')} testId="warmup-answer">
          <Answer model={model} result={result} />
        </Disclosure>
      )}
    </div>
  );
}

/** Over the picture of the sample, where its file is one. */
function Answer({ model, result: { outputs, inputs } }: Pick<OutcomeProps, 'model' | 'result'>) {
  const source = useMemo(() => ({ model, version: '' }), [model]);
  const picture = useTensorPicture(inputs);
  return (
    <>
      <OverPicture
        outputs={outputs}
        picture={picture}
        pictureCount={inputs.filter(isSentPicture).length}
        source={source}
      />
      {outputs.map((output) => (
        <OutputCard key={output.name} output={output} isSummary={false} source={source} inputs={inputs} />
      ))}
    </>
  );
}

function Curve({ result }: { readonly result: WarmupResult }) {
  const series = useMemo<readonly ChartSeries[]>(
    () =>
      result.instances.map(({ name }, index) => ({
        key: `i${index}`,
        title: name,
        role: LINE_ROLES[index % LINE_ROLES.length] ?? 'c1',
      })),
    [result],
  );
  const points = useMemo(() => curvePoints(result), [result]);
  return (
    <Chart
      title={t('warmup.chart')}
      series={series}
      points={points}
      unit="us"
      xKind="number"
      xTitle={t('warmup.iteration')}
      xText={(x) => (x === 1 ? `1 (${t('warmup.first')})` : String(x))}
      markers={[{ x: 1, text: t('warmup.first') }]}
      emptyText={t('warmup.empty')}
      testId="warmup-chart"
    />
  );
}

/** One point per iteration, 1-based, microseconds per instance. */
function curvePoints({ instances }: WarmupResult): readonly ChartPoint[] {
  const length = Math.max(0, ...instances.map(({ latenciesMs }) => latenciesMs.length));
  return Array.from({ length }, (_, index) => {
    const values = instances.map(({ latenciesMs }, instance): [string, number | undefined] => {
      const ms = latenciesMs[index];
      return [`i${instance}`, ms === undefined ? undefined : ms * 1000];
    });
    return { ...Object.fromEntries(values), x: index + 1 };
  });
}
