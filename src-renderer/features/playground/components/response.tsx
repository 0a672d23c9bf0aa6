// What came back: status, error with its meaning, and the views of the answer. Code and checks are there before the
// first request is sent.

import { Send } from 'lucide-react';
import { useStore } from 'zustand';

import { formatBytes, formatMillis, formatShape } from '../../../lib/format.ts';
import type { PlainKey } from '../../../texts/translate.ts';
import { elementCountOf } from '../../../tensors/tensor-slices.ts';
import { t } from '../../../texts/translate.ts';
import { Badge } from '../../../ui/badge.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { Progress } from '../../../ui/progress.tsx';
import { Tabs } from '../../../ui/tabs.tsx';
import type { PlaygroundResult } from '../../../../src-shared/contract/inference-calls.ts';
import type { StreamProgress } from '../../../../src-shared/contract/playground-answer.ts';
import type { PlaygroundContext } from '../playground-context.ts';
import type { Outcome } from '../playground-store.ts';
import { titleOfRefusal } from '../playground-store.ts';
import { useWait } from '../use-wait.ts';
import { ChecksTab } from './checks-tab.tsx';
import { CodeTab } from './code-tab.tsx';
import { DiffTab } from './diff-tab.tsx';
import { ErrorCard } from './error-card.tsx';
import { OutputsTab } from './outputs-tab.tsx';
import { RawTab } from './raw-tab.tsx';
import { StreamProgressView } from './stream-progress.tsx';
import { TimingTab } from './timing-tab.tsx';

const TABS: readonly { readonly id: string; readonly title: PlainKey }[] = [
  { id: 'outputs', title: 'playground.tab.outputs' },
  { id: 'raw', title: 'playground.tab.raw' },
  { id: 'timing', title: 'playground.tab.timing' },
  { id: 'code', title: 'playground.tab.code' },
  { id: 'diff', title: 'playground.tab.diff' },
  { id: 'checks', title: 'playground.tab.checks' },
];

/** Which tab is open is kept by model. */
export function Response({ context }: { readonly context: PlaygroundContext }) {
  const { store } = context;
  const tab = useStore(store, (state) => state.responseTab);
  const outcome = useStore(store, (state) => state.outcome);
  const isSending = useStore(store, (state) => state.sending !== undefined);
  const stream = useStore(store, (state) => state.stream?.progress);
  const waitedMs = useWait(isSending);
  return (
    <section
      aria-label={t('playground.response')}
      aria-busy={isSending}
      data-testid="pg-response"
      data-state={stateOf(outcome, isSending)}
      className="flex min-h-0 flex-1 flex-col"
    >
      {/* The answer before has nothing to do with what comes now. */}
      <StatusLine outcome={stream === undefined && waitedMs === undefined ? outcome : undefined} />
      <div className="h-1.5">
        {isSending && (
          <Progress value={undefined} label={t('playground.sending')} className="!rounded-none" />
        )}
      </div>
      <Tabs
        label={t('playground.response')}
        items={TABS.map(({ id, title }) => ({ id, title: t(title), testId: `pg-tab-${id}` }))}
        value={tab}
        onChange={(id) => store.setState({ responseTab: id })}
      >
        <div className="min-h-0 flex-1 overflow-auto bg-canvas p-3">
          <TabContent
            key={`${tab} ${keyOfContent(tab, outcome)}`}
            tab={tab}
            context={context}
            outcome={outcome}
            isSending={isSending}
            waitedMs={waitedMs}
            stream={stream}
          />
        </div>
      </Tabs>
    </section>
  );
}

/** What is about the request of the builder goes on when an answer comes: the language of the code, a check. */
function keyOfContent(tab: string, outcome: Outcome | undefined): number {
  return tab === 'code' || tab === 'checks' ? 0 : (outcome?.id ?? 0);
}

function stateOf(outcome: Outcome | undefined, isSending: boolean): string {
  if (isSending) return 'sending';
  if (outcome === undefined) return 'empty';
  return outcome.result?.ok === true ? 'ok' : 'error';
}

