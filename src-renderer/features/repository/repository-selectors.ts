// What the list of models shows of all models. Pure.

import type { ModelView } from '../../../src-shared/contract/model-view.ts';
import { shownState } from '../../lib/model-state.ts';
import { t } from '../../texts/translate.ts';
import type { ChipGroup, GroupBy, RepositoryUiState } from './repository-store.ts';
import { CHIP_GROUPS } from './repository-store.ts';

const GROUPS = Object.entries(CHIP_GROUPS) as readonly (readonly [ChipGroup, readonly string[]])[];

function chipOf(model: ModelView): ChipGroup {
  const state = shownState(model);
  return GROUPS.find(([, states]) => states.includes(state))?.[0] ?? 'unloaded';
}

/** How many models each chip stands for; every model counts once. */
export function chipCounts(models: readonly ModelView[]): Readonly<Record<ChipGroup, number>> {
  const counts = { ready: 0, loading: 0, failed: 0, unloaded: 0, 'not-runnable': 0 };
  for (const model of models) counts[chipOf(model)] += 1;
  return counts;
}

/** Every word must occur in name, kind, device or reason; `repository` "" = all. */
export function visibleModels(
  models: readonly ModelView[],
  { filter, states }: Pick<RepositoryUiState, 'filter' | 'states'>,
  repository: string,
): readonly ModelView[] {
  const words = filter
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  return models.filter((model) => {
    if (repository !== '' && model.repository !== repository) return false;
    if (states.size > 0 && !states.has(chipOf(model))) return false;
    const text =
      `${model.name} ${model.kind ?? ''} ${model.device ?? ''} ${model.reason ?? ''}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

/** What rows are grouped by; undefined = they are not. */
export function groupKey(groupBy: GroupBy): ((model: ModelView) => string) | undefined {
  switch (groupBy) {
    case 'repository':
      return ({ repository }) => repository;
    case 'type':
      return ({ kind }) => kind ?? t('models.group.noType');
    default:
      return undefined;
  }
}
