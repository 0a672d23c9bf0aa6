// One captured request: what was sent and what came back, looked at like any other answer; on to the playground, or sent
// once more and compared with what was captured.

import type { ReactNode } from 'react';
import { useEffect, useRef, useState } from 'react';

import type { CapturedRequest, CapturedRow } from '../../src-shared/contract/capture-calls.ts';
import type { PlaygroundRequest, TensorDifference } from '../../src-shared/contract/inference-calls.ts';
import type { EngineClient } from '../engine/engine-client.ts';
import { useClient } from '../engine/engine-context.tsx';
import { useAction } from '../engine/use-action.ts';
import { useCall } from '../engine/use-call.ts';
import { modelAddress } from '../lib/address.ts';
import { hasModelTab } from '../lib/areas.ts';
import { formatClock } from '../lib/format.ts';
import { open } from '../lib/workspace-store.ts';
import { compareOutputs } from './compare-answers.ts';
import { DifferenceTable } from './difference-table.tsx';
import { OutputCard } from './output-card.tsx';
import { isSentPicture, OverPicture, useTensorPicture } from './over-picture.tsx';
import { t } from '../texts/translate.ts';
import { Banner } from '../ui/banner.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Skeleton } from '../ui/skeleton.tsx';

const TOLERANCE = 1e-5;

/** What came of sending it once more. */
interface Again {
  readonly error: string | undefined;
  readonly differences: readonly TensorDifference[];
}

interface CapturedDialogProps {
  readonly row: CapturedRow;
  readonly onClose: () => void;
}

/** Reads the tensors when it opens. */
export function CapturedDialog({ row, onClose }: CapturedDialogProps) {
  const client = useClient();
  const captured = useCall('capture/open', { id: row.id });
  const [again, setAgain] = useState<Again>();
  const send = useAction(async () => {
    if (captured.data === undefined) return;
    const { request, responses } = captured.data;
    const { ok, error, responses: now } = await client.call('playground/send', asOwn(request));
    setAgain({
      error: ok ? undefined : error,
      differences: ok ? await compareAnswers(client, now, responses) : [],
    });
  });
  const reason = row.hasTensors ? undefined : t('capture.onlyFacts');
  const missing = captured.data === undefined ? (captured.error ?? t('common.loading')) : undefined;
  const { sequence } = captured.data?.request ?? {};
  const inside = sequence?.start === false ? t('capture.insideSequence', { id: sequence.id }) : undefined;
  return (
    <Dialog
      isOpen
      onClose={onClose}
      width="lg"
      testId="captured-dialog"
      title={t('capture.title', { model: row.model, time: formatClock(row.atMs, true) })}
      footer={
        <>
          <Button worksOffline onClick={onClose}>
            {t('capture.close')}
          </Button>
          <Button
            isBusy={send.isRunning}
            disabledReason={reason ?? missing ?? inside}
            data-testid="captured-again"
            onClick={() => send.run()}
          >
            {t('capture.again')}
          </Button>
          {hasModelTab('playground') && (
            <Button
              variant="primary"
              disabledReason={reason}
              data-testid="captured-open"
              onClick={() => {
                onClose();
                open(modelAddress(row.model, 'playground', { captured: String(row.id) }));
              }}
            >
              {t('capture.open')}
            </Button>
          )}
        </>
      }
    >
      <div className="flex flex-col gap-3">
        {again !== undefined && (
          <ComesIntoView of={again}>
            <Verdict again={again} />
          </ComesIntoView>
        )}
        {sequence !== undefined && (
          <p className="text-soft" data-testid="captured-sequence">
            {inside ?? t('capture.startOfSequence', { id: sequence.id })}
          </p>
        )}
        {!row.hasTensors && <Banner tone="info">{t('capture.onlyFacts')}</Banner>}
        {row.error !== undefined && <Banner tone="bad">{row.error}</Banner>}
        {captured.error !== undefined && <Banner tone="bad">{captured.error}</Banner>}
        {captured.isLoading && captured.data === undefined && <Skeleton rows={4} />}
        {captured.data !== undefined && row.hasTensors && <Tensors captured={captured.data} />}
      </div>
    </Dialog>
  );
}

