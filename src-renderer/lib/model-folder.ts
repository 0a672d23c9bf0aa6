// Whether a model can be loaded again from where it came from. Pure.

import type { ModelView } from '../../src-shared/contract/model-view.ts';

/** It serves from memory: its folder is gone, or cannot be read, which is all that such a model gives a reason for. */
export function isWithoutFolder({
  state,
  failure,
  reason,
}: Pick<ModelView, 'state' | 'failure' | 'reason'>): boolean {
  return state === 'ready' && failure === undefined && reason !== undefined;
}
