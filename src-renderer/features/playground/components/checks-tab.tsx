// Two questions about the request in the builder: does the server give what plain ONNX Runtime gives, and what does
// each encoding cost.

import { useMemo, useRef } from 'react';
import { useStore } from 'zustand';

import type { PlaygroundRequest } from '../../../../src-shared/contract/inference-calls.ts';
import { useClient } from '../../../engine/engine-context.tsx';
import { useAction } from '../../../engine/use-action.ts';
import { formatBytes, formatClock, formatMillis } from '../../../lib/format.ts';
import type { AnswerSource } from '../../../tensors/class-names.ts';
import { DifferenceTable } from '../../../tensors/difference-table.tsx';
import { t } from '../../../texts/translate.ts';
import { Banner } from '../../../ui/banner.tsx';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { SimpleTable } from '../../../ui/simple-table.tsx';
import { withBatchSize } from '../draft.ts';
import { toRequest } from '../draft-request.ts';
import type { PlaygroundContext } from '../playground-context.ts';
import type { CheckResults } from '../playground-store.ts';
import { editDraft } from '../playground-store.ts';
import { sentPicture } from '../sent-picture.ts';
import { ParityAnswers } from './parity-answers.tsx';

/** Each check runs on a button and can be cancelled. */
export function ChecksTab({ context }: { readonly context: PlaygroundContext }) {
  const { store, name: model, version, readiness } = context;
  const isSequence = useStore(store, (state) => state.io?.isSequence ?? false);
  const reason = readiness === 'ready' ? undefined : t('playground.checks.needsModel');
  // The draft of the moment: a button may have changed it just before.
  const request = (): PlaygroundRequest | undefined => {
    const { draft } = store.getState();
    return draft === undefined ? undefined : toRequest(draft, { model, version, isSequence });
  };
  return (
    <div className="flex flex-col gap-3">
      <Parity store={store} request={request} reason={reason} source={{ model, version }} />
      <EncodingCost store={store} request={request} reason={reason} />
    </div>
  );
}

interface CheckProps extends Pick<PlaygroundContext, 'store'> {
  readonly request: () => PlaygroundRequest | undefined;
  readonly reason: string | undefined;
}

function Parity({ store, request, reason, source }: CheckProps & { readonly source: AnswerSource }) {
  const batchSize = useStore(store, (state) => state.draft?.inputs[0]?.shape[0] ?? 1);
  const hasBatch = useStore(store, (state) => (state.io?.maxBatchSize ?? 0) > 0);
  const client = useClient();
  const kept = useStore(store, (state) => state.checks.parity);
  const parity = kept?.result;
  const picture = useMemo(() => kept && sentPicture(kept.request), [kept]);
  const { run, cancel, isRunning } = useCancellable(async (signal) => {
    const subject = request();
    if (subject === undefined) return;
    const result = await client.call('playground/parity', subject, { signal });
    keepChecks(store, { parity: { atMs: Date.now(), result, request: subject } });
  });
  return (
    <Card
      title={t('playground.parity')}
      testId="pg-parity"
      actions={
        <RunButton
          {...{ run, cancel, isRunning, reason }}
          label={t('playground.parity.run')}
          testId="pg-parity-run"
        />
      }
    >
      <p className="text-soft">{t('playground.parity.text')}</p>
      {parity !== undefined && (
        <div className="mt-3 flex flex-col gap-3" data-testid="pg-parity-result" data-state={parity.verdict}>
          <Banner
            tone={parity.verdict === 'match' ? 'good' : parity.verdict === 'differ' ? 'warn' : 'neutral'}
            testId="pg-parity-verdict"
          >
            {parity.message}
          </Banner>
          <CheckedAt atMs={kept?.atMs} />
          {parity.outputs.length > 0 && (
            <>
              <DifferenceTable rows={parity.outputs} />
              <p className="text-sm text-faint">
                {t('playground.parity.tolerance', { tolerance: parity.tolerance.toExponential() })}
              </p>
              <ParityAnswers answers={parity.answers} source={source} picture={picture} />
            </>
          )}
          {parity.verdict === 'differ' && hasBatch && batchSize > 1 && (
            <Button
              size="sm"
              className="self-start"
              data-testid="pg-parity-one"
              onClick={() => {
                editDraft(store, (draft) => withBatchSize(draft, 1));
                run();
              }}
            >
              {t('playground.parity.tryOne')}
            </Button>
          )}
        </div>
      )}
    </Card>
  );
}

