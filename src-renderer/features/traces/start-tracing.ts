// Beginning to trace, wherever it is asked for.

import type { TraceMode } from '../../../src-shared/contract/trace-calls.ts';
import type { EngineClient } from '../../engine/engine-client.ts';
import { tell } from './follow-traces.ts';
import { modeOf, tracePlan } from './trace-plan.ts';
import { showFile, traces } from './trace-store.ts';

/** By default as the toolbar says. A file that is shown gives way to what is traced now. */
export async function startTracing(
  client: EngineClient,
  mode: TraceMode = modeOf(tracePlan.getState()),
): Promise<void> {
  const state = await client.call('traces/start', { mode });
  if (traces.getState().file !== undefined) showFile(undefined);
  tell(client, state);
}

/** Requests that are under way are still recorded. */
export async function stopTracing(client: EngineClient): Promise<void> {
  tell(client, await client.call('traces/stop', {}));
}
