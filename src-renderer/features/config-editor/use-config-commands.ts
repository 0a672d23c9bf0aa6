// The commands of the config tab: the same actions as its buttons, for keys, menu and palette.

import { useEngine } from '../../engine/engine-context.tsx';
import { useCommand } from '../../lib/command-registry.ts';
import { saveAndReload, saveDraft } from '../../config/drafts/draft-actions.ts';
import { configPanes } from './config-panes.ts';
import { editorOf } from '../../config/editor/editor-control.ts';

/** Carries out the commands for a document while it is shown; `lockedReason` "" = it can be changed. */
export function useConfigCommands({
  document,
  lockedReason,
  onFill,
}: {
  readonly document: string;
  readonly lockedReason: string | undefined;
  readonly onFill: () => void;
}): void {
  const engine = useEngine();
  const whenUnlocked = (): string | undefined => lockedReason;
  const trigger = (action: string) => (): void => editorOf(document)?.trigger(action);
  useCommand('file.save', () => void saveDraft(engine, document), whenUnlocked);
  useCommand('file.saveReload', () => void saveAndReload(engine, document), whenUnlocked);
  useCommand('config.format', trigger('editor.action.formatDocument'), whenUnlocked);
  useCommand('config.writeEffective', onFill, whenUnlocked);
  useCommand('editor.quickFix', trigger('editor.action.quickFix'));
  useCommand('find.inView', trigger('actions.find'));
  useCommand('problem.next', trigger('editor.action.marker.nextInFiles'));
  useCommand('problem.previous', trigger('editor.action.marker.prevInFiles'));
  useCommand('editor.split', () => {
    configPanes.setState(({ isSplit }) => ({ isSplit: !isSplit }));
  });
}
