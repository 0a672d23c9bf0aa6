// Captured requests as a screen follows them: whether capturing is on, what was captured of a model, and switching it.

import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';

import type { CapturedRow, CaptureState } from '../../src-shared/contract/capture-calls.ts';
import type { EngineClient } from '../engine/engine-client.ts';
import { useClient, useSamples } from '../engine/engine-context.tsx';
import { useAction } from '../engine/use-action.ts';
import { useCall } from '../engine/use-call.ts';

const REFRESH_SECONDS = 2;

/** Switched by this window so many times: whoever shows the capture looks again at once. */
const switches = createStore(() => ({ count: 0 }));

type CaptureCall = 'capture/start' | 'capture/stop' | 'capture/clear';

/** Without a model, all are captured. Rejects as the call does. */
export async function switchCapture(client: EngineClient, call: CaptureCall, model?: string): Promise<void> {
  if (call === 'capture/start') await client.call(call, { model });
  else await client.call(call, {});
  switches.setState(({ count }) => ({ count: count + 1 }));
}

/** The capture as it stands, and what switches it. */
export interface Capture {
  /** Undefined until the engine told it. */
  readonly state: CaptureState | undefined;
  /** Newest first. */
  readonly rows: readonly CapturedRow[];
  readonly isBusy: boolean;
  /** Of the hook's model, or of all; a refusal is told in a toast. */
  readonly start: () => void;
  /** What was captured stays. */
  readonly stop: () => void;
  /** Forgets what was captured, of all models. */
  readonly clear: () => void;
}

/** Without a model, all: what is listed, and what `start` captures. */
export function useCapture(model?: string): Capture {
  const client = useClient();
  const tick = useSamples(({ second }) => Math.floor(second / REFRESH_SECONDS));
  const switched = useStore(switches, ({ count }) => count);
  const state = useCall('capture/state', {}, `${tick} ${switched}`);
  const isOn = state.data?.isOn === true;
  const isWanted = isOn || (state.data?.count ?? 0) > 0;
  const listed = isOn ? tick : state.data?.count;
  const rows = useCall('capture/list', isWanted ? { model } : undefined, `${listed} ${switched}`);
  const change = useAction((call: CaptureCall) => switchCapture(client, call, model));
  return {
    state: state.data,
    rows: rows.data ?? [],
    isBusy: change.isRunning,
    start: () => change.run('capture/start'),
    stop: () => change.run('capture/stop'),
    clear: () => change.run('capture/clear'),
  };
}
