// Finding and acting on many: filter text, state chips with counts, grouping, bulk load and unload, adding.

import {
  Eject,
  FileCode,
  FileDown,
  FolderPlus,
  Package,
  Play,
  Plus,
  RotateCw,
  Search,
  Sparkles,
  Workflow,
} from 'lucide-react';
import { useStore } from 'zustand';

import type { ModelView } from '../../../../src-shared/contract/model-view.ts';
import { exportModels } from '../../../actions/folder-actions.ts';
import { hiddenModels } from '../../../actions/hidden-models.ts';
import {
  isLoadable,
  isLoaded,
  loadModels,
  reloadModels,
  unloadModels,
} from '../../../actions/model-actions.ts';
import { openSamples } from '../../../actions/open-samples.ts';
import { useEngine, useModels } from '../../../engine/engine-context.tsx';
import { useAction } from '../../../engine/use-action.ts';
import { address } from '../../../lib/address.ts';
import { runCommand } from '../../../lib/command-registry.ts';
import { formatCount } from '../../../lib/format.ts';
import { open } from '../../../lib/workspace-store.ts';
import { t } from '../../../texts/translate.ts';
import { Button } from '../../../ui/button.tsx';
import { cx } from '../../../ui/cx.ts';
import { IconButton } from '../../../ui/icon-button.tsx';
import { TextInput } from '../../../ui/inputs.tsx';
import { MenuButton } from '../../../ui/menu.tsx';
import { Select } from '../../../ui/select.tsx';
import { StateIcon } from '../../../ui/state-chip.tsx';
import { useIsMainActTaken } from '../../../ui/main-act.tsx';
import { chipCounts } from '../repository-selectors.ts';
import type { ChipGroup } from '../repository-store.ts';
import { repositoryUi, toggleChip } from '../repository-store.ts';

const CHIPS: readonly {
  readonly group: ChipGroup;
  readonly text: 'state.ready' | 'state.loading' | 'state.failed' | 'state.unloaded' | 'state.notRunnable';
}[] = [
  { group: 'ready', text: 'state.ready' },
  { group: 'loading', text: 'state.loading' },
  { group: 'failed', text: 'state.failed' },
  { group: 'unloaded', text: 'state.unloaded' },
  { group: 'not-runnable', text: 'state.notRunnable' },
];

/** `models` are all of the list, `selected` those that bulk actions are for. */
export function Toolbar({
  models,
  selected,
  repository,
}: {
  readonly models: readonly ModelView[];
  readonly selected: readonly ModelView[];
  readonly repository: string;
}) {
  const filter = useStore(repositoryUi, (state) => state.filter);
  return (
    <div className="flex flex-wrap items-center gap-2 border-b border-line px-3 py-2">
      <TextInput
        icon={Search}
        value={filter}
        onChange={(text) => repositoryUi.setState({ filter: text })}
        placeholder={t('models.filter')}
        aria-label={t('models.filter')}
        data-testid="models-filter"
        className="w-52"
      />
      <StateChips models={models} />
      <HiddenChip />
      {repository !== '' && (
        <Button size="sm" onClick={() => open(address('models', { query: { repository: '' } }))}>
          {repository} ×
        </Button>
      )}
      <div className="ml-auto flex flex-wrap items-center gap-2">
        {selected.length > 1 ? (
          <BulkActions selected={selected} />
        ) : (
          <>
            <GroupBy />
            <AllActions models={models} />
          </>
        )}
        <AddMenu />
      </div>
    </div>
  );
}

function StateChips({ models }: { readonly models: readonly ModelView[] }) {
  const chosen = useStore(repositoryUi, (state) => state.states);
  const counts = chipCounts(models);
  return (
    <div className="flex items-center gap-1" role="group" aria-label={t('models.col.state')}>
      {CHIPS.filter(({ group }) => counts[group] > 0 || chosen.has(group)).map(({ group, text }) => (
        <button
          key={group}
          type="button"
          aria-pressed={chosen.has(group)}
          data-testid={`models-chip-${group}`}
          onClick={() => toggleChip(group)}
          className={cx(
            'flex h-7 items-center gap-1.5 rounded border px-2 whitespace-nowrap',
            chosen.has(group)
              ? 'border-accent bg-selected text-strong'
              : 'border-line text-soft hover:bg-hover',
          )}
        >
          <StateIcon state={group} />
          {t(text)}
          <span className="text-faint">{formatCount(counts[group])}</span>
        </button>
      ))}
    </div>
  );
}

/** Brings what was taken off the list back into view, for as long as it is pressed. */
function HiddenChip() {
  const { paths, isShowing } = useStore(hiddenModels);
  const count = useModels(({ models }) => models.filter(({ path }) => paths.has(path)).length);
  if (count === 0) return null;
  return (
    <Button
      size="sm"
      aria-pressed={isShowing}
      data-testid="models-hidden"
      onClick={() => hiddenModels.setState({ isShowing: !isShowing })}
    >
      {t('models.hidden', { count })}
    </Button>
  );
}

