// What the user looks for in the list of models: filter, chips, grouping, selection. Kept while other tabs are shown.

import { createStore } from 'zustand/vanilla';

import type { ShownState } from '../../lib/model-state.ts';

/** What the rows of the list are put together by. */
export type GroupBy = 'none' | 'repository' | 'type';

/** How the list is looked at, in this window. */
export interface RepositoryUiState {
  readonly filter: string;
  /** Empty = all. */
  readonly states: ReadonlySet<ChipGroup>;
  readonly groupBy: GroupBy;
  readonly selected: ReadonlySet<string>;
}

/** States that one chip stands for. */
export const CHIP_GROUPS = {
  ready: ['ready', 'ready-changed', 'degraded'],
  loading: ['loading', 'unloading'],
  failed: ['failed'],
  unloaded: ['unloaded'],
  'not-runnable': ['not-runnable'],
} as const satisfies Readonly<Record<string, readonly ShownState[]>>;

/** States that one chip stands for. */
export type ChipGroup = keyof typeof CHIP_GROUPS;

/** Starts without filter, grouping and selection. */
export const repositoryUi = createStore<RepositoryUiState>(() => ({
  filter: '',
  states: new Set(),
  groupBy: 'none',
  selected: new Set(),
}));

/** Shows models of these states too, or no longer; without any chip all are shown. */
export function toggleChip(group: ChipGroup): void {
  const states = new Set(repositoryUi.getState().states);
  if (!states.delete(group)) states.add(group);
  repositoryUi.setState({ states });
}

/** Shows all models again; grouping and selection stay. */
export function clearFilter(): void {
  repositoryUi.setState({ filter: '', states: new Set() });
}
