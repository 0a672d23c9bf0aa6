// How many problems all models have together: what the status bar and the Problems tab count. Hints do not count.

import type { ModelView } from '../../src-shared/contract/model-view.ts';

/** Errors and warnings of all models, and models that failed without one; hints are not counted. */
export function problemCount(models: readonly ModelView[]): number {
  return models.reduce((sum, model) => sum + problemsOf(model), 0);
}

/** A failed model without a config issue is one problem by itself. */
export function problemsOf({ state, issueCounts }: Pick<ModelView, 'state' | 'issueCounts'>): number {
  const issues = issueCounts.error + issueCounts.warning;
  return issues === 0 && state === 'failed' ? 1 : issues;
}