function GroupBy() {
  const groupBy = useStore(repositoryUi, (state) => state.groupBy);
  return (
    <Select
      aria-label={t('models.groupBy')}
      data-testid="models-group"
      value={groupBy}
      onChange={(next) => repositoryUi.setState({ groupBy: next })}
      options={[
        { value: 'none', label: t('models.group.none') },
        { value: 'repository', label: t('models.group.repository') },
        { value: 'type', label: t('models.group.type') },
      ]}
    />
  );
}

function BulkActions({ selected }: { readonly selected: readonly ModelView[] }) {
  const engine = useEngine();
  const loadable = selected.filter(isLoadable).map(({ name }) => name);
  const loaded = selected.filter(isLoaded).map(({ name }) => name);
  // By its name the folder that comes first would be exported instead.
  const named = selected.filter(({ isShadowed }) => !isShadowed).map(({ name }) => name);
  const load = useAction(() => loadModels(engine, loadable));
  const unload = useAction(() => unloadModels(engine, loaded));
  const reload = useAction(() => reloadModels(engine, loaded));
  return (
    <>
      <span className="text-soft">{t('table.selected', { count: selected.length })}</span>
      <Button
        icon={Play}
        isBusy={load.isRunning}
        disabledReason={loadable.length === 0 ? t('command.noneToLoad') : undefined}
        aria-label={t('models.bulkLoad')}
        data-testid="models-bulk-load"
        onClick={load.run}
      >
        {t('models.bulkLoad.short')}
      </Button>
      <Button
        icon={Eject}
        isBusy={unload.isRunning}
        disabledReason={loaded.length === 0 ? t('command.noneLoaded') : undefined}
        aria-label={t('models.bulkUnload')}
        data-testid="models-bulk-unload"
        onClick={unload.run}
      >
        {t('models.bulkUnload.short')}
      </Button>
      <Button
        icon={RotateCw}
        isBusy={reload.isRunning}
        disabledReason={loaded.length === 0 ? t('command.noneLoaded') : undefined}
        aria-label={t('models.bulkReload')}
        data-testid="models-bulk-reload"
        onClick={reload.run}
      >
        {t('models.bulkReload.short')}
      </Button>
      <Button
        icon={Package}
        aria-label={t('models.bulkExport')}
        data-testid="models-bulk-export"
        disabledReason={named.length === 0 ? t('models.duplicate') : undefined}
        onClick={() => exportModels(named)}
      >
        {t('models.bulkExport.short')}
      </Button>
    </>
  );
}

function AllActions({ models }: { readonly models: readonly ModelView[] }) {
  const engine = useEngine();
  const { client } = engine;
  const loadable = models.filter(isLoadable).map(({ name }) => name);
  const load = useAction(() => loadModels(engine, loadable));
  const rescan = useAction(() => client.call('repository/rescan', {}));
  return (
    <>
      <IconButton
        label={t('models.rescan')}
        icon={RotateCw}
        needsServer
        isBusy={rescan.isRunning}
        data-testid="models-rescan"
        onClick={rescan.run}
      />
      <Button
        isBusy={load.isRunning}
        disabledReason={loadable.length === 0 ? t('command.noneToLoad') : undefined}
        data-testid="models-load-all"
        onClick={load.run}
      >
        {t('models.loadAll')}
      </Button>
    </>
  );
}

function AddMenu() {
  const engine = useEngine();
  const isTaken = useIsMainActTaken();
  const samples = useAction(() => openSamples(engine));
  return (
    <MenuButton
      entries={[
        {
          id: 'importModel',
          label: t('models.addModel'),
          icon: FileDown,
          onSelect: () => void runCommand('repository.importOnnx'),
        },
        {
          id: 'addRepository',
          label: t('models.addRepository'),
          icon: FolderPlus,
          onSelect: () => void runCommand('repository.add'),
        },
        {
          id: 'newPython',
          label: t('code.new.model'),
          icon: FileCode,
          startsGroup: true,
          onSelect: () => void runCommand('code.newModel'),
        },
        {
          id: 'newStep',
          label: t('code.new.step'),
          icon: FileCode,
          onSelect: () => void runCommand('code.newStep'),
        },
        {
          id: 'newEnsemble',
          label: t('ensemble.new.menu'),
          icon: Workflow,
          onSelect: () => void runCommand('ensemble.new'),
        },
        {
          id: 'samples',
          label: t('models.samples'),
          icon: Sparkles,
          startsGroup: true,
          onSelect: samples.run,
        },
      ]}
    >
      <Button variant={isTaken ? 'secondary' : 'primary'} icon={Plus} data-testid="models-add">
        {t('models.add')}
      </Button>
    </MenuButton>
  );
}
