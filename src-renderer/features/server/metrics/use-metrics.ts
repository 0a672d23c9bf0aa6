// Reads the metrics while they are shown, every two seconds; more seldom where a reading takes the server long, so that
// looking never costs it more than a fiftieth of its time.

import { useEffect, useState } from 'react';
import { useStore } from 'zustand';

import { explainedMessage, isAbort } from '../../../engine/engine-client.ts';
import { useClient, useConnection, useSamples } from '../../../engine/engine-context.tsx';
import { applyReading, metricsStore } from './metric-history.ts';

const READ_EVERY_MS = 2000;
const COST_FACTOR = 50;

/** The sentence of what failed; undefined = nothing did. What was read last stays in the store. */
export function useMetrics(): string | undefined {
  const client = useClient();
  const generation = useConnection((state) => state.generation);
  const nowMs = useSamples(({ perSecond }) => perSecond?.atMs ?? 0);
  const family = useStore(metricsStore, (state) => state.family);
  const match = useStore(metricsStore, (state) => state.match);
  const [error, setError] = useState<string>();
  const [round, setRound] = useState({ nowMs, tookMs: 0 });
  // A second that comes too soon changes nothing; a window that was asleep reads at once.
  const isDue = Math.abs(nowMs - round.nowMs) >= Math.max(READ_EVERY_MS, COST_FACTOR * round.tookMs);
  if (isDue) setRound({ ...round, nowMs });
  useEffect(() => {
    const controller = new AbortController();
    const args = { ...(family === undefined ? {} : { family }), ...(match === '' ? {} : { match }) };
    client.call('metrics/read', args, { signal: controller.signal }).then(
      (view) => {
        if (controller.signal.aborted) return;
        applyReading(view);
        setError(undefined);
        setRound((known) => (known.tookMs === view.tookMs ? known : { ...known, tookMs: view.tookMs }));
      },
      (thrown: unknown) => {
        if (!controller.signal.aborted && !isAbort(thrown)) setError(explainedMessage(thrown));
      },
    );
    return () => controller.abort();
  }, [client, generation, family, match, round.nowMs]);
  return error;
}
