// The Config tab of a model: the text at the left with its findings below, at the right what the server makes of it.

import { FilePlus2, FileX2 } from 'lucide-react';
import type { ComponentProps } from 'react';
import { Suspense, useCallback, useEffect, useState } from 'react';
import { useStore } from 'zustand';

import type { ModelView } from '../../../src-shared/contract/model-view.ts';
import { probeModel } from '../../actions/probe-model.ts';
import { useEngine, useModel } from '../../engine/engine-context.tsx';
import { useAction } from '../../engine/use-action.ts';
import type { ModelTabProps } from '../../lib/feature.ts';
import { setSizes, useWorkspace } from '../../lib/workspace-store.ts';
import { lazyView } from '../../lib/lazy-view.ts';
import { t } from '../../texts/translate.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Split } from '../../ui/split.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { useMainAct } from '../../ui/main-act.tsx';
import { ConfigBanners } from './components/config-banners.tsx';
import { ConfigToolbar } from './components/config-toolbar.tsx';
import { DiffPane } from './components/diff-pane.tsx';
import type { PaneProps } from './components/effective-pane.tsx';
import { EffectivePane } from './components/effective-pane.tsx';
import { FillDialog } from './components/fill-dialog.tsx';
import { FormPane } from './components/form-pane.tsx';
import { PreviewPane } from './components/preview-pane.tsx';
import { ProblemsStrip } from './components/problems-strip.tsx';
import { fileName } from '../../config/drafts/draft-actions.ts';
import { createFromEffective, startEmpty } from './config-actions.ts';
import { setDraftText } from '../../config/drafts/config-drafts.ts';
import { useDraftText } from '../../config/drafts/use-draft.ts';
import { compareWith, configPanes, isSideView, showProfile, showSide, SIDE_VIEWS } from './config-panes.ts';
import { fillRequest } from '../../config/drafts/fill-request.ts';
import { startConfigSession } from '../../config/drafts/config-session.ts';
import type { EditorTarget } from '../../config/editor/editor-control.ts';
import { useConfigCommands } from './use-config-commands.ts';
import {
  useConfigDocument,
  useLanguageContext,
  useLiveCheck,
} from '../../config/drafts/use-config-document.ts';

const CodeEditor = lazyView(async () => (await import('../../config/editor/code-editor.tsx')).CodeEditor);

startConfigSession();

/**
 * The address may name what is compared, the view beside the text and the place to show (`?with=`, `?view=`,
 * `?line=`, `?find=`).
 */
export function ConfigTab({ model: name, address }: ModelTabProps) {
  const model = useModel(name);
  const profile = useStore(configPanes, ({ profiles }) => profiles[name]);
  const { document, draft, error, retry } = useConfigDocument(name, profile);
  const facts = useLanguageContext(name, document);
  const checkError = useLiveCheck(document, facts);
  const target = useTarget(name, address.query);
  if (model === undefined) return null;
  if (draft === undefined) {
    if (error === undefined) return <Skeleton rows={8} />;
    return (
      <EmptyState
        icon={FileX2}
        title={t('config.readFailed')}
        text={error}
        actions={<Button onClick={retry}>{t('common.retry')}</Button>}
      />
    );
  }
  return (
    <ConfigScreen
      key={document}
      model={model}
      document={document}
      draft={draft}
      facts={facts}
      checkError={checkError}
      target={target}
    />
  );
}

/** Where the address leads: a line, a field, or one of the views beside the text. */
function useTarget(name: string, query: Readonly<Record<string, string>>): EditorTarget | undefined {
  useEffect(() => {
    if (query['with'] !== undefined) compareWith(query['with']);
    else if (isSideView(query['view'])) showSide(query['view']);
    if (query['line'] !== undefined || query['find'] !== undefined) showProfile(name);
  }, [name, query]);
  return targetOf(query);
}

const targets = new WeakMap<Readonly<Record<string, string>>, EditorTarget>();

/** One object per address: coming back to a tab leads nowhere a second time. */
function targetOf(query: Readonly<Record<string, string>>): EditorTarget | undefined {
  const known = targets.get(query);
  if (known !== undefined) return known;
  const line = Number(query['line']);
  const find = query['find'];
  const target: EditorTarget | undefined =
    find !== undefined
      ? { find }
      : query['focus'] !== undefined
        ? { isFocusOnly: true }
        : Number.isInteger(line) && line > 0
          ? { line }
          : undefined;
  if (target !== undefined) targets.set(query, target);
  return target;
}

interface ScreenProps extends PaneProps {
  readonly checkError: string | undefined;
  readonly target: EditorTarget | undefined;
}

