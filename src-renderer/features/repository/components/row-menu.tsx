// Everything that can be done with a model's folder, as menu entries. Shared by the row's button and the right click.

import {
  Copy,
  FilePenLine,
  FolderOpen,
  Gauge,
  PenLine,
  RefreshCw,
  Send,
  SquareArrowOutUpRight,
  Trash2,
} from 'lucide-react';

import type { ModelView } from '../../../../src-shared/contract/model-view.ts';
import { isLoaded, reloadModel } from '../../../actions/model-actions.ts';
import { revealPath } from '../../../actions/reveal.ts';
import { messageOf } from '../../../engine/engine-client.ts';
import type { Engine } from '../../../engine/engine-context.tsx';
import { useEngine } from '../../../engine/engine-context.tsx';
import { nativeShell } from '../../../engine/native-shell.ts';
import { address, modelAddress } from '../../../lib/address.ts';
import { hasModelTab, hasScreen } from '../../../lib/areas.ts';
import { open } from '../../../lib/workspace-store.ts';
import { t } from '../../../texts/translate.ts';
import { ask } from '../../../ui/confirm.tsx';
import { copyText } from '../../../ui/copy-button.tsx';
import type { MenuEntry } from '../../../ui/menu.tsx';
import { toastError, toastSuccess } from '../../../ui/toast.tsx';
import { repositoryUi } from '../repository-store.ts';

export function useRowMenu(model: ModelView): readonly MenuEntry[] {
  const engine = useEngine();
  const { name, path } = model;
  const mustBeLoaded = isLoaded(model) ? '' : t('command.notLoaded');
  const entries: (MenuEntry | false)[] = [
    {
      id: 'open',
      label: t('models.menu.open'),
      icon: SquareArrowOutUpRight,
      shortcut: 'Enter',
      onSelect: () => open(modelAddress(name)),
    },
    hasModelTab('playground') && {
      id: 'test',
      label: t('models.test'),
      icon: Send,
      onSelect: () => open(modelAddress(name, 'playground')),
    },
    hasScreen('perf') && {
      id: 'perf',
      label: t('models.menu.perf'),
      icon: Gauge,
      onSelect: () => open(address('perf', { query: { model: name } })),
    },
    hasModelTab('config') && {
      id: 'config',
      label: t('models.menu.config'),
      icon: FilePenLine,
      onSelect: () => open(modelAddress(name, 'config')),
    },
    {
      id: 'forceReload',
      label: t('models.menu.forceReload'),
      icon: RefreshCw,
      disabledReason: mustBeLoaded,
      onSelect: () => void reloadModel(engine, name, true),
    },
    {
      id: 'duplicate',
      label: t('models.menu.duplicate'),
      icon: Copy,
      startsGroup: true,
      onSelect: () => repositoryUi.setState({ naming: { model: name, verb: 'duplicate' } }),
    },
    {
      id: 'rename',
      label: t('models.menu.rename'),
      icon: PenLine,
      shortcut: 'F2',
      onSelect: () => repositoryUi.setState({ naming: { model: name, verb: 'rename' } }),
    },
    {
      id: 'reveal',
      label: t(nativeShell() === undefined ? 'models.menu.copyPath' : 'models.menu.reveal'),
      icon: FolderOpen,
      onSelect: () => void revealPath(path),
    },
    { id: 'copyName', label: t('models.menu.copyName'), onSelect: () => void copyText(name) },
    {
      id: 'trash',
      label: t('models.menu.trash'),
      icon: Trash2,
      shortcut: 'Del',
      isDanger: true,
      startsGroup: true,
      onSelect: () => void trashModel(engine, model),
    },
  ];
  return entries.filter((entry) => entry !== false);
}

export async function trashModel({ client }: Engine, { name, path }: ModelView): Promise<void> {
  const answer = await ask({
    title: t('models.trashTitle', { name }),
    text: t('models.trashText', { path }),
    choices: [{ value: 'trash', label: t('models.trash'), isDanger: true }],
  });
  if (answer === undefined) return;
  try {
    const { movedTo } = await client.call('repository/trashModel', { model: name });
    toastSuccess(t('models.trashed', { name, path: movedTo }));
  } catch (thrown) {
    toastError(messageOf(thrown));
  }
}
