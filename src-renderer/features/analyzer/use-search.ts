// The search that goes on, or the last one, as the engine told last.

import { useState } from 'react';

import type { AnalyzeView } from '../../../src-shared/contract/analyze-calls.ts';
import { useCall } from '../../engine/use-call.ts';
import { useEvent } from '../../engine/use-event.ts';

/** `view` undefined after loading: nothing was ever searched. */
export interface SearchState {
  readonly view: AnalyzeView | undefined;
  readonly error: string | undefined;
  readonly isLoading: boolean;
}

/** Follows it while the screen is shown. */
export function useSearch(): SearchState {
  const { data, error } = useCall('analyze/view', {});
  const [told, setTold] = useState<{ readonly view: AnalyzeView; readonly after: unknown }>();
  useEvent('analyze/changed', (view) => setTold({ view, after: data }));
  // A later snapshot, as after a reconnect, is newer than what was told before it.
  const newest = told !== undefined && told.after === data ? told.view : data?.view;
  return { view: newest, error, isLoading: data === undefined && error === undefined };
}
