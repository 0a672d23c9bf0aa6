// The Code tab of a model that is source: its files in an editor, saved and loaded as its configuration is.

import { FileX2 } from 'lucide-react';
import { Suspense, useEffect, useState } from 'react';
import { useStore } from 'zustand';

import type { ModelView } from '../../../src-shared/contract/model-view.ts';
import type { Draft } from '../../config/drafts/config-drafts.ts';
import { codeDocument, setDraftText } from '../../config/drafts/config-drafts.ts';
import { startConfigSession } from '../../config/drafts/config-session.ts';
import { saveAndReload, saveDraft } from '../../config/drafts/draft-actions.ts';
import type { EditorTarget } from '../../config/editor/editor-control.ts';
import { editorOf } from '../../config/editor/editor-control.ts';
import { useEngine, useModel } from '../../engine/engine-context.tsx';
import { useCall } from '../../engine/use-call.ts';
import { useEvent } from '../../engine/use-event.ts';
import { useCommand } from '../../lib/command-registry.ts';
import type { ModelTabProps } from '../../lib/feature.ts';
import { setSizes, useWorkspace } from '../../lib/workspace-store.ts';
import { lazyView } from '../../lib/lazy-view.ts';
import { t } from '../../texts/translate.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Split } from '../../ui/split.tsx';
import { codePanes, showFile } from './code-panes.ts';
import { CodeBanners } from './components/code-banners.tsx';
import { CodeDiff } from './components/code-diff.tsx';
import { CodeToolbar } from './components/code-toolbar.tsx';
import { useCodeDraft } from './use-code-draft.ts';

const CodeEditor = lazyView(async () => (await import('../../config/editor/code-editor.tsx')).CodeEditor);

startConfigSession();

/** The address may name file and line (`?file=`, `?line=`). */
export function CodeTab({ model: name, address }: ModelTabProps) {
  const model = useModel(name);
  const list = useCall('code/files', { model: name }, model?.loadedAtMs);
  const { reload } = list;
  const files = useLast(list.data, name);
  useEvent('code/changedOnDisk', (change) => {
    if (change.model === name) reload();
  });
  const { query } = address;
  useEffect(() => {
    if (query['file'] !== undefined) showFile(name, query['file']);
  }, [name, query]);
  const chosen = useStore(codePanes, (state) => state.files[name]);
  const file = files?.find(({ path }) => path === chosen)?.path ?? files?.[0]?.path ?? '';
  const read = useCodeDraft(name, file);
  if (model === undefined) return null;
  const problem = list.error ?? read.error;
  const retry = <Button onClick={list.error === undefined ? read.retry : reload}>{t('common.retry')}</Button>;
  if (problem !== undefined && read.draft === undefined) {
    return <EmptyState icon={FileX2} title={t('config.readFailed')} text={problem} actions={retry} />;
  }
  if (files === undefined) return <Skeleton rows={8} />;
  if (file === '') {
    return (
      <EmptyState icon={FileX2} testId="code-none" title={t('code.none.title')} text={t('code.none.text')} />
    );
  }
  if (read.draft === undefined) return <Skeleton rows={8} />;
  const toolbar = <CodeToolbar model={model} files={files} file={file} draft={read.draft} />;
  return (
    <div className="flex min-h-0 flex-1 flex-col" data-testid="code-tab">
      {toolbar}
      {problem !== undefined && (
        <Banner tone="bad" isStrip actions={retry} testId="code-unread">
          {t('code.unread', { file, reason: problem })}
        </Banner>
      )}
      <CodeScreen key={file} model={model} file={file} draft={read.draft} target={targetOf(query, file)} />
    </div>
  );
}

/** The last value that was there for a model: what was read stays while reading it again fails. */
function useLast<Value>(value: Value | undefined, model: string): Value | undefined {
  const [last, setLast] = useState({ model, value });
  const isNew = last.model !== model || (value !== undefined && value !== last.value);
  if (isNew) setLast({ model, value });
  return isNew ? value : last.value;
}

const targets = new WeakMap<Readonly<Record<string, string>>, EditorTarget>();

/** The line that the address leads to, in the file that it names; one object per address. */
function targetOf(query: Readonly<Record<string, string>>, file: string): EditorTarget | undefined {
  const line = Number(query['line']);
  if (!(Number.isInteger(line) && line > 0) || (query['file'] ?? file) !== file) return undefined;
  const target = targets.get(query) ?? { line };
  targets.set(query, target);
  return target;
}

interface ScreenProps {
  readonly model: ModelView;
  readonly file: string;
  readonly draft: Draft;
  readonly target: EditorTarget | undefined;
}

function CodeScreen(props: ScreenProps) {
  const { model, file, draft } = props;
  const document = codeDocument(model.name, file);
  const isComparing = useStore(codePanes, (state) => state.isComparing);
  const sizes = useWorkspace((state) => state.sizes['code-editor']);
  const { readOnlyReason } = draft.disk;
  const lockedReason =
    readOnlyReason === undefined ? undefined : t('config.locked', { reason: readOnlyReason });
  useCodeCommands(document, lockedReason);
  const left = {
    id: 'text',
    minSize: 280,
    content: <TextSide {...props} document={document} lockedReason={lockedReason} />,
  };
  const right = {
    id: 'diff',
    minSize: 240,
    defaultSize: '50%',
    content: <CodeDiff model={model} document={document} file={file} draft={draft} />,
  };
  return (
    <>
      <CodeBanners document={document} draft={draft} lockedReason={lockedReason} />
      <Split
        id="code-split"
        label={t('code.compare')}
        panels={isComparing ? [left, right] : [left]}
        sizes={sizes}
        onSizes={(next) => setSizes('code-editor', next)}
      />
    </>
  );
}

function TextSide({
  model,
  file,
  draft,
  document,
  target,
  lockedReason,
}: ScreenProps & { readonly document: string; readonly lockedReason: string | undefined }) {
  const { refusal } = draft.disk;
  if (refusal !== undefined) {
    return (
      <EmptyState
        icon={FileX2}
        testId="code-refused"
        title={t(`code.refused.${refusal}`)}
        text={t('code.refused.text')}
      />
    );
  }
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      {!draft.disk.exists && <Banner tone="warn">{t('code.gone', { file })}</Banner>}
      <Suspense fallback={<Skeleton rows={12} />}>
        <CodeEditor
          document={document}
          text={draft.text}
          savedText={draft.disk.text}
          onText={(text) => setDraftText(document, text)}
          label={t('code.editor', { file, name: model.name })}
          readOnlyReason={lockedReason}
          target={target}
          testId="code-editor"
        />
      </Suspense>
    </div>
  );
}

function useCodeCommands(document: string, lockedReason: string | undefined): void {
  const engine = useEngine();
  const whenUnlocked = (): string | undefined => lockedReason;
  useCommand('file.save', () => void saveDraft(engine, document), whenUnlocked);
  useCommand('file.saveReload', () => void saveAndReload(engine, document), whenUnlocked);
  useCommand('find.inView', () => editorOf(document)?.trigger('actions.find'));
  useCommand('editor.split', () => {
    codePanes.setState(({ isComparing }) => ({ isComparing: !isComparing }));
  });
}
