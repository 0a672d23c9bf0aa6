// The top row: which repository, go to anything, and the server's switch.

import { ChevronDown, FolderOpen, Menu, PanelBottom, PanelRight, Plus, Search } from 'lucide-react';
import { useStore } from 'zustand';

import { isRunning, startServer, stopServer } from '../actions/server-actions.ts';
import { useConnection, useEngine, useModels, useServer } from '../engine/engine-context.tsx';
import { useAction } from '../engine/use-action.ts';
import { address } from '../lib/address.ts';
import { commandRegistry, disabledReason, runCommand } from '../lib/command-registry.ts';
import { COMMANDS } from '../lib/command-table.ts';
import { displayShortcut, spokenShortcut } from '../lib/keys.ts';
import { keymap, shortcutFor } from '../lib/keymap.ts';
import { open, useWorkspace, workspace } from '../lib/workspace-store.ts';
import type { PlainKey } from '../texts/translate.ts';
import { t } from '../texts/translate.ts';
import { Icon } from '../ui/icon.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { KeyHint } from '../ui/key-hint.tsx';
import { MenuButton } from '../ui/menu.tsx';
import { Switch } from '../ui/switch.tsx';

/** Entries of the app menu; everything else is on screens, in row menus and in the palette. */
const MENU = [
  'repository.add',
  'repository.importOnnx',
  'models.loadAll',
  'models.unloadAll',
  'view.toggleTheme',
  'view.resetLayout',
  'diagnostics.export',
  'help.firstRun',
  'help.shortcuts',
  'settings.open',
] as const;
const GROUP_STARTS: ReadonlySet<string> = new Set(['models.loadAll', 'view.toggleTheme', 'help.firstRun']);

/** Menu, repository and palette, at the top. */
export function TitleBar() {
  return (
    <header
      data-region="title"
      aria-label={t('region.title')}
      className="flex h-11 shrink-0 select-none items-center gap-2 border-b border-line bg-canvas px-2"
    >
      <AppMenu />
      <RepositoryPicker />
      <button
        type="button"
        data-testid="search-button"
        aria-keyshortcuts={spokenShortcut(displayShortcut(shortcutFor('goto.open')))}
        onClick={() => runCommand('goto.open')}
        className="mx-auto flex h-7 w-full max-w-md min-w-8 items-center gap-2 rounded border border-line bg-surface px-2 min-[640px]:min-w-24 text-faint hover:border-line-strong hover:text-soft"
      >
        <Icon of={Search} size={14} className="shrink-0" />
        <span className="truncate max-[639px]:sr-only">{t('title.search')}</span>
        <KeyHint keys={displayShortcut(shortcutFor('goto.open'))} className="max-[639px]:hidden" />
      </button>
      <PanelToggles />
      <ServerSwitch />
    </header>
  );
}

function AppMenu() {
  useStore(commandRegistry);
  useStore(keymap);
  const entries = MENU.map((id) => {
    const command = COMMANDS.find((known) => known.id === id);
    return {
      id,
      label: command === undefined ? id : t(command.title),
      shortcut: displayShortcut(shortcutFor(id)),
      disabledReason: disabledReason(id),
      startsGroup: GROUP_STARTS.has(id),
      onSelect: () => void runCommand(id),
    };
  });
  return (
    <MenuButton entries={entries} align="start">
      <button
        type="button"
        aria-label={t('title.menu')}
        data-testid="app-menu"
        className="flex h-8 items-center gap-2 rounded px-2 font-semibold text-strong hover:bg-hover"
      >
        <Icon of={Menu} />
        <span className="max-[639px]:hidden">{t('app.name')}</span>
      </button>
    </MenuButton>
  );
}

function RepositoryPicker() {
  const all = useModels((state) => state.repositories);
  const repositories = all.filter(({ isEnabled }) => isEnabled);
  const first = repositories[0];
  const name =
    first === undefined
      ? t('title.noRepository')
      : (first.path.split(/[\\/]/).findLast((part) => part !== '') ?? first.path);
  const entries = [
    ...repositories.map((repository) => ({
      id: repository.path,
      label: `${repository.path} (${t('title.models', { count: repository.modelCount })})`,
      icon: FolderOpen,
      onSelect: () => open(address('models', { query: { repository: repository.path } })),
    })),
    {
      id: 'add',
      label: t('title.addRepository'),
      icon: Plus,
      startsGroup: true,
      onSelect: () => void runCommand('repository.add'),
    },
    {
      id: 'manage',
      label: t('title.manageRepositories'),
      onSelect: () => open(address('server', { tab: 'repositories' })),
    },
  ];
  return (
    <MenuButton entries={entries} align="start">
      <button
        type="button"
        title={first?.path}
        data-testid="repository-picker"
        className="flex h-8 max-w-28 shrink-0 items-center gap-1.5 rounded px-2 text-strong hover:bg-hover min-[640px]:max-w-40 min-[1100px]:max-w-64"
      >
        <Icon of={FolderOpen} size={14} className="shrink-0 text-faint" />
        <span className="truncate">{name}</span>
        {repositories.length > 1 && <span className="text-faint">+{repositories.length - 1}</span>}
        <Icon of={ChevronDown} size={12} className="shrink-0 text-faint" />
      </button>
    </MenuButton>
  );
}

function PanelToggles() {
  const isBottomOpen = useWorkspace((state) => state.isBottomOpen);
  const isInspectorOpen = useWorkspace((state) => state.isInspectorOpen);
  return (
    <div className="flex">
      <IconButton
        label={t('command.toggleBottom')}
        icon={PanelBottom}
        isPressed={isBottomOpen}
        shortcut={displayShortcut(shortcutFor('view.toggleBottomPanel'))}
        onClick={() => workspace.setState({ isBottomOpen: !isBottomOpen })}
      />
      <IconButton
        label={t('command.toggleInspector')}
        icon={PanelRight}
        isPressed={isInspectorOpen}
        shortcut={displayShortcut(shortcutFor('view.toggleInspector'))}
        onClick={() => workspace.setState({ isInspectorOpen: !isInspectorOpen })}
      />
    </div>
  );
}

function ServerSwitch() {
  const engine = useEngine();
  const isConnected = useConnection((state) => state.status === 'open');
  const state = useServer((view) => view?.state);
  const isOn = useServer((view) => isRunning(view));
  const toggle = useAction(() => (isOn ? stopServer(engine) : startServer(engine)));
  const text: PlainKey =
    !isConnected || state === undefined ? 'server.state.offline' : `server.state.${state}`;
  return (
    <label className="flex items-center gap-2 pl-1" title={t(text)}>
      <span className="w-24 text-right text-soft max-[639px]:sr-only">{t(text)}</span>
      <Switch
        isOn={isOn}
        onChange={toggle.run}
        isDisabled={!isConnected || toggle.isRunning}
        aria-label={t('server.switch')}
        data-testid="server-switch"
      />
    </label>
  );
}