function ConfigScreen(props: ScreenProps) {
  const { model, document, draft, facts } = props;
  const isSplit = useStore(configPanes, (state) => state.isSplit);
  const sizes = useWorkspace((state) => state.sizes['config-editor']);
  const [isFilling, setIsFilling] = useState(false);
  const isFillAsked = useStore(fillRequest, ({ model: asked }) => asked === model.name) && draft.disk.exists;
  const closeFill = (): void => {
    setIsFilling(false);
    fillRequest.setState({ model: '' });
  };
  const { readOnlyReason, refusal } = draft.disk;
  const lockedReason =
    refusal !== undefined
      ? t(`config.refused.${refusal}`)
      : readOnlyReason === undefined
        ? undefined
        : t('config.locked', { reason: readOnlyReason });
  // Beside a text that is not opened stands what runs, if anything does.
  const hasSide = isSplit && (refusal === undefined || model.state === 'ready');
  useConfigCommands({ document, lockedReason, onFill: () => setIsFilling(true) });
  const left = { id: 'text', minSize: 280, content: <TextSide {...props} lockedReason={lockedReason} /> };
  const right = {
    id: 'side',
    minSize: 240,
    defaultSize: '44%',
    content: <SideViews model={model} document={document} draft={draft} facts={facts} />,
  };
  return (
    <div className="flex min-h-0 flex-1 flex-col" data-testid="config-tab">
      <ConfigToolbar
        model={model}
        document={document}
        draft={draft}
        lockedReason={lockedReason}
        onFill={() => setIsFilling(true)}
      />
      <ConfigBanners model={model} document={document} draft={draft} />
      <Split
        id="config-split"
        label={t('config.side')}
        panels={hasSide ? [left, right] : [left]}
        sizes={sizes}
        onSizes={(next) => setSizes('config-editor', next)}
      />
      {(isFilling || isFillAsked) && (
        <FillDialog document={document} draft={draft} facts={facts} onClose={closeFill} />
      )}
    </div>
  );
}

function TextSide({
  model,
  document,
  draft,
  checkError,
  target,
  lockedReason,
}: ScreenProps & { readonly lockedReason: string | undefined }) {
  const { refusal } = draft.disk;
  if (refusal !== undefined) {
    return (
      <EmptyState
        icon={FileX2}
        testId="config-refused"
        title={t(`config.refused.${refusal}`)}
        text={t('config.refused.text')}
      />
    );
  }
  if (!draft.disk.exists && !draft.isNew && draft.isEmpty) {
    return <NoFile model={model} lockedReason={lockedReason} />;
  }
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <Suspense fallback={<EditorSkeleton />}>
        <TypedText
          document={document}
          savedText={draft.disk.text}
          label={t('config.editor', { file: fileName(draft), name: model.name })}
          readOnlyReason={lockedReason}
          target={target}
        />
      </Suspense>
      <Problems model={model} document={document} checkError={checkError} lockedReason={lockedReason} />
    </div>
  );
}

/** Alone drawn again for every key. */
function TypedText(props: Omit<ComponentProps<typeof CodeEditor>, 'text' | 'onText'>) {
  const { document } = props;
  const text = useDraftText(document);
  return <CodeEditor {...props} text={text} onText={(next) => setDraftText(document, next)} />;
}

function Problems({
  model,
  ...shown
}: Pick<ScreenProps, 'model' | 'document' | 'checkError'> & { readonly lockedReason: string | undefined }) {
  const engine = useEngine();
  const canProbe = model.format === 'onnx' && model.versions.length > 0;
  const probe = useCallback(() => void probeModel(engine, model), [engine, model]);
  return <ProblemsStrip {...shown} onProbe={canProbe ? probe : undefined} />;
}

function EditorSkeleton() {
  return (
    <div className="min-h-0 flex-1" aria-label={t('config.loadingEditor')}>
      <Skeleton rows={12} />
    </div>
  );
}

function NoFile({
  model,
  lockedReason,
}: {
  readonly model: ModelView;
  readonly lockedReason: string | undefined;
}) {
  const engine = useEngine();
  const create = useAction(() => createFromEffective(engine, model.name));
  const isMain = useMainAct(true, 'mends');
  return (
    <EmptyState
      icon={FilePlus2}
      testId="config-none"
      title={t('config.none.title')}
      text={t('config.none.text')}
      actions={
        <>
          <Button
            variant={isMain ? 'primary' : 'secondary'}
            data-testid="config-create"
            isBusy={create.isRunning}
            disabledReason={lockedReason}
            onClick={() => create.run()}
          >
            {t('config.none.create')}
          </Button>
          <Button
            data-testid="config-start-empty"
            disabledReason={lockedReason}
            onClick={() => startEmpty(model.name)}
          >
            {t('config.none.start')}
          </Button>
        </>
      }
    />
  );
}

const SIDES_OF_REFUSED = ['effective'] as const;
const SIDES = { effective: EffectivePane, diff: DiffPane, form: FormPane, preview: PreviewPane } as const;

function SideViews(props: PaneProps) {
  const chosen = useStore(configPanes, (state) => state.side);
  const isRefused = props.draft.disk.refusal !== undefined;
  const side = isRefused ? 'effective' : chosen;
  const Side = SIDES[side];
  return (
    <Tabs
      label={t('config.side')}
      value={side}
      onChange={(id) => {
        if (isSideView(id)) showSide(id);
      }}
      items={(isRefused ? SIDES_OF_REFUSED : SIDE_VIEWS).map((id) => ({
        id,
        title: t(`config.side.${id}`),
        testId: `config-side-${id}`,
      }))}
    >
      <Side {...props} />
    </Tabs>
  );
}
