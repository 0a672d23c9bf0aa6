// Everything that can be done with a model, as menu entries. Shared by the rows of the list and the model's header.

import {
  Copy,
  FilePenLine,
  FolderOpen,
  FolderX,
  Gauge,
  ListX,
  Package,
  PenLine,
  RefreshCw,
  Send,
  Shuffle,
  SquareArrowOutUpRight,
  Trash2,
} from 'lucide-react';
import { useStore } from 'zustand';

import type { ModelView } from '../../src-shared/contract/model-view.ts';
import { isStorePath } from '../lib/store-path.ts';
import { disableDuplicate } from './disable-duplicate.ts';
import { hiddenModels, removeFromList, setHidden } from './hidden-models.ts';
import { askName, exportModels, trashModels } from './folder-actions.ts';
import { reloadModel, reloadObstacle } from './model-actions.ts';
import { revealPath } from './reveal.ts';
import { useEngine } from '../engine/engine-context.tsx';
import { nativeShell } from '../engine/native-shell.ts';
import { address, modelAddress } from '../lib/address.ts';
import { hasModelTab, hasScreen } from '../lib/areas.ts';
import { runCommand } from '../lib/command-registry.ts';
import { open } from '../lib/workspace-store.ts';
import { isConvertible } from '../lib/model-state.ts';
import { t } from '../texts/translate.ts';
import { copyText } from '../ui/copy-button.tsx';
import type { MenuEntry } from '../ui/menu.tsx';
import { useOfflineReason } from '../ui/offline.ts';

/** Shows what is known, or takes it along. */
const WORKS_OFFLINE: ReadonlySet<string> = new Set(['open', 'config', 'reveal', 'copyName']);

/**
 * Entries in their order, without those whose screen this build does not have or that do not fit the model. The bin and
 * the export are for all of `meant`, which say so when they are several.
 */
export function useModelMenu(model: ModelView, meant: readonly ModelView[] = [model]): readonly MenuEntry[] {
  const engine = useEngine();
  const { name, path } = model;
  const isHidden = useStore(hiddenModels, ({ paths }) => paths.has(path));
  // The whole sentence stands above; an entry has no room for it.
  const offline = useOfflineReason() === undefined ? undefined : t('server.state.offline');
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
      disabledReason: reloadObstacle(model),
      onSelect: () => void reloadModel(engine, name, true),
    },
    isConvertible(model) && {
      id: 'convert',
      label: t('convert.action'),
      icon: Shuffle,
      onSelect: () => void runCommand('model.convert', name),
    },
    {
      id: 'duplicate',
      label: t(isStorePath(model.repository) ? 'models.copyLocal' : 'models.menu.duplicate'),
      icon: Copy,
      startsGroup: true,
      onSelect: () => askName(name, 'duplicate'),
    },
    {
      id: 'rename',
      label: t('models.menu.rename'),
      icon: PenLine,
      shortcut: 'F2',
      onSelect: () => askName(name, 'rename'),
    },
    {
      id: 'export',
      label:
        meant.length > 1 ? t('models.menu.exportMany', { count: meant.length }) : t('models.menu.export'),
      icon: Package,
      onSelect: () => exportModels(meant.map((one) => one.name)),
    },
    {
      id: 'reveal',
      label: t(nativeShell() === undefined ? 'models.menu.copyPath' : 'models.menu.reveal'),
      icon: FolderOpen,
      onSelect: () => void revealPath(path),
    },
    { id: 'copyName', label: t('models.menu.copyName'), onSelect: () => void copyText(name) },
    model.duplicateOf !== undefined && {
      id: 'disableOne',
      label: t('duplicate.action'),
      icon: FolderX,
      startsGroup: true,
      onSelect: () => void disableDuplicate(engine, name),
    },
    {
      id: 'removeFromList',
      label: t(isHidden ? 'models.menu.unhide' : 'models.menu.remove'),
      icon: ListX,
      startsGroup: true,
      onSelect: () => (isHidden ? setHidden(engine.client, path, false) : void removeFromList(engine, model)),
    },
    {
      id: 'trash',
      label: meant.length > 1 ? t('models.menu.trashMany', { count: meant.length }) : t('models.menu.trash'),
      icon: Trash2,
      shortcut: 'Del',
      isDanger: true,
      onSelect: () => void trashModels(engine, meant),
    },
  ];
  return entries.flatMap((entry) => {
    if (entry === false) return [];
    return WORKS_OFFLINE.has(entry.id)
      ? [entry]
      : [{ ...entry, disabledReason: offline ?? entry.disabledReason }];
  });
}
