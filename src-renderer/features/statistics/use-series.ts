// The history of a version and of the server process, followed point by point.

import { useCallback, useEffect, useRef, useState } from 'react';

import type {
  ResourcePoint,
  SeriesMarker,
  SeriesWindow,
} from '../../../src-shared/contract/observe-views.ts';
import { isAbort, messageOf } from '../../engine/engine-client.ts';
import { useClient, useEngine } from '../../engine/engine-context.tsx';
import { t } from '../../texts/translate.ts';
import type { SeriesState } from './series-state.ts';
import { WINDOW_SHAPES, withAnswer } from './series-state.ts';
import { usePolling } from './use-polling.ts';

/** `version` "" = the newest. */
export interface SeriesTarget {
  readonly model: string;
  readonly version: string;
  readonly window: SeriesWindow;
}

interface Held<Data> {
  readonly subject: string;
  readonly data: Data | undefined;
  readonly error: string | undefined;
}

/** Data that grows while it is shown. */
export interface Followed<Data> {
  /** Undefined until the first answer. */
  readonly data: Data | undefined;
  readonly error: string | undefined;
  /** Asks for what is new now; what is shown stays until that is here. */
  readonly reload: () => void;
}

/** Keeps what came last for one subject, and asks for what is newer. */
function useFollowed<Data>(
  subject: string,
  refreshMs: number,
  isHeld: boolean,
  ask: (before: Data | undefined, signal: AbortSignal) => Promise<Data>,
): Followed<Data> {
  const [held, setHeld] = useState<Held<Data>>({ subject, data: undefined, error: undefined });
  const [turn, setTurn] = useState(0);
  const latest = useRef(held);
  const poll = useCallback(
    async (signal: AbortSignal): Promise<void> => {
      const before = latest.current.subject === subject ? latest.current.data : undefined;
      try {
        latest.current = { subject, data: await ask(before, signal), error: undefined };
      } catch (thrown) {
        if (signal.aborted || isAbort(thrown)) return;
        latest.current = { subject, data: before, error: messageOf(thrown) };
      }
      if (!signal.aborted) setHeld(latest.current);
    },
    [subject, ask],
  );
  const shown = held.subject === subject ? held : undefined;
  // Nothing can be held before it has come.
  usePolling(poll, refreshMs, isHeld && shown?.data !== undefined, turn);
  const reload = useCallback(() => setTurn((value) => value + 1), []);
  return { data: shown?.data, error: shown?.error, reload };
}

/** The history of a version, followed while it is looked at; stays while `isHeld`, once there is one. */
export function useSeries({ model, version, window }: SeriesTarget, isHeld: boolean): Followed<SeriesState> {
  const client = useClient();
  const ask = useCallback(
    async (before: SeriesState | undefined, signal: AbortSignal): Promise<SeriesState> => {
      const afterMs = before?.points.at(-1)?.atMs ?? 0;
      const answer = await client.call('observe/series', { model, version, window, afterMs }, { signal });
      return withAnswer(before, answer, window);
    },
    [client, model, version, window],
  );
  const subject = JSON.stringify([model, version, window]);
  return useFollowed(subject, WINDOW_SHAPES[window].refreshMs, isHeld, ask);
}

/** What the server process took over the window, followed in the same way. */
export function useResources(window: SeriesWindow, isHeld: boolean): Followed<readonly ResourcePoint[]> {
  const client = useClient();
  const ask = useCallback(
    async (before: readonly ResourcePoint[] | undefined, signal: AbortSignal) => {
      const afterMs = before?.at(-1)?.atMs ?? 0;
      const { points } = await client.call('observe/resources', { window, afterMs }, { signal });
      if (before !== undefined && points.length === 0) return before;
      const all = [...(before ?? []), ...points];
      const fromMs = (all.at(-1)?.atMs ?? 0) - (WINDOW_SHAPES[window].spanMs ?? Infinity);
      return all.filter(({ atMs }) => atMs > fromMs);
    },
    [client, window],
  );
  return useFollowed(window, Math.max(1000, WINDOW_SHAPES[window].refreshMs), isHeld, ask);
}

/** One marker for each time the page lost the server process and found it again. */
export function useRestartMarkers(): readonly SeriesMarker[] {
  const { connection } = useEngine();
  const [markers, setMarkers] = useState<readonly SeriesMarker[]>([]);
  useEffect(
    () =>
      connection.subscribe((state, before) => {
        if (before.generation === 0 || state.generation === before.generation) return;
        const marker = { atMs: Date.now(), text: t('statistics.marker.reconnected') };
        setMarkers((known) => [...known, marker]);
      }),
    [connection],
  );
  return markers;
}
