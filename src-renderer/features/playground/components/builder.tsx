// The request: protocol, batch size, one card per input, outputs and options, and what sends it.

import { Play, Save, Square } from 'lucide-react';
import type { ReactNode } from 'react';
import { useState } from 'react';
import { useStore } from 'zustand';

import { displayShortcut, spokenShortcut } from '../../../lib/keys.ts';
import { shortcutFor } from '../../../lib/keymap.ts';
import type { PlainKey } from '../../../texts/translate.ts';
import { t } from '../../../texts/translate.ts';
import { Banner } from '../../../ui/banner.tsx';
import { Button } from '../../../ui/button.tsx';
import { cx } from '../../../ui/cx.ts';
import { Field } from '../../../ui/field.tsx';
import { NumberInput } from '../../../ui/number-input.tsx';
import { KeyHint } from '../../../ui/key-hint.tsx';
import { useMainAct } from '../../../ui/main-act.tsx';
import { Segmented } from '../../../ui/toggles.tsx';
import type { Protocol, RequestDraft } from '../draft.ts';
import { halfTypeOf, withBatchSize } from '../draft.ts';
import type { PlaygroundContext } from '../playground-context.ts';
import { editDraft, faultyInputOf, patchDraft } from '../playground-store.ts';
import type { Readiness } from '../send-actions.ts';
import { cancelSending } from '../send-actions.ts';
import { usePaste } from '../use-paste.ts';
import { InputCard } from './input-card.tsx';
import { OptionsCard } from './options-card.tsx';
import { OutputsCard } from './outputs-card.tsx';
import { SaveDialog } from './save-dialog.tsx';
import { SequenceCard } from './sequence-card.tsx';

interface BuilderProps {
  readonly context: PlaygroundContext;
  /** Opens and closes the column of saved requests. */
  readonly toggle: ReactNode;
}

/** `toggle` stands beside what sends the request: it shows the saved ones where there is no room for both. */
export function Builder({ context, toggle }: BuilderProps) {
  const { store } = context;
  const draft = useStore(store, (state) => state.draft);
  const io = useStore(store, (state) => state.io);
  const outcome = useStore(store, (state) => state.outcome);
  const isJsonRefused = useStore(store, (state) => state.isJsonRefused);
  usePaste(store);
  if (draft === undefined || io === undefined) return null;
  const hasBatch = io.maxBatchSize > 0;
  const faulty = faultyInputOf(outcome);
  const half = halfTypeOf(draft);
  return (
    <section aria-label={t('playground.request')} className="flex min-h-0 flex-1 flex-col">
      <SendBar context={context} draft={draft} toggle={toggle} />
      <div className="flex min-h-0 flex-1 flex-col gap-3 overflow-auto bg-canvas p-3">
        {isJsonRefused && half !== undefined && (
          <Banner
            tone="info"
            testId="pg-json-refused"
            actions={
              <Button size="sm" onClick={() => store.setState({ isJsonRefused: false })}>
                {t('playground.ok')}
              </Button>
            }
          >
            {t('playground.noHalfJson', { datatype: half })}
          </Banner>
        )}
        {hasBatch && <BatchSize context={context} draft={draft} maxBatchSize={io.maxBatchSize} />}
        {draft.inputs.map((input) => (
          <InputCard
            key={input.name}
            store={store}
            input={input}
            hasBatch={hasBatch}
            faultId={faulty === input.name ? outcome?.id : undefined}
          />
        ))}
        {io.isSequence && <SequenceCard context={context} idleMs={io.sequenceIdleMs} />}
        <OutputsCard store={store} outputs={draft.outputs} />
        <OptionsCard store={store} draft={draft} />
      </div>
    </section>
  );
}

const SEND_TEXTS: Readonly<Record<Readiness, PlainKey>> = {
  ready: 'playground.send',
  busy: 'playground.send',
  impossible: 'playground.send',
  load: 'playground.loadAndSend',
  loading: 'playground.sendOnceLoaded',
  start: 'playground.startAndSend',
};

function SendBar({ context, draft, toggle }: BuilderProps & { readonly draft: RequestDraft }) {
  const { store, readiness } = context;
  const isSending = useStore(store, (state) => state.sending !== undefined);
  const [isSaving, setIsSaving] = useState(false);
  const isMain = useMainAct(true, 'sends');
  const reason =
    readiness === 'busy'
      ? t('command.busy')
      : readiness === 'impossible'
        ? t('playground.notRunnable')
        : undefined;
  const half = halfTypeOf(draft);
  const keys = displayShortcut(shortcutFor('screen.main'));
  const noJson = half === undefined ? undefined : t('playground.noHalfJson', { datatype: half });
  const protocols: readonly { value: Protocol; label: string; disabledReason?: string | undefined }[] = [
    { value: 'http-json', label: 'JSON', disabledReason: noJson },
    { value: 'http-binary', label: t('playground.binary') },
    { value: 'grpc', label: 'gRPC' },
  ];
  return (
    <div className="@container flex min-h-[2.75rem] flex-wrap items-center gap-2 border-b border-line px-3 py-1.5">
      {toggle}
      <Segmented
        label={t('playground.protocol')}
        testId="pg-protocol"
        options={protocols}
        value={draft.protocol}
        onChange={(protocol) => patchDraft(store, { protocol })}
      />
      <div className="ml-auto flex items-center gap-2">
        <Button icon={Save} data-testid="pg-save" onClick={() => setIsSaving(true)}>
          {t('playground.save')}
        </Button>
        {isSending ? (
          <Button icon={Square} data-testid="pg-cancel" onClick={() => cancelSending(store.getState())}>
            {t('common.cancel')}
          </Button>
        ) : (
          <Button
            variant={isMain ? 'primary' : 'secondary'}
            icon={Play}
            disabledReason={reason}
            aria-keyshortcuts={spokenShortcut(keys)}
            data-testid="pg-send"
            onClick={context.send}
          >
            {t(SEND_TEXTS[readiness])}
            <KeyHint keys={keys} className={cx('hidden @[30rem]:inline', isMain && '!text-on-accent')} />
          </Button>
        )}
      </div>
      <SaveDialog context={context} isOpen={isSaving} onClose={() => setIsSaving(false)} />
    </div>
  );
}

function BatchSize({
  context: { store },
  draft,
  maxBatchSize,
}: {
  readonly context: PlaygroundContext;
  readonly draft: RequestDraft;
  readonly maxBatchSize: number;
}) {
  const batchSize = draft.inputs.find(({ shape }) => shape.length > 0)?.shape[0] ?? 1;
  return (
    <Field
      label={t('playground.batchSize')}
      help={t('playground.batchHelp', { max: maxBatchSize })}
      isInline
      className="rounded-md border border-line bg-surface px-3 py-2"
    >
      <NumberInput
        value={batchSize}
        min={0}
        aria-label={t('playground.batchSize')}
        data-testid="pg-batch-size"
        onChange={(next) => editDraft(store, (current) => withBatchSize(current, next ?? 1))}
      />
    </Field>
  );
}
