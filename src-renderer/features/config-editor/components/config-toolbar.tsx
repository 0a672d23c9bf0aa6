// The row above the editor: which file, whether it is saved, and what can be done with the text.

import {
  AlignLeft,
  CircleCheck,
  Columns2,
  EllipsisVertical,
  FlaskConical,
  ListTree,
  Server,
  WandSparkles,
} from 'lucide-react';
import { useRef, useState } from 'react';
import { useStore } from 'zustand';

import { CONFIG_FILE, configFileOf } from '../../../../src-shared/config/config-file.ts';
import type { ModelView } from '../../../../src-shared/contract/model-view.ts';
import { isBusy } from '../../../actions/model-actions.ts';
import { useEngine } from '../../../engine/engine-context.tsx';
import { useAction } from '../../../engine/use-action.ts';
import { useCall } from '../../../engine/use-call.ts';
import { useEvent } from '../../../engine/use-event.ts';
import { address } from '../../../lib/address.ts';
import { hasScreen } from '../../../lib/areas.ts';
import { shortcutFor } from '../../../lib/keymap.ts';
import { displayShortcut } from '../../../lib/keys.ts';
import { open } from '../../../lib/workspace-store.ts';
import { t } from '../../../texts/translate.ts';
import { Button } from '../../../ui/button.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import type { MenuEntry } from '../../../ui/menu.tsx';
import { MenuButton } from '../../../ui/menu.tsx';
import { Select } from '../../../ui/select.tsx';
import { serveProfile } from '../../../config/drafts/fix-actions.ts';
import { tryDraft } from '../config-actions.ts';
import type { DraftHead } from '../../../config/drafts/config-drafts.ts';
import { configPanes, showProfile } from '../config-panes.ts';
import { DirtyMark } from '../../../config/editor/dirty-mark.tsx';
import { SaveButtons } from '../../../config/editor/save-buttons.tsx';
import { editorOf } from '../../../config/editor/editor-control.ts';
import { ProfileDialog } from './profile-dialog.tsx';

/** The document that the buttons are about, and what the tab does when one is pressed. */
export interface ToolbarProps {
  readonly model: ModelView;
  readonly document: string;
  readonly draft: DraftHead;
  /** Why the text cannot be changed; undefined = it can. */
  readonly lockedReason: string | undefined;
  /** Opens the dialog that fills fields in; it changes nothing by itself. */
  readonly onFill: () => void;
}

const keysOf = (command: string): string => displayShortcut(shortcutFor(command));

/** What is seldom needed is in a menu at its end. */
export function ConfigToolbar(props: ToolbarProps) {
  const { model, document, draft, lockedReason } = props;
  const engine = useEngine();
  const isSplit = useStore(configPanes, (state) => state.isSplit);
  const attempt = useAction(() => tryDraft(engine, document));
  const whyNotTried =
    draft.profile !== undefined
      ? t('config.onlyMainFile')
      : draft.disk.refusal !== undefined
        ? lockedReason
        : isBusy(model)
          ? t('config.busyModel')
          : undefined;
  return (
    <div
      role="toolbar"
      aria-label={t('model.tab.config')}
      className="flex min-h-10 flex-wrap items-center gap-x-2 gap-y-1 border-b border-line px-3 py-1"
    >
      <FilePicker model={model} draft={draft} />
      <DirtyMark isDirty={draft.isDirty} testId="config-dirty" />
      <div className="ml-auto flex flex-wrap items-center gap-2">
        <IconButton
          label={t('config.format')}
          icon={AlignLeft}
          shortcut={keysOf('config.format')}
          disabledReason={lockedReason}
          data-testid="config-format"
          onClick={() => editorOf(document)?.trigger('editor.action.formatDocument')}
        />
        <IconButton
          label={t('config.outline')}
          icon={ListTree}
          data-testid="config-outline"
          onClick={() => editorOf(document)?.trigger('editor.action.quickOutline')}
        />
        <Button
          icon={FlaskConical}
          data-testid="config-try"
          isBusy={attempt.isRunning}
          title={t('config.tryHelp')}
          disabledReason={whyNotTried}
          onClick={() => attempt.run()}
        >
          {t('config.try')}
        </Button>
        <SaveButtons
          model={model}
          document={document}
          draft={draft}
          lockedReason={lockedReason}
          testId="config"
        />
        <MoreMenu {...props} />
        <IconButton
          label={t('config.split')}
          icon={Columns2}
          isPressed={isSplit}
          shortcut={keysOf('editor.split')}
          data-testid="config-split"
          onClick={() => configPanes.setState({ isSplit: !isSplit })}
        />
      </div>
    </div>
  );
}

function MoreMenu({ model, draft, lockedReason, onFill }: ToolbarProps) {
  const engine = useEngine();
  const used = useCall('config/profiles', { model: model.name }, draft.profile).data;
  const entries: MenuEntry[] = [
    {
      id: 'config-fill',
      label: t('config.fill'),
      icon: WandSparkles,
      disabledReason: lockedReason,
      onSelect: onFill,
    },
    {
      id: 'config-use-profile',
      label: draft.profile === undefined ? t('config.profile.useNone') : t('config.profile.useThis'),
      icon: CircleCheck,
      startsGroup: true,
      disabledReason: used?.active === draft.profile ? t('config.profile.usedAlready') : undefined,
      onSelect: () => void serveProfile(engine, draft.profile),
    },
    ...(hasScreen('server')
      ? [
          {
            id: 'config-server-profile',
            label: t('config.profile.server'),
            icon: Server,
            onSelect: () => open(address('server')),
          },
        ]
      : []),
  ];
  return (
    <MenuButton entries={entries}>
      <IconButton label={t('config.actions')} icon={EllipsisVertical} data-testid="config-menu" />
    </MenuButton>
  );
}

const NEW = ' new';

function FilePicker({ model, draft }: Pick<ToolbarProps, 'model' | 'draft'>) {
  const [isAsking, setIsAsking] = useState(false);
  const select = useRef<HTMLSpanElement>(null);
  const { data, reload } = useCall('config/profiles', { model: model.name }, draft.profile);
  useEvent('config/changedOnDisk', (change) => {
    if (change.model === model.name) reload();
  });
  const profiles = data?.profiles ?? [];
  const labelOf = (profile: string): string => {
    const file = configFileOf(profile);
    return profile === data?.active ? t('config.profile.active', { profile: file }) : file;
  };
  const options = [
    { value: CONFIG_FILE, label: CONFIG_FILE },
    ...profiles.map((profile) => ({ value: `/${profile}`, label: labelOf(profile) })),
    { value: NEW, label: t('config.profile.new') },
  ];
  return (
    <>
      <span ref={select} className="contents">
        <Select
          aria-label={t('config.file')}
          data-testid="config-file"
          className="font-mono text-sm"
          value={draft.profile === undefined ? CONFIG_FILE : `/${draft.profile}`}
          onChange={(value) => {
            if (value === NEW) setIsAsking(true);
            else showProfile(model.name, value === CONFIG_FILE ? undefined : value.slice(1));
          }}
          options={options}
        />
      </span>
      {isAsking && (
        <ProfileDialog
          model={model.name}
          profiles={profiles}
          // The list that it was chosen from had the focus, and has gone.
          finalFocus={() => select.current?.querySelector('button') ?? null}
          onClose={(isCreated) => {
            setIsAsking(false);
            if (isCreated) reload();
          }}
        />
      )}
    </>
  );
}
