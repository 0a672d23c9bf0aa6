// Counters of one version, once a second while somebody looks, since load or since the view was reset.

import { useStore } from 'zustand';

import type { StatisticsView } from '../../../src-shared/contract/observe-views.ts';
import { useCall } from '../../engine/use-call.ts';
import { useLookTick } from './use-look-tick.ts';
import { resetKey, viewResets } from './view-resets.ts';

/** `version` "" = the newest; `data` is undefined until the first answer. */
export function useVersionStatistics(
  model: string,
  version: string,
  isHeld: boolean,
): { readonly data: StatisticsView | undefined; readonly error: string | undefined } {
  const resetId = useStore(viewResets, ({ byVersion }) => byVersion.get(resetKey(model, version)));
  const tick = useLookTick(isHeld);
  const args = { model, version, ...(resetId === undefined ? {} : { resetId }) };
  const { data, error } = useCall('observe/statistics', args, tick);
  return { data: data?.at(-1), error };
}
