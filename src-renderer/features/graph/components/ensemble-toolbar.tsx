// The row above an ensemble's drawing: whether its text is saved, taking changes back, saving, loading, export.

import { Code, Plus, Redo2, RefreshCw, Save, Undo2 } from 'lucide-react';
import { useStore } from 'zustand';

import type { ModelView } from '../../../../src-shared/contract/model-view.ts';
import { isBusy } from '../../../actions/model-actions.ts';
import type { DraftHead } from '../../../config/drafts/config-drafts.ts';
import { useDraftText } from '../../../config/drafts/use-draft.ts';
import { saveAndReload, saveDraft } from '../../../config/drafts/draft-actions.ts';
import { useEngine } from '../../../engine/engine-context.tsx';
import { useAction } from '../../../engine/use-action.ts';
import { modelAddress } from '../../../lib/address.ts';
import { useCommand } from '../../../lib/command-registry.ts';
import { open } from '../../../lib/workspace-store.ts';
import { t } from '../../../texts/translate.ts';
import { Button } from '../../../ui/button.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { useMainAct } from '../../../ui/main-act.tsx';
import { canRedo, canUndo, redoText, stepsOf, textSteps, undoText } from '../text-undo.ts';
import { ExportMenu } from './onnx-toolbar.tsx';

/** `exportReason` says why the drawing cannot be exported; undefined = it can. */
export function EnsembleToolbar({
  model,
  document,
  draft,
  exportReason,
  onAddStep,
  onExport,
}: {
  readonly model: ModelView;
  readonly document: string;
  readonly draft: DraftHead;
  readonly exportReason: string | undefined;
  readonly onAddStep: () => void;
  readonly onExport: (kind: 'png' | 'svg') => void;
}) {
  const engine = useEngine();
  const text = useDraftText(document);
  const steps = useStore(textSteps, (state) => stepsOf(document, state));
  const save = useAction(() => saveDraft(engine, document));
  const reload = useAction(() => saveAndReload(engine, document));
  const isChanged = draft.isDirty;
  const isSaving = save.isRunning || reload.isRunning;
  const isMain = useMainAct(isChanged, 'keeps');
  const locked =
    draft.disk.readOnlyReason === undefined
      ? undefined
      : t('graph.refused.locked', { reason: draft.disk.readOnlyReason });
  useCommand(
    'file.save',
    () => save.run(),
    () => locked,
  );
  useCommand(
    'file.saveReload',
    () => reload.run(),
    () => locked,
  );
  return (
    <div
      role="toolbar"
      aria-label={t('model.tab.graph')}
      className="flex min-h-10 flex-wrap items-center gap-2 border-b border-line px-3 py-1"
    >
      <IconButton
        label={t('graph.ensemble.undo')}
        icon={Undo2}
        data-testid="graph-undo"
        disabledReason={canUndo(steps, text) ? undefined : t('graph.ensemble.noUndo')}
        onClick={() => undoText(document)}
      />
      <IconButton
        label={t('graph.ensemble.redo')}
        icon={Redo2}
        data-testid="graph-redo"
        disabledReason={canRedo(steps, text) ? undefined : t('graph.ensemble.noUndo')}
        onClick={() => redoText(document)}
      />
      <Button icon={Plus} data-testid="graph-add-step" disabledReason={locked} onClick={onAddStep}>
        {t('graph.addStep.open')}
      </Button>
      <span
        role="status"
        aria-live="polite"
        data-testid="graph-dirty"
        data-dirty={isChanged}
        className="text-sm text-soft before:mr-1 before:text-accent data-[dirty=true]:before:content-['●']"
      >
        {isChanged && t('graph.ensemble.dirty')}
      </span>
      <span className="flex-1" />
      <Button
        icon={Code}
        data-testid="graph-open-config"
        onClick={() => open(modelAddress(model.name, 'config'))}
      >
        {t('graph.ensemble.openConfig')}
      </Button>
      <ExportMenu reason={exportReason} onExport={onExport} />
      <Button
        icon={Save}
        data-testid="graph-save"
        isBusy={isSaving}
        disabledReason={locked === undefined && !isChanged ? t('graph.ensemble.saved') : locked}
        onClick={() => save.run()}
      >
        {t('graph.ensemble.save')}
      </Button>
      <Button
        variant={isMain ? 'primary' : 'secondary'}
        icon={RefreshCw}
        data-testid="graph-save-reload"
        isBusy={isSaving}
        disabledReason={
          isChanged && locked !== undefined ? locked : isBusy(model) ? t('graph.ensemble.busy') : undefined
        }
        onClick={() => reload.run()}
      >
        {t(model.state === 'ready' ? 'graph.ensemble.saveReload' : 'graph.ensemble.saveLoad')}
      </Button>
    </div>
  );
}
