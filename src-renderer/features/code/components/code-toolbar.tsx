// The row above the code: which file, whether it is saved, and what can be done with it.

import { Columns2, Undo2 } from 'lucide-react';
import { useStore } from 'zustand';

import type { CodeFileView } from '../../../../src-shared/contract/code-calls.ts';
import type { ModelView } from '../../../../src-shared/contract/model-view.ts';
import type { Draft } from '../../../config/drafts/config-drafts.ts';
import {
  changeDraft,
  codeDocument,
  headOf,
  isDirty,
  takeDisk,
} from '../../../config/drafts/config-drafts.ts';
import { DirtyMark } from '../../../config/editor/dirty-mark.tsx';
import { SaveButtons } from '../../../config/editor/save-buttons.tsx';
import { shortcutFor } from '../../../lib/keymap.ts';
import { displayShortcut } from '../../../lib/keys.ts';
import { t } from '../../../texts/translate.ts';
import { IconButton } from '../../../ui/icon-button.tsx';
import { Select } from '../../../ui/select.tsx';
import { codePanes, showFile } from '../code-panes.ts';

const keysOf = (command: string): string => displayShortcut(shortcutFor(command));

/** Choosing another file keeps what was typed in this one. */
export function CodeToolbar({
  model,
  files,
  file,
  draft,
}: {
  readonly model: ModelView;
  readonly files: readonly CodeFileView[];
  readonly file: string;
  readonly draft: Draft;
}) {
  const document = codeDocument(model.name, file);
  const isComparing = useStore(codePanes, (state) => state.isComparing);
  const { readOnlyReason, exists } = draft.disk;
  const lockedReason =
    readOnlyReason === undefined ? undefined : t('config.locked', { reason: readOnlyReason });
  const nothing = isDirty(draft) || !exists ? undefined : t('config.nothingToSave');
  return (
    <div
      role="toolbar"
      aria-label={t('model.tab.code')}
      className="flex min-h-10 flex-wrap items-center gap-x-2 gap-y-1 border-b border-line px-3 py-1"
    >
      <Select
        aria-label={t('code.file')}
        data-testid="code-file"
        className="font-mono text-sm"
        value={file}
        onChange={(next) => showFile(model.name, next)}
        options={files.map(({ path, isMain }) => ({
          value: path,
          label: isMain ? t('code.mainFile', { file: path }) : path,
        }))}
      />
      <DirtyMark isDirty={isDirty(draft)} testId="code-dirty" />
      <div className="ml-auto flex flex-wrap items-center gap-2">
        <IconButton
          label={t('code.revert')}
          icon={Undo2}
          disabledReason={nothing}
          data-testid="code-revert"
          onClick={() => changeDraft(document, takeDisk)}
        />
        <SaveButtons
          model={model}
          document={document}
          draft={headOf(draft)}
          lockedReason={lockedReason}
          testId="code"
          reloadHelp={t('code.saveReloadHelp')}
        />
        <IconButton
          label={t('code.compare')}
          icon={Columns2}
          isPressed={isComparing}
          shortcut={keysOf('editor.split')}
          data-testid="code-compare"
          onClick={() => codePanes.setState({ isComparing: !isComparing })}
        />
      </div>
    </div>
  );
}