function StatusLine({ outcome }: { readonly outcome: Outcome | undefined }) {
  const result = outcome?.result;
  return (
    <div
      role="status"
      aria-live="polite"
      className="flex min-h-[2.75rem] flex-wrap items-center gap-x-2 gap-y-1 px-3 py-1.5"
      data-testid="pg-status"
    >
      {outcome === undefined ? (
        <span className="font-semibold text-strong">{t('playground.response')}</span>
      ) : result === undefined ? (
        <Badge tone="warn">{t(titleOfRefusal(outcome))}</Badge>
      ) : (
        <>
          <Badge tone={toneOf(result)} testId="pg-status-code">
            {result.status} {result.statusText}
          </Badge>
          <Pause />
          <span className="text-strong">{formatMillis(result.totalMs)}</span>
          <Pause />
          <span className="text-faint">
            {t('playground.sizes', {
              sent: formatBytes(result.requestByteSize),
              got: formatBytes(result.responseByteSize),
            })}
          </span>
          {result.modelVersion !== '' && (
            <>
              <Pause />
              <span className="text-faint">v{result.modelVersion}</span>
            </>
          )}
          {result.batchSize !== undefined && (
            <>
              <Pause />
              <span className="text-faint">{t('playground.inBatch', { size: result.batchSize })}</span>
            </>
          )}
          {result.streamed !== undefined && (
            <>
              <Pause />
              <span className="text-faint" data-testid="pg-stream-total">
                {t(result.streamed.isStopped ? 'playground.stream.stopped' : 'playground.stream.total', {
                  count: result.streamed.count,
                })}
              </span>
            </>
          )}
          <span className="sr-only">. {spokenOutputs(result)}</span>
        </>
      )}
    </div>
  );
}

function toneOf({ ok, streamed }: PlaygroundResult): 'good' | 'bad' | 'warn' {
  if (!ok) return 'bad';
  return streamed?.isStopped === true ? 'warn' : 'good';
}

/** For readers, who would hear one word without it. */
function Pause() {
  return <span className="sr-only">, </span>;
}

/** What came back, in one sentence: classes by name, a single value as it is, other outputs by shape. */
function spokenOutputs({ responses }: PlaygroundResult): string {
  return (responses[0]?.outputs ?? [])
    .map(({ name, shape, classes, preview }) => {
      const named = classes.map(({ label, index }) => (label === '' ? String(index) : label));
      if (named.length > 0) return `${name}: ${named.join(', ')}`;
      const [only] = preview;
      return `${name}: ${only !== undefined && elementCountOf(shape) === 1 ? only : formatShape(shape)}`;
    })
    .join('; ');
}

function TabContent({
  tab,
  context,
  outcome,
  isSending,
  waitedMs,
  stream,
}: {
  readonly tab: string;
  readonly context: PlaygroundContext;
  readonly outcome: Outcome | undefined;
  readonly isSending: boolean;
  readonly waitedMs: number | undefined;
  readonly stream: StreamProgress | undefined;
}) {
  if (tab === 'code') return <CodeTab context={context} />;
  if (tab === 'checks') return <ChecksTab context={context} />;
  if (tab === 'outputs' && stream !== undefined) return <StreamProgressView progress={stream} />;
  if (waitedMs !== undefined) {
    return (
      <EmptyState
        icon={Send}
        title={t('playground.waiting')}
        text={t('playground.waitedFor', { time: formatMillis(waitedMs) })}
      />
    );
  }
  if (outcome === undefined && isSending) return <EmptyState icon={Send} title={t('playground.waiting')} />;
  if (outcome === undefined) {
    return <EmptyState icon={Send} title={t('playground.empty')} text={t('playground.emptyText')} />;
  }
  if (tab === 'diff') return <DiffTab context={context} outcome={outcome} />;
  if (outcome.result === undefined) return <ErrorCard outcome={outcome} />;
  if (tab === 'raw') return <RawTab result={outcome.result} />;
  if (tab === 'timing') return <TimingTab outcome={outcome} result={outcome.result} />;
  return <OutputsTab io={context.store.getState().io} outcome={outcome} result={outcome.result} />;
}
