// What goes in and what comes out, by example: the last request that was sent from this window to the model, or a first
// one with made-up values. The whole of it is in the playground.

import { Play } from 'lucide-react';
import { useEffect, useMemo } from 'react';
import { useStore } from 'zustand';

import type { PlaygroundRequest } from '../../../../src-shared/contract/inference-calls.ts';
import { isRunning } from '../../../actions/server-actions.ts';
import { useEngine, useModel, useServer } from '../../../engine/engine-context.tsx';
import { useAction } from '../../../engine/use-action.ts';
import { useCall } from '../../../engine/use-call.ts';
import { modelAddress } from '../../../lib/address.ts';
import { formatMillis, formatShape } from '../../../lib/format.ts';
import { open } from '../../../lib/workspace-store.ts';
import { OutputCard } from '../../../tensors/output-card.tsx';
import { OverPicture } from '../../../tensors/over-picture.tsx';
import { t } from '../../../texts/translate.ts';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import type { Outcome } from '../playground-store.ts';
import { playgroundOf, setInterface } from '../playground-store.ts';
import { readinessOf, sendDraft } from '../send-actions.ts';
import { picturesOf, sentPicture } from '../sent-picture.ts';

/** More outputs are in the playground. */
const SHOWN_OUTPUTS = 2;
/** Above this an answer is not shown on an overview. */
const LARGEST_BYTES = 4 * 1024 * 1024;
const NO_OUTPUTS: NonNullable<Outcome['result']>['responses'][number]['outputs'] = [];

/** Sends from where it stands; the playground then has the same request. */
export function SampleCard({ model: name, version }: { readonly model: string; readonly version: string }) {
  const engine = useEngine();
  const store = playgroundOf(name);
  const model = useModel(name);
  const readiness = readinessOf(model, useServer(isRunning));
  const io = useCall('playground/interface', { model: name }, model?.loadedAtMs);
  useEffect(() => {
    if (io.data !== undefined) setInterface(store, io.data);
  }, [store, io.data]);
  const outcome = useStore(store, (state) => state.outcome);
  const send = useAction(() => sendDraft(engine, store, { model: name, version }));
  return (
    <Card
      title={t('playground.sample')}
      testId="model-sample"
      actions={
        <>
          <Button size="sm" onClick={() => open(modelAddress(name, 'playground'))}>
            {t('playground.sample.change')}
          </Button>
          <Button
            size="sm"
            icon={Play}
            isBusy={send.isRunning}
            disabledReason={readiness === 'ready' ? undefined : t('playground.checks.needsModel')}
            data-testid="model-sample-run"
            onClick={() => send.run()}
          >
            {t('playground.sample.run')}
          </Button>
        </>
      }
    >
      {outcome === undefined ? (
        <p className="text-soft">{t('playground.sample.none')}</p>
      ) : (
        <Example outcome={outcome} />
      )}
    </Card>
  );
}

function Example({ outcome: { request, result, refused } }: { readonly outcome: Outcome }) {
  const picture = useMemo(() => sentPicture(request), [request]);
  const outputs = result?.responses[0]?.outputs ?? NO_OUTPUTS;
  const isSmall = (result?.responseByteSize ?? 0) <= LARGEST_BYTES;
  const source = { model: request.model, version: result?.modelVersion ?? '' };
  return (
    <div className="flex flex-col gap-3" data-testid="model-sample-example" data-state={result?.ok === true}>
      <div className="flex flex-wrap items-center gap-3">
        {picture !== undefined && (
          <img
            src={picture.address}
            alt={t('playground.sample.picture')}
            className="size-20 rounded border border-line bg-sunken object-contain"
          />
        )}
        <ul className="min-w-0 font-mono text-sm text-soft">
          {request.inputs.map((input) => (
            <li key={input.name} className="truncate">
              {inputText(input)}
            </li>
          ))}
        </ul>
        {result !== undefined && <span className="ml-auto text-soft">{formatMillis(result.totalMs)}</span>}
      </div>
      {result?.ok !== true && <p className="text-bad select-text">{result?.error ?? refused}</p>}
      {isSmall && (
        <OverPicture outputs={outputs} picture={picture} pictureCount={picturesOf(request)} source={source} />
      )}
      {outputs.slice(0, SHOWN_OUTPUTS).map((output) => (
        <OutputCard
          key={output.name}
          output={output}
          isSummary={!isSmall}
          source={source}
          inputs={request.inputs}
        />
      ))}
      {outputs.length > SHOWN_OUTPUTS && (
        <p className="text-sm text-faint">
          {t('playground.sample.more', { count: outputs.length - SHOWN_OUTPUTS })}
        </p>
      )}
    </div>
  );
}

const SHOWN_VALUES = 6;

function inputText({ name, datatype, shape, source }: PlaygroundRequest['inputs'][number]): string {
  const values =
    source.kind === 'values'
      ? ` ${source.values.slice(0, SHOWN_VALUES).join(', ')}${source.values.length > SHOWN_VALUES ? ', …' : ''}`
      : '';
  return `${name} ${datatype} ${formatShape(shape)}${values}`;
}
