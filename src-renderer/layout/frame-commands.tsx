// Commands that the frame itself carries out: windows, tabs, regions, server, loading. Features register their own.

import { useEffect, useState } from 'react';
import { useStore } from 'zustand';

import {
  isBusy,
  isLoadable,
  isLoaded,
  loadModel,
  loadObstacle,
  loadModels,
  reloadModel,
  reloadObstacle,
  unloadModel,
  unloadModels,
} from '../actions/model-actions.ts';
import type { ModelView } from '../../src-shared/contract/model-view.ts';
import type { ShellRequest } from '../../src-shared/contract/shell-calls.ts';
import { SHELL_COMMANDS } from '../../src-shared/contract/shell-commands.ts';
import { revealPath } from '../actions/reveal.ts';
import {
  endpointOf,
  endpointUrl,
  exportDiagnostics,
  isRunning,
  restartServer,
  startServer,
  stopServer,
} from '../actions/server-actions.ts';
import type { Engine } from '../engine/engine-context.tsx';
import { useClient, useEngine } from '../engine/engine-context.tsx';
import { nativeShell } from '../engine/native-shell.ts';
import { address, formatAddress, modelAddress, parseAddress } from '../lib/address.ts';
import { commandModel, registerCommand, runCommand, useCommand } from '../lib/command-registry.ts';
import { RAIL_COMMANDS, railCommand } from '../lib/command-table.ts';
import type { FeatureDefinition } from '../lib/feature.ts';
import { keymap, shortcutFor } from '../lib/keymap.ts';
import { openPaths } from '../lib/open-paths.ts';
import { problemCount } from '../lib/problem-count.ts';
import { whenPresent } from '../lib/when-present.ts';
import {
  activeTab,
  INITIAL_WORKSPACE,
  HOME_ID,
  open,
  reopen,
  showBottom,
  workspace,
} from '../lib/workspace-store.ts';
import { t } from '../texts/translate.ts';
import { appearance } from '../ui/appearance.ts';
import { copyText } from '../ui/copy-button.tsx';
import { closeTab } from './close-tab.ts';
import { openPalette } from './palette-store.ts';
import { railFeatures } from './rail.tsx';
import { cycleRegion } from './regions.ts';
import { ShortcutSheet } from './shortcut-sheet.tsx';
import { tabName } from './tab-strip.tsx';

/** Carries out the commands that belong to no screen. */
export function FrameCommands({ features }: { readonly features: readonly FeatureDefinition[] }) {
  const [isSheetOpen, setIsSheetOpen] = useState(false);
  const engine = useEngine();
  useRailCommands(features);
  useViewCommands(features, () => setIsSheetOpen(true));
  useServerCommands(engine);
  useModelCommands(engine);
  useNativeMenu();
  return <ShortcutSheet features={features} isOpen={isSheetOpen} onClose={() => setIsSheetOpen(false)} />;
}

function useViewCommands(features: readonly FeatureDefinition[], openSheet: () => void): void {
  const client = useClient();
  const toggle = (key: 'isBottomOpen' | 'isInspectorOpen' | 'isRailNarrow'): void =>
    workspace.setState((state) => ({ [key]: !state[key] }));
  useCommand('palette.open', () => openPalette('commands'));
  useCommand('goto.open', () => openPalette('goto'));
  useCommand('help.shortcuts', openSheet);
  useCommand('help.firstRun', () => open(address('first-run')));
  useCommand('settings.open', () => open(address('settings')));
  useCommand('metrics.open', () => open(address('server', { tab: 'metrics' })));
  useCommand('sharedMemory.open', () => open(address('server', { tab: 'memory' })));
  useCommand('view.language', () => open(address('settings', { tab: 'language' })));
  useCommand('view.toggleBottomPanel', () => toggle('isBottomOpen'));
  useCommand('view.toggleInspector', () => toggle('isInspectorOpen'));
  useCommand('view.toggleRail', () => toggle('isRailNarrow'));
  useCommand('view.resetLayout', () => {
    const { tabs, activeId, closed, dirty } = workspace.getState();
    workspace.setState({ ...INITIAL_WORKSPACE, tabs, activeId, closed, dirty });
  });
  useCommand('view.toggleTheme', () => {
    const theme = appearance.getState().theme === 'light' ? 'dark' : 'light';
    void client.call('settings/write', { changes: { 'appearance.theme': theme } });
  });
  useCommand(
    'tab.close',
    () => {
      const tab = activeTab();
      if (tab !== undefined) void closeTab(tab.id, tabName(tab, features));
    },
    () => (workspace.getState().activeId === HOME_ID ? t('command.homeStays') : undefined),
  );
  useCommand('tab.reopen', reopen, () =>
    workspace.getState().closed.length === 0 ? t('command.noClosedTab') : undefined,
  );
  useCommand('link.copy', () => {
    const tab = activeTab();
    if (tab !== undefined) void copyText(formatAddress(tab.address));
  });
  useCommand('region.next', () => cycleRegion(1));
  useCommand('region.previous', () => cycleRegion(-1));
  const { models } = useEngine().state;
  const noProblem = (): string | undefined => {
    const known = models.getState();
    return problemCount(known.models, known.repositories) === 0 ? t('command.noProblem') : undefined;
  };
  useCommand('problem.next', () => focusProblem(1), noProblem);
  useCommand('problem.previous', () => focusProblem(-1), noProblem);
  useCommand('find.everywhere', () => {
    showBottom('logs');
    whenPresent('[data-testid="log-filter"]', (field) => field.focus());
  });
}

