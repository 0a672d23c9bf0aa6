// Saving a text that is edited, and saving it together with the reload that makes it count: the same two buttons above
// every editor of a model's files.

import { RefreshCw, Save } from 'lucide-react';

import type { ModelView } from '../../../src-shared/contract/model-view.ts';
import { isBusy } from '../../actions/model-actions.ts';
import { useEngine } from '../../engine/engine-context.tsx';
import { useAction } from '../../engine/use-action.ts';
import { shortcutFor } from '../../lib/keymap.ts';
import { displayShortcut } from '../../lib/keys.ts';
import { t } from '../../texts/translate.ts';
import { Button } from '../../ui/button.tsx';
import { useMainAct } from '../../ui/main-act.tsx';
import type { DraftHead } from '../drafts/config-drafts.ts';
import { saveAndReload, saveDraft } from '../drafts/draft-actions.ts';

const keysOf = (command: string): string => displayShortcut(shortcutFor(command));

interface SaveButtonsProps {
  readonly model: ModelView;
  readonly document: string;
  readonly draft: Pick<DraftHead, 'disk' | 'isDirty' | 'isNew' | 'isEmpty'>;
  /** Why the text cannot be changed; undefined = it can. */
  readonly lockedReason: string | undefined;
  /** Test ids are `<testId>-save` and `<testId>-save-reload`. */
  readonly testId: string;
  /** Before the shortcut of the second one. */
  readonly reloadHelp?: string;
}

/** "Save" and "Save and reload"; where a button cannot be pressed it says why. */
export function SaveButtons({
  model,
  document,
  draft,
  lockedReason,
  testId,
  reloadHelp = '',
}: SaveButtonsProps) {
  const engine = useEngine();
  const save = useAction(() => saveDraft(engine, document));
  const reload = useAction(() => saveAndReload(engine, document));
  // Where no file is and nothing was begun, making one is the act, and that is not here.
  const hasChanges = draft.isDirty || (!draft.disk.exists && (draft.isNew || !draft.isEmpty));
  const nothing = hasChanges ? undefined : t('config.nothingToSave');
  const whileBusy = isBusy(model) ? t('config.busyModel') : undefined;
  const isMain = useMainAct(hasChanges, 'keeps');
  return (
    <>
      <Button
        icon={Save}
        data-testid={`${testId}-save`}
        isBusy={save.isRunning}
        title={keysOf('file.save')}
        disabledReason={lockedReason ?? nothing}
        onClick={() => save.run()}
      >
        {t('config.save')}
      </Button>
      <Button
        variant={isMain ? 'primary' : 'secondary'}
        icon={RefreshCw}
        data-testid={`${testId}-save-reload`}
        isBusy={reload.isRunning}
        title={`${reloadHelp} ${keysOf('file.saveReload')}`.trim()}
        disabledReason={lockedReason === undefined || !hasChanges ? whileBusy : lockedReason}
        onClick={() => reload.run()}
      >
        {t('config.saveReload')}
      </Button>
    </>
  );
}
