// Fetches the engine's traces as long as the screen is shown: told that there are more, it reads what it does not have,
// slowly while requests are traced, so that looking on does not change what is measured.

import { useEffect } from 'react';

import type { TraceState } from '../../../src-shared/contract/trace-calls.ts';
import { unpackTraces } from '../../../src-shared/contract/trace-pack.ts';
import type { TraceRow } from '../../../src-shared/contract/trace-row.ts';
import type { EngineClient } from '../../engine/engine-client.ts';
import { isAbort } from '../../engine/engine-client.ts';
import { useClient, useConnection } from '../../engine/engine-context.tsx';
import { toastThrown } from '../../engine/toast-thrown.ts';
import { useEvent } from '../../engine/use-event.ts';
import { traces } from './trace-store.ts';

/** Between two messages while requests are traced. */
const PAUSE_MS = 250;
/** Between two drawings of what was fetched: a drawing of many rows takes longer than a message. */
const DRAW_MS = 500;

/** For the one screen of traces. */
export function useFollowTraces(): void {
  const client = useClient();
  const generation = useConnection((state) => state.generation);
  useEvent('traces/changed', (state) => tell(client, state));
  useEffect(() => {
    const { signal } = (follower = new AbortController());
    client.call('traces/state', {}, { signal }).then(
      (state) => tell(client, state),
      (thrown: unknown) => {
        if (!isAbort(thrown)) toastThrown(thrown);
      },
    );
    return () => {
      follower?.abort();
      follower = undefined;
    };
  }, [client, generation]);
}

/** Takes over what the engine told, and fetches what is new. Also after a call that answers with a state. */
export function tell(client: EngineClient, state: TraceState): void {
  const { generation, file } = traces.getState();
  if (generation !== state.generation) {
    fetched = [];
    firstFetched = state.firstRow;
    traces.setState({
      generation: state.generation,
      rows: [],
      ...(file === undefined && { choice: undefined }),
    });
  }
  traces.setState({ state });
  void catchUp(client).catch(() => undefined);
}

/** There while the screen is shown. */
let follower: AbortController | undefined;
let isReading = false;
/** Without a gap, the first with this number. What is drawn is a copy. */
let fetched: TraceRow[] = [];
let firstFetched = 0;

/** What fails is tried again with the next event. */
async function catchUp(client: EngineClient): Promise<void> {
  if (isReading) return;
  isReading = true;
  let drawnAt = performance.now();
  try {
    for (;;) {
      const { state } = traces.getState();
      const fromRow = Math.max(firstFetched + fetched.length, state?.firstRow ?? 0);
      if (follower === undefined || state === undefined || fromRow >= state.nextRow) return;
      if (!(await readFrom(client, fromRow, state, follower.signal))) return;
      if (performance.now() - drawnAt > DRAW_MS) {
        draw();
        drawnAt = performance.now();
      }
      if (state.mode !== undefined) await pause();
    }
  } finally {
    draw();
    isReading = false;
  }
}

/** False when nothing came: the rows were cleared meanwhile, which an event tells. */
async function readFrom(
  client: EngineClient,
  fromRow: number,
  { generation, capacity }: TraceState,
  signal: AbortSignal,
): Promise<boolean> {
  const page = await client.call('traces/read', { fromRow }, { signal });
  if (page.generation !== generation || traces.getState().generation !== generation) return false;
  if (page.fromRow !== firstFetched + fetched.length) {
    // Rows in between were dropped: what lies before them is dropped as well.
    fetched = [];
    firstFetched = page.fromRow;
  }
  fetched.push(...unpackTraces(page));
  const over = fetched.length - capacity;
  if (over > 0) {
    fetched = fetched.slice(over);
    firstFetched += over;
  }
  return page.rows.length > 0;
}

function draw(): void {
  if (traces.getState().rows.length === fetched.length && traces.getState().rows.at(-1) === fetched.at(-1))
    return;
  traces.setState({ rows: [...fetched] });
}

function pause(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, PAUSE_MS);
  });
}