/** The same request, but not in a sequence of the client: that is left as it is. */
function asOwn(request: PlaygroundRequest): PlaygroundRequest {
  const { sequence } = request;
  if (sequence === undefined) return request;
  // Fits every type that a model may be given the id as.
  const own = String(1e9 + Math.floor(Math.random() * 1e9));
  const id = /^\d+$/.test(sequence.id) ? own : `${sequence.id}-${own}`;
  return { ...request, sequence: { ...sequence, id } };
}

interface Answer {
  readonly outputs: Parameters<typeof compareOutputs>[1];
  /** The server's words; undefined on success, as in the answer that it is of. */
  readonly error: string | undefined;
}

const NO_ANSWER: Answer = { outputs: [], error: undefined };

/** Answer by answer; of several each says which one it is. An answer that only one side has differs as a whole. */
async function compareAnswers(
  client: EngineClient,
  now: readonly Answer[],
  before: readonly Answer[],
): Promise<readonly TensorDifference[]> {
  const count = Math.max(now.length, before.length);
  const rows = await Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const [ours, theirs] = [now[index] ?? NO_ANSWER, before[index] ?? NO_ANSWER];
      const outputs = await compareOutputs(client, ours.outputs, theirs.outputs, TOLERANCE);
      const differences = [...errorDifference(ours.error, theirs.error), ...outputs];
      if (count === 1) return differences;
      return differences.map((row) => ({ ...row, name: `${index + 1}: ${row.name}` }));
    }),
  );
  return rows.flat();
}

/** One row where two answers failed in different ways, or only one of them did. */
function errorDifference(ours: string | undefined, theirs: string | undefined): readonly TensorDifference[] {
  if (ours === theirs) return [];
  const none = t('capture.noError');
  const firstDiffering = t('capture.errors', { now: ours ?? none, before: theirs ?? none });
  return [{ name: t('capture.error'), maxAbsolute: undefined, maxRelative: undefined, firstDiffering }];
}

/** It stands above all tensors, and the button below them: whoever has scrolled down would see nothing happen. */
function ComesIntoView({ of, children }: { readonly of: Again; readonly children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // Newer browsers give a promise, which React would call as the end of the effect.
    void box.current?.scrollIntoView({ block: 'nearest' });
  }, [of]);
  return (
    <div ref={box} className="flex flex-col gap-3">
      {children}
    </div>
  );
}

function Verdict({ again: { error, differences } }: { readonly again: Again }) {
  if (error !== undefined) return <Banner tone="bad">{t('capture.failedNow', { error })}</Banner>;
  const where = differences.find(({ firstDiffering }) => firstDiffering !== undefined)?.firstDiffering;
  return (
    <>
      <Banner tone={where === undefined ? 'good' : 'warn'} testId="captured-verdict">
        {where === undefined
          ? t('capture.same', { tolerance: TOLERANCE.toExponential() })
          : t('capture.differs', { where })}
      </Banner>
      <DifferenceTable rows={differences} />
    </>
  );
}

function Tensors({ captured: { inputs, responses, row } }: { readonly captured: CapturedRequest }) {
  const picture = useTensorPicture(inputs);
  const source = { model: row.model, version: row.version };
  return (
    <>
      <h3 className="font-semibold text-strong">{t('capture.inputs')}</h3>
      {inputs.map((input) => (
        <OutputCard key={input.name} output={input} isSummary={false} />
      ))}
      <h3 className="font-semibold text-strong">{t('capture.answer')}</h3>
      {responses.length === 0 && <p className="text-soft">{t('capture.noAnswer')}</p>}
      {responses.map(({ outputs, error }, index) => (
        <div key={`answer ${index}`} className="flex flex-col gap-3">
          {responses.length > 1 && (
            <h4 className="text-sm text-soft">
              {t('capture.answerOf', { index: index + 1, count: row.responseCount })}
            </h4>
          )}
          {error !== undefined && error !== row.error && <Banner tone="bad">{error}</Banner>}
          <OverPicture
            outputs={outputs}
            picture={picture}
            pictureCount={inputs.filter(isSentPicture).length}
            source={source}
          />
          {outputs.map((output) => (
            <OutputCard key={output.name} output={output} isSummary={false} source={source} inputs={inputs} />
          ))}
        </div>
      ))}
    </>
  );
}
