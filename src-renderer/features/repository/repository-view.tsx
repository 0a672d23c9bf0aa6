// The list of models: banners for what lasts, a toolbar to find, the table to act, the inspector for detail.

import { useEffect, useMemo } from 'react';
import { useStore } from 'zustand';

import type { ModelView } from '../../../src-shared/contract/model-view.ts';
import { askName, trashModels } from '../../actions/folder-actions.ts';
import { ModelInspector } from '../../actions/model-inspector.tsx';
import { hiddenModels, readHiddenModels } from '../../actions/hidden-models.ts';
import {
  isLoadable,
  isLoaded,
  loadModel,
  loadModels,
  reloadModel,
  reloadModels,
  unloadModel,
  unloadModels,
} from '../../actions/model-actions.ts';
import { useEngine, useModels } from '../../engine/engine-context.tsx';
import { tellsMemory } from '../../lib/model-memory.ts';
import { listedAddress } from '../../lib/address.ts';
import { useCommand } from '../../lib/command-registry.ts';
import type { FeatureViewProps } from '../../lib/feature.ts';
import { commandFor } from '../../lib/keymap.ts';
import type { KeyLike } from '../../lib/keys.ts';
import { shortcutOf } from '../../lib/keys.ts';
import { open } from '../../lib/workspace-store.ts';
import { modelKey } from '../../engine/models-store.ts';
import { t } from '../../texts/translate.ts';
import { Button } from '../../ui/button.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { InInspector } from '../../ui/inspector-slot.tsx';
import { MainActScope } from '../../ui/main-act.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { ListEmpty } from './components/list-empty.tsx';
import { areAllUnreadable, ListUnreadable } from './components/list-unreadable.tsx';
import { modelColumns } from './components/model-columns.tsx';
import { openRowMenu, RowMenu } from './components/row-actions.tsx';
import { RepositoryBanners } from './components/repository-banners.tsx';
import { Toolbar } from './components/toolbar.tsx';
import { groupKey, visibleModels } from './repository-selectors.ts';
import { clearFilter, repositoryUi } from './repository-store.ts';
import { toastThrown } from '../../engine/toast-thrown.ts';

const DEFAULT_SORT = { column: 'name', isDescending: false } as const;

/** The address may name one repository, whose models alone are listed then. */
export function RepositoryView(props: FeatureViewProps) {
  return (
    <MainActScope>
      <Listed {...props} />
    </MainActScope>
  );
}

function Listed({ address }: FeatureViewProps) {
  const ui = useStore(repositoryUi);
  const repository = address.query['repository'] ?? '';
  const all = useModels((state) => state.models);
  const models = useListed(all);
  const isLoadedOnce = useModels((state) => state.isLoaded);
  const { filter, states } = ui;
  const visible = useMemo(
    () => visibleModels(models, { filter, states }, repository),
    [models, filter, states, repository],
  );
  const isMemoryTelling = tellsMemory(models);
  const hasGpuModels = models.some(({ gpuMemory }) => gpuMemory.length > 0);
  const longest = models.reduce((most, { name }) => Math.max(most, name.length), 0);
  const columns = useMemo(
    () => modelColumns(isMemoryTelling, hasGpuModels, longest),
    [isMemoryTelling, hasGpuModels, longest],
  );
  const groupOf = useMemo(() => groupKey(ui.groupBy), [ui.groupBy]);
  const isSelected = (model: ModelView) => ui.selected.has(modelKey(model));
  // Acts on several models reach only those that can be seen; one that a changed state hides can still be read about.
  const selected = visible.filter(isSelected);
  const picked = models.filter(isSelected);
  const onRowKey = useRowKeys(selected);
  const inspected = picked.length === 1 ? picked : selected;
  useCommand('find.inView', focusFilter);
  return (
    <div className="flex min-h-0 flex-1 flex-col" data-testid="models-view">
      <RepositoryBanners models={models} />
      <Toolbar models={models} selected={selected} repository={repository} />
      {!isLoadedOnce ? (
        <Skeleton rows={8} />
      ) : (
        <DataTable<ModelView>
          label={t('models.title')}
          testId="models-table"
          rows={visible}
          columns={columns}
          keyOf={modelKey}
          defaultSort={DEFAULT_SORT}
          groupOf={groupOf}
          viewKey={`${filter} ${[...states].join(' ')} ${repository}`}
          selected={ui.selected}
          onSelected={(keys) => repositoryUi.setState({ selected: keys })}
          onOpen={(model) => open(listedAddress(model))}
          onRowKey={onRowKey}
          onRowMenu={openRowMenu}
          testIdOf={({ name, isShadowed }) => `model-row-${name}${isShadowed ? '-shadowed' : ''}`}
          empty={<Nothing hasModels={models.length > 0} />}
        />
      )}
      <RowMenu models={models} selected={selected} />
      <InInspector>{inspected.length > 0 && <ModelInspector models={inspected} />}</InInspector>
    </div>
  );
}

/** Without what was taken off the list, unless that is asked for. */
function useListed(all: readonly ModelView[]): readonly ModelView[] {
  const { client } = useEngine();
  const { paths, isShowing } = useStore(hiddenModels);
  useEffect(() => {
    readHiddenModels(client).catch(toastThrown);
  }, [client]);
  return useMemo(
    () => (isShowing || paths.size === 0 ? all : all.filter(({ path }) => !paths.has(path))),
    [all, paths, isShowing],
  );
}

function Nothing({ hasModels }: { readonly hasModels: boolean }) {
  const repositories = useModels((state) => state.repositories);
  if (hasModels) return <NoMatch />;
  return areAllUnreadable(repositories) ? <ListUnreadable repositories={repositories} /> : <ListEmpty />;
}

function NoMatch() {
  return (
    <EmptyState
      title={t('models.noMatch.title')}
      text={t('models.noMatch.text')}
      actions={<Button onClick={clearFilter}>{t('models.noMatch.clear')}</Button>}
    />
  );
}

function focusFilter(): void {
  document.querySelector<HTMLElement>('[data-testid="models-filter"]')?.focus();
}

/**
 * The keys of the list work while a row has the focus. Where it is one of several that are selected, loading and
 * unloading are for all of them, as the toolbar's buttons are, and so is the bin; a name is for one.
 */
function useRowKeys(selected: readonly ModelView[]): (event: KeyLike, model: ModelView) => boolean {
  const engine = useEngine();
  return (event, model) => {
    const { name } = model;
    const meant = selected.includes(model) ? selected : [model];
    const namesOf = (fits: (each: ModelView) => boolean): readonly string[] =>
      meant.filter(fits).map((each) => each.name);
    const act = (
      names: readonly string[],
      one: (of: typeof engine, name: string) => Promise<unknown>,
      many: (of: typeof engine, names: readonly string[]) => Promise<void>,
    ): true => {
      const [only] = names;
      if (names.length > 1) many(engine, names).catch(toastThrown);
      else if (only !== undefined) void one(engine, only);
      return true;
    };
    switch (commandFor(shortcutOf(event), undefined, 'list')) {
      case 'list.load':
        return act(namesOf(isLoadable), loadModel, loadModels);
      case 'list.unload':
        return act(namesOf(isLoaded), unloadModel, unloadModels);
      case 'list.reload':
        return act(namesOf(isLoaded), reloadModel, reloadModels);
      case 'list.rename':
        if (!model.isShadowed) askName(name, 'rename');
        return true;
      case 'list.remove':
        void trashModels(
          engine,
          meant.filter(({ isShadowed }) => !isShadowed),
        );
        return true;
      case 'list.filter':
        focusFilter();
        return true;
      default:
        return false;
    }
  };
}