function useServerCommands(engine: Engine): void {
  const view = () => engine.state.server.getState().view;
  const offline = (): string | undefined => (view() === undefined ? t('command.notConnected') : undefined);
  const whenStopped = (): string | undefined =>
    offline() ?? (isRunning(view()) ? undefined : t('command.serverStopped'));
  useCommand(
    'server.start',
    () => void startServer(engine),
    () => offline() ?? (isRunning(view()) ? t('command.alreadyRunning') : undefined),
  );
  useCommand('server.stop', () => void stopServer(engine), whenStopped);
  useCommand('server.restart', () => void restartServer(engine), whenStopped);
  const metricsUrl = (): string | undefined => endpointUrl(endpointOf(view(), 'metrics'));
  useCommand(
    'metrics.copyUrl',
    () => void copyText(metricsUrl() ?? ''),
    () => offline() ?? (metricsUrl() === undefined ? t('command.serverStopped') : undefined),
  );
  useCommand('logs.reveal', () => void revealPath(view()?.logFile ?? ''), offline);
  useCommand('diagnostics.export', () => void exportDiagnostics(engine), offline);
}

function useModelCommands(engine: Engine): void {
  const models = () => engine.state.models.getState();
  const reasonFor =
    (can: (model: NonNullable<ReturnType<typeof find>>) => string | undefined) =>
    (argument: string | undefined): string | undefined => {
      const model = find(argument);
      return model === undefined ? t('command.needsModel') : isBusy(model) ? t('command.busy') : can(model);
    };
  const find = (argument: string | undefined) => {
    const name = commandModel(argument);
    return name === undefined ? undefined : models().byName.get(name);
  };
  const nameOf = (argument: string | undefined): string => find(argument)?.name ?? argument ?? '';
  const mustBeLoaded = reasonFor((model) => (isLoaded(model) ? undefined : t('command.notLoaded')));
  const mustExist = (argument: string | undefined): string | undefined =>
    find(argument) === undefined ? t('command.needsModel') : undefined;
  useCommand('model.open', (name) => open(modelAddress(nameOf(name))), mustExist);
  useCommand(
    'config.open',
    (name) => open(modelAddress(nameOf(name), 'config', { focus: 'editor' })),
    mustExist,
  );
  useCommand(
    'model.load',
    (name) => void loadModel(engine, nameOf(name)),
    reasonFor((model) =>
      isLoadable(model) ? undefined : isLoaded(model) ? t('command.alreadyLoaded') : loadObstacle(model),
    ),
  );
  useCommand('model.unload', (name) => void unloadModel(engine, nameOf(name)), mustBeLoaded);
  const mustBeReloadable = reasonFor(reloadObstacle);
  useCommand('model.reload', (name) => void reloadModel(engine, nameOf(name)), mustBeReloadable);
  useCommand('model.forceReload', (name) => void reloadModel(engine, nameOf(name), true), mustBeReloadable);
  useCommand('model.revealFolder', (name) => void revealPath(find(name)?.path ?? ''), mustExist);
  const namesOf = (is: (model: ModelView) => boolean): readonly string[] =>
    models()
      .models.filter(is)
      .map(({ name }) => name);
  useCommand(
    'models.loadAll',
    () => void loadModels(engine, namesOf(isLoadable)),
    () => (namesOf(isLoadable).length === 0 ? t('command.noneToLoad') : undefined),
  );
  useCommand(
    'models.unloadAll',
    () => void unloadModels(engine, namesOf(isLoaded)),
    () => (namesOf(isLoaded).length === 0 ? t('command.noneLoaded') : undefined),
  );
}

function useRailCommands(features: readonly FeatureDefinition[]): void {
  useEffect(() => {
    const offs = railFeatures(features)
      .slice(0, RAIL_COMMANDS)
      .map(({ area }, index) =>
        registerCommand(railCommand(index), {
          run: () => open(address(area)),
          disabledReason: () => undefined,
        }),
      );
    return () => offs.forEach((off) => off());
  }, [features]);
}

/** The desktop app asks for the same commands, and its menu shows their keys. */
function useNativeMenu(): void {
  useEffect(() => nativeShell()?.onRequest(carryOut), []);
  const overrides = useStore(keymap, (state) => state.overrides);
  useEffect(() => {
    // One without a shortcut has to say so, or the menu would show its own.
    const keys = Object.fromEntries(SHELL_COMMANDS.map((id) => [id, shortcutFor(id, overrides) ?? '']));
    nativeShell()
      ?.call('shell/setKeys', { keys })
      .catch(() => undefined);
  }, [overrides]);
}

function carryOut(request: ShellRequest): void {
  switch (request.kind) {
    case 'command':
      void runCommand(request.command);
      return;
    case 'open':
      openPaths(request);
      return;
    case 'go': {
      const target = parseAddress(request.address);
      if (target !== undefined) open(target);
      return;
    }
  }
}

/** Shows the panel and moves along its rows; Enter on a row goes to the place. */
function focusProblem(step: 1 | -1): void {
  showBottom('problems');
  whenPresent('[data-problem]', () => {
    const rows = [...document.querySelectorAll<HTMLElement>('[data-problem]')];
    const current = rows.findIndex((row) => row === document.activeElement);
    rows[current < 0 && step < 0 ? rows.length - 1 : (current + step + rows.length) % rows.length]?.focus();
  });
}
