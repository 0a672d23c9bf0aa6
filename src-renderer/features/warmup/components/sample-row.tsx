// One sample: what it is, its editor and its text, running it now, putting it into the configuration. A row whose run
// failed stays marked, because a load would fail the same way.

import { ChevronDown, ChevronRight, RotateCcw, Trash2 } from 'lucide-react';
import { useRef, useState } from 'react';
import { useStore } from 'zustand';

import { insertSample, removeSample } from '../../../actions/warmup-sample.ts';
import { useClient } from '../../../engine/engine-context.tsx';
import { useAction } from '../../../engine/use-action.ts';
import { t } from '../../../texts/translate.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { CodeBlock } from '../../../ui/code-block.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { toastSuccess } from '../../../ui/toast.tsx';
import type { WarmupDraft } from '../warmup-draft.ts';
import { draftIssue, textOf } from '../warmup-draft.ts';
import type { WarmupStore } from '../warmup-store.ts';
import { dropSample, editDraft, setDraft, setResult } from '../warmup-store.ts';
import { Outcome } from './outcome.tsx';
import { SampleEditor } from './sample-editor.tsx';
import { toastThrown } from '../../../engine/toast-thrown.ts';

const ITERATIONS = 20;

/** A sample of the list, and whether it differs from where it came from. */
export interface ListedSample {
  readonly key: string;
  readonly origin: 'file' | 'suggested' | 'added';
  /** As it is in the file, or was suggested. */
  readonly original: WarmupDraft | undefined;
  readonly draft: WarmupDraft;
}

/** A sample and the model that it is for; `maxBatchSize` 0 = the model does not batch. */
export interface SampleRowProps {
  readonly model: string;
  readonly store: WarmupStore;
  readonly sample: ListedSample;
  readonly maxBatchSize: number;
  readonly files: readonly string[];
  readonly isLoaded: boolean;
  /** The file or its folder changed. */
  readonly onChanged: () => void;
}

/** Closed at first, but for a sample that was added here. */
export function SampleRow(props: SampleRowProps) {
  const { model, store, sample, onChanged } = props;
  const { key, draft, origin } = sample;
  const [isOpen, setIsOpen] = useState(origin === 'added');
  const result = useStore(store, ({ results }) => results[key]);
  const isShown = useStore(store, ({ shown }) => shown === key);
  const hasFailed = result?.instances.some(({ error }) => error !== undefined) === true;
  return (
    <li
      className="py-3"
      data-testid={`warmup-sample-${draft.name}`}
      data-state={result === undefined ? 'idle' : hasFailed ? 'failed' : 'ok'}
    >
      <div className="flex flex-wrap items-center gap-2">
        <IconButton
          label={t(isOpen ? 'warmup.close' : 'warmup.edit', { name: draft.name })}
          icon={isOpen ? ChevronDown : ChevronRight}
          aria-expanded={isOpen}
          data-testid={`warmup-edit-${draft.name}`}
          onClick={() => setIsOpen(!isOpen)}
        />
        <span className="font-mono text-strong">{draft.name}</span>
        <span className="text-soft">
          {t('warmup.sample', { batch: draft.batchSize, count: draft.count })}
        </span>
        <Badge>{t(`warmup.origin.${origin}`)}</Badge>
        {hasFailed && <Badge tone="bad">{t('warmup.rowFailed')}</Badge>}
        <RowActions {...props} />
      </div>
      {result !== undefined && (
        <Outcome
          model={model}
          result={result}
          hasChart={isShown}
          count={draft.count}
          onCount={(count) => editDraft(store, sample, (now) => ({ ...now, count }))}
        />
      )}
      {isOpen && (
        <>
          <SampleEditor
            model={model}
            draft={draft}
            maxBatchSize={props.maxBatchSize}
            files={props.files}
            faultyInput={result?.faultyInput}
            isNameFixed={origin === 'file'}
            onChange={(edit) => editDraft(store, sample, edit)}
            onFilesChanged={onChanged}
          />
          <div className="mt-3">
            <CodeBlock text={textOf(draft)} />
          </div>
        </>
      )}
    </li>
  );
}

function RowActions({ model, store, sample, isLoaded, onChanged }: SampleRowProps) {
  const { key, draft, original, origin } = sample;
  const client = useClient();
  const cancel = useRef<AbortController>(undefined);
  const run = useAction(async () => {
    cancel.current = new AbortController();
    const { signal } = cancel.current;
    const args = { model, version: '', configText: textOf(draft), iterations: ITERATIONS };
    setResult(store, key, await client.call('warmup/run', args, { signal }));
  });
  const insert = useAction(async () => {
    const undo = await insertSample(client, model, textOf(draft));
    const takeBack = (): void => void undo().then(onChanged, toastThrown);
    toastSuccess(t('warmup.inserted'), { label: t('warmup.undo'), onClick: takeBack });
    if (origin === 'added') dropSample(store, key);
    else setDraft(store, key, undefined);
    onChanged();
  });
  const remove = useAction(async () => {
    const undo = await removeSample(client, model, draft.name);
    const takeBack = (): void => void undo().then(onChanged, toastThrown);
    toastSuccess(t('warmup.removed', { name: draft.name }), { label: t('warmup.undo'), onClick: takeBack });
    setDraft(store, key, undefined);
    onChanged();
  });
  const issue = draftIssue(draft);
  const isChanged = original !== undefined && textOf(original) !== textOf(draft);
  return (
    <span className="ml-auto flex items-center gap-2">
      {isChanged && (
        <IconButton
          label={t('warmup.revert')}
          icon={RotateCcw}
          onClick={() => setDraft(store, key, undefined)}
        />
      )}
      {origin === 'added' && (
        <IconButton
          label={t('warmup.drop')}
          icon={Trash2}
          data-testid={`warmup-drop-${draft.name}`}
          onClick={() => {
            const undo = dropSample(store, key);
            toastSuccess(t('warmup.dropped', { name: draft.name }), {
              label: t('warmup.undo'),
              onClick: undo,
            });
          }}
        />
      )}
      {origin === 'file' && (
        <IconButton
          needsServer
          label={t('warmup.remove', { name: draft.name })}
          icon={Trash2}
          isBusy={remove.isRunning}
          data-testid={`warmup-remove-${draft.name}`}
          onClick={() => remove.run()}
        />
      )}
      {run.isRunning ? (
        <Button onClick={() => cancel.current?.abort(new DOMException('cancelled', 'AbortError'))}>
          {t('warmup.cancel')}
        </Button>
      ) : (
        <Button
          disabledReason={isLoaded ? issue : t('warmup.notLoaded')}
          data-testid={`warmup-run-${draft.name}`}
          onClick={() => run.run()}
        >
          {t('warmup.run')}
        </Button>
      )}
      {(origin !== 'file' || isChanged) && (
        <Button
          isBusy={insert.isRunning}
          disabledReason={issue}
          data-testid={`warmup-insert-${draft.name}`}
          onClick={() => insert.run()}
        >
          {t(origin === 'file' ? 'warmup.update' : 'warmup.insert')}
        </Button>
      )}
    </span>
  );
}
