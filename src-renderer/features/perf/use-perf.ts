// The Perf lab's view of the engine: follows the run that goes on, reads the list and the shown run again when one of
// them changed.

import { useEffect, useMemo } from 'react';

import type { PerfLevel, PerfRun, PerfRunSummary } from '../../../src-shared/contract/perf-views.ts';
import { useClient, useConnection } from '../../engine/engine-context.tsx';
import { useCall } from '../../engine/use-call.ts';
import { useEvent } from '../../engine/use-event.ts';
import type { LiveRun } from './live-run.ts';
import { withLevels } from './live-run.ts';
import { applyProgress, perfUi, refreshRuns, usePerf } from './perf-store.ts';

/** Mounted once by the screen. */
export function useFollowRuns(): void {
  const client = useClient();
  const generation = useConnection((state) => state.generation);
  useEvent('perf/progress', (progress) => {
    const isNew = perfUi.getState().live?.runId !== progress.runId;
    applyProgress(progress);
    if (isNew) refreshRuns();
  });
  useEvent('perf/finished', ({ run }) => {
    if (perfUi.getState().live?.runId === run.id && run.state !== 'running' && run.state !== 'queued')
      perfUi.setState({ live: undefined });
    refreshRuns();
  });
  useEffect(() => {
    if (generation === 0) return undefined;
    const controller = new AbortController();
    client.call('perf/current', {}, { signal: controller.signal }).then(
      ({ progress }) => {
        if (controller.signal.aborted) return;
        if (progress === undefined) perfUi.setState({ live: undefined });
        else applyProgress(progress);
        refreshRuns();
      },
      // A lost connection is the connection strip's to tell; the next one asks again.
      () => undefined,
    );
    return () => controller.abort();
  }, [client, generation]);
}

/** The list of runs that were kept. */
export interface RunsState {
  /** Newest first. */
  readonly runs: readonly PerfRunSummary[];
  readonly error: string | undefined;
  readonly isLoading: boolean;
  /** The list that is shown stays until the new one is here. */
  readonly reload: () => void;
}

const NO_RUNS: readonly PerfRunSummary[] = [];

/** All runs, newest first. */
export function useRuns(): RunsState {
  const turn = usePerf((state) => state.turn);
  const { data, error, isLoading, reload } = useCall('perf/runs', { model: '' }, turn);
  return { runs: data ?? NO_RUNS, error, isLoading, reload };
}

/** The run that is looked at; its levels grow while it goes on. */
export interface ShownRun {
  readonly run: PerfRun | undefined;
  /** While it goes on. */
  readonly live: LiveRun | undefined;
  readonly levels: readonly PerfLevel[];
  readonly error: string | undefined;
}

const NO_LEVELS: readonly PerfLevel[] = [];

/** The chosen run; else the one that goes on; else the newest. */
export function useShownRun(runs: readonly PerfRunSummary[]): ShownRun {
  const chosen = usePerf((state) => state.runId);
  const going = usePerf((state) => state.live);
  const turn = usePerf((state) => state.turn);
  const id = chosen ?? going?.runId ?? runs[0]?.id;
  const { data, error } = useCall('perf/run', id === undefined ? undefined : { run: id }, turn);
  const live = going?.runId === id ? going : undefined;
  const stored = data?.levels ?? NO_LEVELS;
  const fresh = live?.levels;
  // The same array while no level was finished, so that nothing made of levels is drawn again.
  const levels = useMemo(() => (fresh === undefined ? stored : withLevels(stored, fresh)), [stored, fresh]);
  return { run: data, live, levels, error };
}
