// How many problems all models and repositories have together: what the status bar and the Problems tab count. Hints do not count.

import type { ModelView } from '../../src-shared/contract/model-view.ts';
import type { RepositoryView } from '../../src-shared/contract/repository-calls.ts';

/** Errors and warnings of all models, models that failed without one, and repositories that cannot be read. */
export function problemCount(models: readonly ModelView[], repositories: readonly RepositoryView[]): number {
  return models.reduce((sum, model) => sum + problemsOf(model), unreadable(repositories).length);
}

/** Those that are on and cannot be read. */
export function unreadable(repositories: readonly RepositoryView[]): readonly RepositoryView[] {
  return repositories.filter(({ error, isEnabled }) => isEnabled && error !== undefined);
}

/** A failed model without a config issue is one problem by itself. */
export function problemsOf({ state, issueCounts }: Pick<ModelView, 'state' | 'issueCounts'>): number {
  const issues = issueCounts.error + issueCounts.warning;
  return issues === 0 && state === 'failed' ? 1 : issues;
}
