// One input: name, type, shape, how it is filled. Files may be dropped or pasted anywhere on the card. The input that
// the last error was about is marked and gets the focus.

import { useEffect, useRef, useState } from 'react';
import type { ClipboardEvent, DragEvent } from 'react';
import { useStore } from 'zustand';

import { useClient } from '../../../engine/engine-context.tsx';
import type { PlainKey } from '../../../texts/translate.ts';
import { t } from '../../../texts/translate.ts';
import { Badge } from '../../../ui/badge.tsx';
import { cx } from '../../../ui/cx.ts';
import { Progress } from '../../../ui/progress.tsx';
import { Select } from '../../../ui/select.tsx';
import { Checkbox } from '../../../ui/toggles.tsx';
import type { FillMode, InputDraft } from '../draft.ts';
import { takesImage } from '../draft.ts';
import { inputIssue } from '../draft-issues.ts';
import { takeFile } from '../file-actions.ts';
import { takesSound } from '../sound-input.ts';
import type { PlaygroundStore } from '../playground-store.ts';
import { patchInput } from '../playground-store.ts';
import { FileSource } from './file-source.tsx';
import { GeneratorFields } from './generator-fields.tsx';
import { ImageSource } from './image-source.tsx';
import { ShapeRow } from './shape-row.tsx';
import { SoundSource } from './sound-source.tsx';
import { ValuesEditor } from './values-editor.tsx';

interface InputCardProps {
  readonly store: PlaygroundStore;
  readonly input: InputDraft;
  readonly hasBatch: boolean;
  /** Id of the outcome that blames this input. */
  readonly faultId: number | undefined;
}

/** `faultId` is the error that is about this input; another one moves the focus here again. */
export function InputCard({ store, input, hasBatch, faultId }: InputCardProps) {
  const client = useClient();
  const card = useRef<HTMLElement>(null);
  const [isOver, setIsOver] = useState(false);
  const upload = useStore(store, (state) => state.uploads[input.name]);
  const issue = inputIssue(input);
  const isFaulty = faultId !== undefined;
  // That nothing was chosen yet is no news; something that was typed and is wrong is.
  const isTyped = input.mode === 'values' || input.badShape !== undefined;
  useEffect(() => {
    if (faultId !== undefined) focusFirst(card.current);
  }, [faultId]);
  const take = (files: FileList | undefined): boolean => {
    const file = files?.[0];
    if (file === undefined) return false;
    void takeFile(client, store, input, file);
    return true;
  };
  const onDrop = (event: DragEvent): void => {
    event.preventDefault();
    event.stopPropagation();
    setIsOver(false);
    take(event.dataTransfer.files);
  };
  const onDragOver = (event: DragEvent): void => {
    if (!event.dataTransfer.types.includes('Files')) return;
    event.preventDefault();
    event.stopPropagation();
    setIsOver(true);
  };
  const onPaste = (event: ClipboardEvent): void => {
    if (take(event.clipboardData.files)) event.preventDefault();
  };
  return (
    <section
      ref={card}
      aria-label={input.name}
      data-testid={`pg-input-${input.name}`}
      data-state={isFaulty ? 'faulty' : issue === undefined ? 'ok' : 'issue'}
      data-drop-target="input"
      onDrop={onDrop}
      onDragEnter={onDragOver}
      onDragOver={onDragOver}
      onDragLeave={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setIsOver(false);
      }}
      onPaste={onPaste}
      className={cx(
        'min-w-0 rounded-md border bg-surface',
        isFaulty ? 'border-bad ring-1 ring-bad' : isOver ? 'border-accent ring-1 ring-accent' : 'border-line',
      )}
    >
      <header className="flex min-h-9 flex-wrap items-center gap-x-2 gap-y-1 border-b border-line px-3 py-1">
        {input.isOptional && (
          <Checkbox
            isOn={input.isSent}
            onChange={(isSent) => patchInput(store, input.name, { isSent })}
            aria-label={t('playground.sendInput', { name: input.name })}
          />
        )}
        <h3 className="min-w-0 truncate font-mono text-sm font-semibold text-strong">{input.name}</h3>
        <Badge>{input.datatype}</Badge>
        {isFaulty && <Badge tone="bad">{t('playground.atFault')}</Badge>}
        <ShapeRow store={store} input={input} hasBatch={hasBatch} />
        <div className="ml-auto">
          <Select
            aria-label={t('playground.fillOf', { name: input.name })}
            data-testid={`pg-mode-${input.name}`}
            value={input.mode}
            options={modesOf(input).map((mode) => ({ value: mode, label: t(MODE_TEXTS[mode]) }))}
            onChange={(mode) => patchInput(store, input.name, { mode, isSent: true })}
          />
        </div>
      </header>
      {isOver && (
        <p
          className="border-b border-line bg-info-soft px-3 py-1.5 font-medium text-info"
          data-testid={`pg-drop-${input.name}`}
        >
          {t('playground.dropHere', { name: input.name })}
        </p>
      )}
      {input.isSent && (
        <div className="flex flex-col gap-2 p-3">
          <Source store={store} input={input} hasBatch={hasBatch} />
          {upload !== undefined && (
            <Progress value={upload} label={t('playground.uploading', { name: input.name })} />
          )}
          {issue !== undefined && (
            <p
              role={isTyped ? 'alert' : undefined}
              aria-live={isTyped ? 'assertive' : undefined}
              className="text-sm text-bad"
              data-testid={`pg-issue-${input.name}`}
            >
              {issue}
            </p>
          )}
        </div>
      )}
    </section>
  );
}

function Source({ store, input, hasBatch }: Omit<InputCardProps, 'faultId'>) {
  switch (input.mode) {
    case 'values':
      return <ValuesEditor store={store} input={input} hasBatch={hasBatch} />;
    case 'file':
      return <FileSource store={store} input={input} />;
    case 'image':
      return <ImageSource store={store} input={input} />;
    case 'sound':
      return <SoundSource store={store} input={input} />;
    default:
      return <GeneratorFields store={store} input={input} />;
  }
}

const MODE_TEXTS: Readonly<Record<FillMode, PlainKey>> = {
  values: 'playground.mode.values',
  zeros: 'playground.mode.zeros',
  ones: 'playground.mode.ones',
  constant: 'playground.mode.constant',
  random: 'playground.mode.random',
  range: 'playground.mode.range',
  file: 'playground.mode.file',
  image: 'playground.mode.image',
  sound: 'playground.mode.sound',
};

function modesOf(input: InputDraft): readonly FillMode[] {
  if (input.datatype === 'BYTES') return ['values', 'constant', 'random', 'file'];
  const generators = ['values', 'zeros', 'ones', 'constant', 'random', 'range', 'file'] as const;
  if (takesImage(input)) return ['image', ...generators];
  return takesSound(input) ? ['sound', ...generators] : generators;
}

/** The shape field or the first value, whichever is there. */
function focusFirst(card: HTMLElement | null): void {
  const field =
    card?.querySelector<HTMLElement>('input, textarea') ?? card?.querySelector<HTMLElement>('button');
  field?.focus();
}
