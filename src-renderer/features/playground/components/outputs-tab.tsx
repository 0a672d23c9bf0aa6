// The outputs of an answer, one card each. Decoupled models give several answers, picked above. A large answer is a
// summary with a way to save it.

import { useMemo, useState } from 'react';

import type {
  ModelInterface,
  PlaygroundRequest,
  PlaygroundResult,
} from '../../../../src-shared/contract/inference-calls.ts';
import type { PlaygroundOutput } from '../../../../src-shared/contract/playground-answer.ts';
import { DoctorButton } from '../../../actions/doctor-button.tsx';
import { useModel } from '../../../engine/engine-context.tsx';
import { formatBytes, formatCount, formatMillis, formatRate } from '../../../lib/format.ts';
import { OutputCard } from '../../../tensors/output-card.tsx';
import { OverPicture } from '../../../tensors/over-picture.tsx';
import { elementCountOf } from '../../../tensors/tensor-slices.ts';
import { t } from '../../../texts/translate.ts';
import { Banner } from '../../../ui/banner.tsx';
import { Card, Facts } from '../../../ui/card.tsx';
import { CodeBlock } from '../../../ui/code-block.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { Select } from '../../../ui/select.tsx';
import { picturesOf, sentPicture } from '../sent-picture.ts';
import type { Outcome } from '../playground-store.ts';
import { ErrorCard } from './error-card.tsx';
import { MissingOutputs } from './missing-outputs.tsx';

/** Tensors of an answer above this are only summed up. What is shown of smaller ones is fetched part by part. */
const LARGE_BYTES = 256 * 1024 * 1024;

/** Says so when a decoupled model gave no answer. */
export function OutputsTab({
  io,
  outcome,
  result,
}: {
  /** What the model has; undefined while it is not known. */
  readonly io: ModelInterface | undefined;
  readonly outcome: Outcome;
  readonly result: PlaygroundResult;
}) {
  const [at, setAt] = useState(0);
  const { responses } = result;
  const response = responses[at];
  const source = { model: outcome.request.model, version: result.modelVersion };
  const byteSize = response?.outputs.reduce((sum, output) => sum + output.byteSize, 0) ?? 0;
  const isLarge = byteSize > LARGE_BYTES;
  const picture = useMemo(() => sentPicture(outcome.request), [outcome.request]);
  return (
    <div className="flex flex-col gap-3" data-testid="pg-outputs">
      {!result.ok && <ErrorCard outcome={outcome} />}
      {outcome.repeat !== undefined && <RepeatCard repeat={outcome.repeat} model={outcome.request.model} />}
      {responses.length > 1 && <WrittenText responses={responses} />}
      {responses.length > 1 && (
        <Select
          aria-label={t('playground.responses')}
          className="self-start"
          value={String(at)}
          options={responses.map((_response, index) => ({
            value: String(index),
            label: t('playground.responseOf', { index: index + 1, count: responses.length }),
          }))}
          onChange={(index) => setAt(Number(index))}
        />
      )}
      {result.streamed !== undefined && result.streamed.count > responses.length && (
        <Banner tone="info" testId="pg-stream-cut">
          {t('playground.stream.cut', { count: result.streamed.count, kept: responses.length })}
        </Banner>
      )}
      {result.ok && responses.length === 0 && <EmptyState title={t('playground.noResponse')} />}
      {isLarge && (
        <Banner tone="info" testId="pg-large">
          {t('playground.large', { size: formatBytes(byteSize) })}
        </Banner>
      )}
      {response !== undefined && response.error !== undefined && <Banner tone="bad">{response.error}</Banner>}
      {result.ok && <MissingOutputs io={io} asked={outcome.request.outputs} response={response} />}
      {response !== undefined && !isLarge && (
        <OverPicture
          outputs={response.outputs}
          picture={picture}
          pictureCount={picturesOf(outcome.request)}
          source={source}
        />
      )}
      {inOrder(response?.outputs ?? [], outcome.request).map((output) => (
        <OutputCard
          key={`${at} ${output.name}`}
          output={output}
          isSummary={isLarge}
          source={source}
          inputs={outcome.request.inputs}
        />
      ))}
    </div>
  );
}

/** What a model wrote piece by piece: single texts, one after the other. */
function WrittenText({ responses }: Pick<PlaygroundResult, 'responses'>) {
  const names = new Set(
    responses.flatMap(({ outputs }) => outputs.filter(isSingleText).map(({ name }) => name)),
  );
  return [...names].map((name) => (
    <Card key={name} title={t('playground.stream.written', { name })} testId={`pg-written-${name}`}>
      <CodeBlock
        isWrapped
        className="max-h-80 overflow-auto"
        label={t('playground.stream.written', { name })}
        text={responses
          .flatMap(({ outputs }) => outputs.filter((output) => output.name === name && isSingleText(output)))
          .map(({ preview }) => preview[0] ?? '')
          .join('')}
      />
    </Card>
  ));
}

function isSingleText({ datatype, shape, classes }: PlaygroundOutput): boolean {
  return datatype === 'BYTES' && classes.length === 0 && elementCountOf(shape) === 1;
}

/** As they were asked for; the server may answer in another order. */
function inOrder(
  outputs: readonly PlaygroundOutput[],
  { outputs: asked }: PlaygroundRequest,
): readonly PlaygroundOutput[] {
  const places = new Map(asked.map(({ name }, place) => [name, place]));
  const placeOf = ({ name }: PlaygroundOutput): number => places.get(name) ?? places.size;
  return outputs.toSorted((a, b) => placeOf(a) - placeOf(b));
}

function RepeatCard({
  repeat,
  model,
}: {
  readonly repeat: NonNullable<Outcome['repeat']>;
  readonly model: string;
}) {
  const isBatched = (useModel(model)?.maxBatchSize ?? 0) > 1;
  const { okCount, failCount, latencyMs, perSecond, totalMs, errors } = repeat;
  return (
    <Card title={t('playground.repeat.title')} testId="pg-repeat-result">
      <Facts
        items={[
          [t('playground.repeat.answers'), t('playground.repeat.counts', { ok: okCount, failed: failCount })],
          [
            t('playground.repeat.rate'),
            t('playground.repeat.rateText', { rate: formatRate(perSecond), time: formatMillis(totalMs) }),
          ],
          ...(latencyMs === undefined
            ? []
            : [
                [
                  t('playground.repeat.latency'),
                  (['p50', 'p90', 'p99', 'max'] as const)
                    .map((key) => `${key} ${formatMillis(latencyMs[key])}`)
                    .join(', '),
                ] as const,
              ]),
        ]}
      />
      {errors.map(({ message, count }) => (
        <p key={message} className="mt-2 text-sm text-bad">
          {formatCount(count)} × {message}
        </p>
      ))}
      <p className="mt-2 text-sm text-faint">{t('playground.repeat.last')}</p>
      {isBatched && (
        <div className="mt-2">
          <DoctorButton model={model} />
        </div>
      )}
    </Card>
  );
}
