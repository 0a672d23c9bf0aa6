// The entries of the palette from what the window knows: commands, models with their files, runs, screens, links.

import { useMemo } from 'react';
import { useStore } from 'zustand';

import type { ModelView } from '../../src-shared/contract/model-view.ts';
import type { PerfRunSummary } from '../../src-shared/contract/perf-views.ts';
import { useModels } from '../engine/engine-context.tsx';
import { modelKey } from '../engine/models-store.ts';
import { useCall } from '../engine/use-call.ts';
import { address, listedAddress, modelAddress, parseAddress } from '../lib/address.ts';
import { commandRegistry, disabledReason, runCommand } from '../lib/command-registry.ts';
import { COMMANDS } from '../lib/command-table.ts';
import type { FeatureDefinition } from '../lib/feature.ts';
import { formatDateTime, formatRate } from '../lib/format.ts';
import { displayShortcut } from '../lib/keys.ts';
import type { KeymapOverrides } from '../lib/keymap.ts';
import { keymap, shortcutFor } from '../lib/keymap.ts';
import { shownState } from '../lib/model-state.ts';
import { activeTab, open } from '../lib/workspace-store.ts';
import { t } from '../texts/translate.ts';
import { stateText } from '../ui/state-chip.tsx';
import type { PaletteItem, PaletteMode } from './palette-items.ts';
import { commandTargets } from './palette-items.ts';

const HIDDEN: ReadonlySet<string> = new Set(['palette.open', 'goto.open', 'region.next', 'region.previous']);

/**
 * What `query` matches, in the order in which the palette shows it. Runs are asked for only where the mode shows
 * them.
 */
export function usePaletteItems(
  mode: PaletteMode,
  query: string,
  features: readonly FeatureDefinition[],
): readonly PaletteItem[] {
  const models = useModels((state) => state.models);
  const commands = useStore(commandRegistry);
  const overrides = useStore(keymap, (state) => state.overrides);
  const listsRuns = mode === 'runs' || mode === 'goto';
  const runs = useCall('perf/runs', listsRuns ? { model: '' } : undefined).data ?? NO_RUNS;
  return useMemo(() => {
    switch (mode) {
      case 'commands':
        return [
          ...(commands.handlers.size === 0
            ? []
            : commandItems(shownFirst(reachable(models).map(({ name }) => name)), overrides, query === '')),
          // Whoever types the name of a screen wants to go there.
          ...(query === '' ? [] : screenItems(features)),
        ];
      case 'goto':
        return [
          ...linkItems(query, features),
          ...modelItems(models),
          ...screenItems(features),
          ...fileItems(reachable(models)),
          ...runItems(runs),
        ];
      case 'models':
        return modelItems(models);
      case 'help':
        return helpItems();
      case 'line':
        return lineItems(query);
      default:
        return runItems(runs);
    }
  }, [mode, query, features, models, runs, commands, overrides]);
}

const NO_RUNS: readonly PerfRunSummary[] = [];

/** Newest first, as the engine lists them. */
function runItems(runs: readonly PerfRunSummary[]): readonly PaletteItem[] {
  return runs.map(({ id, name, model, startedAtMs, bestInferPerSecond }) => ({
    id: `run ${id}`,
    group: t('palette.runs'),
    title: name,
    detail: [
      model,
      formatDateTime(startedAtMs),
      ...(bestInferPerSecond > 0 ? [`${formatRate(bestInferPerSecond)} ${t('status.rate')}`] : []),
    ].join(', '),
    keys: '',
    disabledReason: undefined,
    run: () => open(address('perf', { query: { run: id } })),
  }));
}

/** Files that have a place in the window. */
function fileItems(models: readonly ModelView[]): readonly PaletteItem[] {
  return models.map(({ name }) => ({
    id: `file ${name}`,
    group: t('palette.files'),
    title: `${name}/config.pbtxt`,
    detail: '',
    keys: '',
    disabledReason: undefined,
    run: () => open(modelAddress(name, 'config', { focus: 'editor' })),
  }));
}

