// Names that models have, for dialogs that make one. The new model is in the list before its dialog is gone, so names do
// not change while it is being made: its own would be told as taken.

import { useState } from 'react';

import type { ModelView } from '../../../src-shared/contract/model-view.ts';
import { useModels } from '../../engine/engine-context.tsx';

/** By name; as it was when the making began, while `isMaking`. */
export function useTakenNames(isMaking: boolean): ReadonlyMap<string, ModelView> {
  const now = useModels(({ byName }) => byName);
  const [told, setTold] = useState(now);
  if (!isMaking && told !== now) setTold(now);
  return isMaking ? told : now;
}
