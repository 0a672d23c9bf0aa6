// The playground of a model: saved requests and history, the request, the response. On narrow windows the first column
// waits behind a button, and the response stands below the request.

import { PanelLeft } from 'lucide-react';
import type { ReactNode } from 'react';
import { useEffect, useState } from 'react';
import { useStore } from 'zustand';

import { useConnection, useEngine, useModel, useServer } from '../../engine/engine-context.tsx';
import { useCall } from '../../engine/use-call.ts';
import { isRunning } from '../../actions/server-actions.ts';
import { useCommand } from '../../lib/command-registry.ts';
import type { ModelTabProps } from '../../lib/feature.ts';
import { setSizes, useWorkspace } from '../../lib/workspace-store.ts';
import { NARROW, useMedia } from '../../lib/use-media.ts';
import { t } from '../../texts/translate.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import type { SplitPanel } from '../../ui/split.tsx';
import { Split } from '../../ui/split.tsx';
import { Button } from '../../ui/button.tsx';
import { useCapturedAddress } from './captured.ts';
import { Builder } from './components/builder.tsx';
import { Response } from './components/response.tsx';
import { SavedColumn } from './components/saved-column.tsx';
import type { PlaygroundContext } from './playground-context.ts';
import { playgroundOf, setInterface } from './playground-store.ts';
import { followConnection } from './send-again.ts';
import { cancelSending, readinessOf, sendDraft } from './send-actions.ts';

const WIDE = '(min-width: 1200px)';
const SPLIT = 'playground';

/** The address may name a captured request. */
export function PlaygroundTab({ model: name, version, address }: ModelTabProps) {
  const engine = useEngine();
  const store = playgroundOf(name);
  const model = useModel(name);
  const isServing = useServer(isRunning);
  const refresh = `${model?.loadedAtMs ?? 0} ${model?.state ?? ''} ${String(model?.changedOnDisk ?? false)}`;
  const io = useCall('playground/interface', { model: name }, refresh);
  const hasDraft = useStore(store, (state) => state.draft !== undefined);
  const isSending = useStore(store, (state) => state.sending !== undefined);
  useEffect(() => {
    if (io.data !== undefined) setInterface(store, io.data);
  }, [store, io.data]);
  const generation = useConnection((state) => state.generation);
  useEffect(() => followConnection(engine.client, store, generation), [engine.client, store, generation]);
  useCapturedAddress(store, address.query, hasDraft);
  const readiness = readinessOf(model, isServing);
  const send = (): void => void sendDraft(engine, store, { model: name, version });
  const reason = (): string | undefined => sendReason(readiness);
  useCommand('screen.main', send, reason);
  useCommand('request.sendLast', send, reason);
  useCommand(
    'editor.quickFix',
    () => cancelSending(store.getState()),
    () => (isSending ? undefined : t('playground.nothingRuns')),
  );
  if (!hasDraft && io.error !== undefined) {
    return (
      <EmptyState
        testId="pg-unavailable"
        title={t('playground.noInterface')}
        text={io.error}
        actions={<Button onClick={io.reload}>{t('common.retry')}</Button>}
      />
    );
  }
  if (!hasDraft) return <Skeleton rows={6} />;
  return <Columns context={{ name, version, store, readiness, send }} />;
}

/** Undefined = sending is possible. */
function sendReason(readiness: ReturnType<typeof readinessOf>): string | undefined {
  if (readiness === 'busy') return t('command.busy');
  return readiness === 'impossible' ? t('playground.notRunnable') : undefined;
}

function Columns({ context }: { readonly context: PlaygroundContext }) {
  const isWide = useMedia(WIDE);
  const sizes = useWorkspace((state) => state.sizes[SPLIT]);
  const [isOpen, setIsOpen] = useState<boolean>();
  const isNarrow = useMedia(NARROW);
  const hasSaved = isOpen ?? isWide;
  const toggle = (
    <IconButton
      label={t('playground.saved.toggle')}
      icon={PanelLeft}
      isPressed={hasSaved}
      data-testid="pg-saved-toggle"
      onClick={() => setIsOpen(!hasSaved)}
    />
  );
  if (isNarrow) return <Rows context={context} toggle={toggle} hasSaved={isOpen === true} />;
  const panels: SplitPanel[] = [
    ...(hasSaved
      ? [
          {
            id: 'saved',
            defaultSize: 220,
            minSize: 160,
            isFixed: true,
            content: <SavedColumn context={context} />,
          },
        ]
      : []),
    { id: 'request', minSize: 320, content: <Builder context={context} toggle={toggle} /> },
    { id: 'response', minSize: 300, content: <Response context={context} /> },
  ];
  return (
    <div className="flex min-h-0 flex-1" data-testid="playground">
      <Split
        key={hasSaved ? 'three' : 'two'}
        id={hasSaved ? SPLIT : `${SPLIT}-two`}
        label={t('region.resize')}
        panels={panels}
        sizes={sizes}
        onSizes={(next) => {
          if (hasSaved) setSizes(SPLIT, next);
        }}
      />
    </div>
  );
}

/** Where two columns would be squeezed: the answer below the request, or what was saved in their place. */
function Rows({
  context,
  toggle,
  hasSaved,
}: {
  readonly context: PlaygroundContext;
  readonly toggle: ReactNode;
  readonly hasSaved: boolean;
}) {
  if (hasSaved) {
    return (
      <div className="flex min-h-0 flex-1 flex-col" data-testid="playground">
        <div className="flex h-10 shrink-0 items-center border-b border-line px-2">{toggle}</div>
        <SavedColumn context={context} />
      </div>
    );
  }
  return (
    <div className="flex min-h-0 flex-1" data-testid="playground">
      <Split
        key="rows"
        id={`${SPLIT}-rows`}
        label={t('region.resize')}
        orientation="vertical"
        panels={[
          { id: 'request', minSize: 160, content: <Builder context={context} toggle={toggle} /> },
          { id: 'response', minSize: 120, content: <Response context={context} /> },
        ]}
      />
    </div>
  );
}