/** What “Copy link” copied. */
function linkItems(text: string, features: readonly FeatureDefinition[]): readonly PaletteItem[] {
  const place = parseAddress(text);
  if (place === undefined) return [];
  const isKnown = place.area === 'models' || features.some(({ area }) => area === place.area);
  return [
    {
      id: 'link',
      group: t('palette.links'),
      title: t('palette.openLink'),
      detail: text,
      keys: '',
      disabledReason: isKnown ? undefined : t('palette.unknownLink'),
      run: () => open(place),
    },
  ];
}

function commandItems(
  models: readonly string[],
  overrides: KeymapOverrides,
  isBrowsed: boolean,
): readonly PaletteItem[] {
  const shown = COMMANDS.filter(
    ({ id, scope }) => scope === 'window' && !HIDDEN.has(id) && !id.startsWith('rail.'),
  );
  const ordered = shown.toSorted((a, b) => Number(a.group === 'server') - Number(b.group === 'server'));
  const placed = ordered.flatMap((command) =>
    commandTargets(command, models).map((model) => ({
      place: isBrowsed ? placeOf(command.group, model) : 0,
      id: model === undefined ? command.id : `${command.id} ${model}`,
      group: t(`group.${command.group}`),
      title: model === undefined ? t(command.title) : `${t(command.title)} ${model}`,
      detail: '',
      keys: displayShortcut(shortcutFor(command.id, overrides)),
      disabledReason: disabledReason(command.id, model),
      isOfShown: model !== undefined && model === activeTab()?.address.model,
      run: () => void runCommand(command.id, model),
    })),
  );
  return placed.toSorted((a, b) => a.place - b.place);
}

/**
 * Before anything was typed: those for each model of a repository would leave no line for any other, and the first one
 * runs at Enter, so it must not stop the server or unload everything.
 */
function placeOf(group: string, model: string | undefined): number {
  if (model !== undefined) return model === activeTab()?.address.model ? 0 : 4;
  return group === 'server' ? 3 : group === 'model' ? 2 : 1;
}

/** Whoever looks at a model and asks for a command means that one. */
function shownFirst(names: readonly string[]): readonly string[] {
  const shown = activeTab()?.address.model;
  return names.toSorted((a, b) => Number(b === shown) - Number(a === shown));
}

/** What calls by name reach. */
function reachable(models: readonly ModelView[]): readonly ModelView[] {
  return models.filter(({ isShadowed }) => !isShadowed);
}

function modelItems(models: readonly ModelView[]): readonly PaletteItem[] {
  return models.map((model) => ({
    id: `model ${modelKey(model)}`,
    group: t('palette.models'),
    title: model.name,
    detail: model.isShadowed
      ? model.repository
      : [model.kind, stateText(shownState(model))].filter((word) => word !== undefined).join(', '),
    keys: '',
    disabledReason: undefined,
    run: () => open(listedAddress(model)),
  }));
}

function screenItems(features: readonly FeatureDefinition[]): readonly PaletteItem[] {
  return features.flatMap(({ area, title, parts = [] }) =>
    [{ tab: undefined, title }, ...parts].map((place) => ({
      id: place.tab === undefined ? `screen ${area}` : `screen ${area}/${place.tab}`,
      group: t('palette.screens'),
      title: t(place.title),
      detail: '',
      keys: '',
      disabledReason: undefined,
      run: () => open(address(area, place.tab === undefined ? {} : { tab: place.tab })),
    })),
  );
}

function helpItems(): readonly PaletteItem[] {
  const lines = [
    ['>', 'palette.helpCommands'],
    ['@', 'palette.helpModels'],
    ['#', 'palette.helpRuns'],
    [':', 'palette.helpLine'],
  ] as const;
  return lines.map(([prefix, text]) => ({
    id: `help ${prefix}`,
    group: t('palette.helpLabel'),
    title: prefix,
    detail: t(text),
    keys: '',
    disabledReason: undefined,
    run: () => undefined,
  }));
}

function lineItems(query: string): readonly PaletteItem[] {
  const line = Number(query);
  const model = activeTab()?.address.model ?? '';
  if (!Number.isInteger(line) || line < 1 || model === '') return [];
  return [
    {
      id: 'line',
      group: t('group.config'),
      title: t('palette.goToLine', { line }),
      detail: model,
      keys: '',
      disabledReason: undefined,
      run: () => open(modelAddress(model, 'config', { line: String(line) })),
    },
  ];
}