function EncodingCost({ store, request, reason }: CheckProps) {
  const client = useClient();
  const kept = useStore(store, (state) => state.checks.encodings);
  const rows = kept?.rows;
  const { run, cancel, isRunning } = useCancellable(async (signal) => {
    const subject = request();
    if (subject === undefined) return;
    const measured = await client.call('playground/encodingCost', subject, { signal });
    keepChecks(store, { encodings: { atMs: Date.now(), rows: measured } });
  });
  const fastest = Math.min(
    ...(rows ?? []).filter(({ error }) => error === undefined).map(({ p50Ms }) => p50Ms),
  );
  return (
    <Card
      title={t('playground.encoding')}
      testId="pg-encoding"
      actions={
        <RunButton
          {...{ run, cancel, isRunning, reason }}
          label={t('playground.encoding.run')}
          testId="pg-encoding-run"
        />
      }
    >
      <p className="text-soft">{t('playground.encoding.text')}</p>
      {rows !== undefined && (
        <div className="mt-3 flex flex-col gap-2">
          <CheckedAt atMs={kept?.atMs} />
          <SimpleTable
            label={t('playground.encoding')}
            testId="pg-encoding-table"
            rows={rows}
            keyOf={({ encoding }) => encoding}
            columns={[
              {
                id: 'encoding',
                title: t('playground.encoding.name'),
                cell: ({ encoding }) => encodingText(encoding),
              },
              {
                id: 'size',
                title: t('playground.encoding.size'),
                align: 'end',
                cell: ({ bodyByteSize, error }) => (error === undefined ? formatBytes(bodyByteSize) : '–'),
              },
              {
                id: 'time',
                title: t('playground.encoding.time'),
                align: 'end',
                cell: ({ p50Ms, error }) =>
                  error === undefined ? formatMillis(p50Ms) : <span className="text-bad">{error}</span>,
              },
              {
                id: 'added',
                title: t('playground.encoding.added'),
                align: 'end',
                cell: ({ p50Ms, error }) =>
                  error === undefined && p50Ms > fastest ? `+${formatMillis(p50Ms - fastest)}` : '–',
              },
            ]}
          />
        </div>
      )}
    </Card>
  );
}

function keepChecks(store: PlaygroundContext['store'], found: CheckResults): void {
  store.setState(({ checks }) => ({ checks: { ...checks, ...found } }));
}

/** When it was found: the request and the model may have changed since. */
function CheckedAt({ atMs }: { readonly atMs: number | undefined }) {
  if (atMs === undefined) return null;
  return <p className="text-sm text-faint">{t('playground.checkedAt', { time: formatClock(atMs) })}</p>;
}

function encodingText(encoding: string): string {
  if (encoding === 'http-json') return 'HTTP, JSON';
  return encoding === 'grpc' ? 'gRPC' : t('playground.encoding.binary');
}

interface RunButtonProps {
  readonly run: () => void;
  readonly cancel: () => void;
  readonly isRunning: boolean;
  readonly reason: string | undefined;
  readonly label: string;
  readonly testId: string;
}

function RunButton({ run, cancel, isRunning, reason, label, testId }: RunButtonProps) {
  if (isRunning) {
    return (
      <Button size="sm" onClick={cancel}>
        {t('common.cancel')}
      </Button>
    );
  }
  return (
    <Button size="sm" disabledReason={reason} data-testid={testId} onClick={run}>
      {label}
    </Button>
  );
}

function useCancellable(work: (signal: AbortSignal) => Promise<void>): {
  readonly run: () => void;
  readonly cancel: () => void;
  readonly isRunning: boolean;
} {
  const controller = useRef<AbortController>(undefined);
  const { run, isRunning } = useAction(() => {
    controller.current = new AbortController();
    return work(controller.current.signal);
  });
  const cancel = (): void => controller.current?.abort(new DOMException('cancelled', 'AbortError'));
  return { run, cancel, isRunning };
}
