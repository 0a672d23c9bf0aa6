// The models with the findings of texts that are being edited in place of those from disk.

import { useMemo } from 'react';
import { useStore } from 'zustand';

import type { ModelView } from '../../src-shared/contract/model-view.ts';
import { liveProblems, withLiveCounts } from '../lib/live-problems.ts';
import { useModels } from './engine-context.tsx';

/** All models in the order of the store; the array is the same until a model or a count changes. */
export function useLiveModels(): readonly ModelView[] {
  const models = useModels((state) => state.models);
  const byDocument = useStore(liveProblems, (state) => state.byDocument);
  return useMemo(() => withLiveCounts(models, byDocument), [models, byDocument]);
}
