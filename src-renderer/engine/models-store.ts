// The models of all repositories as the engine last described them. Snapshot first, then changed models only; views
// that did not change keep their identity, so components compare by reference.

import { createStore } from 'zustand/vanilla';
import type { StoreApi } from 'zustand/vanilla';

import type { ModelView } from '../../src-shared/contract/model-view.ts';
import type { RepositorySnapshot, RepositoryView } from '../../src-shared/contract/repository-calls.ts';

/** The models of the server, kept up to date by its events. */
export interface ModelsState {
  /** By name, then repository. */
  readonly models: readonly ModelView[];
  readonly byName: ReadonlyMap<string, ModelView>;
  readonly repositories: readonly RepositoryView[];
  readonly isScanning: boolean;
  /** False until it is known which repositories are open: the engine may still be opening them. */
  readonly isLoaded: boolean;
}

/** The store of them. */
export type ModelsStore = StoreApi<ModelsState>;

/** Empty, and not yet loaded: no models is not the same as none known. */
export function createModelsStore(): ModelsStore {
  return createStore<ModelsState>(() => ({
    models: [],
    byName: new Map(),
    repositories: [],
    isScanning: true,
    isLoaded: false,
  }));
}

/** Key of a row: a name may occur in two repositories. */
export function modelKey(model: Pick<ModelView, 'name' | 'repository'>): string {
  return `${model.name}\n${model.repository}`;
}

/** All models as they are now; what the store had before is gone. */
export function applySnapshot(store: ModelsStore, { models, ...list }: RepositorySnapshot): void {
  store.setState(indexed(models));
  applyRepositories(store, list);
}

/** A list without an entry says nothing while repositories are being opened; after a restart what was known stays. */
export function applyRepositories(
  store: ModelsStore,
  { repositories, isScanning }: Pick<RepositorySnapshot, 'repositories' | 'isScanning'>,
): void {
  const isOpening = isScanning && repositories.length === 0;
  store.setState(isOpening ? { isScanning } : { repositories, isScanning, isLoaded: true });
}

/** Every folder of a name that changed or was removed goes; the changed views take their places. */
export function applyChange(
  store: ModelsStore,
  change: { readonly changed: readonly ModelView[]; readonly removed: readonly string[] },
): void {
  // A changed name comes with all of its folders: one that is not among them is gone.
  const replaced = new Set([...change.removed, ...change.changed.map(({ name }) => name)]);
  const kept = store.getState().models.filter(({ name }) => !replaced.has(name));
  store.setState(indexed([...kept, ...change.changed]));
}

function indexed(models: readonly ModelView[]): Pick<ModelsState, 'models' | 'byName'> {
  const sorted = models.toSorted(
    (a, b) => a.name.localeCompare(b.name, 'en') || a.repository.localeCompare(b.repository, 'en'),
  );
  const byName = new Map<string, ModelView>();
  for (const model of sorted) if (!model.isShadowed) byName.set(model.name, model);
  return { models: sorted, byName };
}
