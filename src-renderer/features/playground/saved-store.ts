// What is known of saved requests besides the list itself: that it changed, and how each did in the latest run.

import { createStore } from 'zustand/vanilla';

import { readBlob, releaseBlob, uploadBlob } from '../../actions/blobs.ts';
import { saveText } from '../../actions/save-text.ts';
import type { EngineClient } from '../../engine/engine-client.ts';
import { explainedMessage } from '../../engine/engine-client.ts';

/** How one saved request did. */
export interface SavedRun {
  readonly state: 'running' | 'passed' | 'failed' | 'answered';
  /** First difference or error; undefined = none. */
  readonly message: string | undefined;
}

/** Of the saved requests of one model. */
export interface SavedState {
  /** Grows with every change of the list. */
  readonly revision: number;
  /** By id of the saved request. */
  readonly runs: Readonly<Record<string, SavedRun>>;
  readonly isRunningAll: boolean;
}

/** `revision` grows with each change of the list. */
export const savedState = createStore<SavedState>(() => ({ revision: 0, runs: {}, isRunningAll: false }));

/** Lists of saved requests read again. */
export function notifySaved(): void {
  savedState.setState(({ revision }) => ({ revision: revision + 1 }));
}

function setRun(id: string, run: SavedRun): void {
  savedState.setState(({ runs }) => ({ runs: { ...runs, [id]: run } }));
}

/** Sends one saved request and compares it with its expectation. Never rejects. */
export async function runSaved(client: EngineClient, model: string, id: string): Promise<SavedRun> {
  setRun(id, { state: 'running', message: undefined });
  const run = await answerOf(client, model, id);
  setRun(id, run);
  return run;
}

async function answerOf(client: EngineClient, model: string, id: string): Promise<SavedRun> {
  try {
    const { result, passed, message } = await client.call('playground/runSaved', { model, id });
    if (passed === undefined)
      return result.ok
        ? { state: 'answered', message: undefined }
        : { state: 'failed', message: result.error };
    return { state: passed ? 'passed' : 'failed', message: passed ? undefined : message };
  } catch (thrown) {
    return { state: 'failed', message: explainedMessage(thrown) };
  }
}

/** Hands all of them to the user as one file. */
export async function exportSaved(client: EngineClient, model: string): Promise<void> {
  const { blob, byteSize } = await client.call('playground/exportSaved', { model });
  try {
    const bytes = await readBlob(client, blob, { offset: 0, byteSize });
    await saveText(`${model}.requests.json`, new TextDecoder().decode(bytes));
  } finally {
    releaseBlob(client, blob);
  }
}

/** Returns how many were added. */
export async function importSaved(client: EngineClient, model: string, file: File): Promise<number> {
  const blob = await uploadBlob(client, new Uint8Array(await file.arrayBuffer()));
  try {
    const { count } = await client.call('playground/importSaved', { model, blob });
    notifySaved();
    return count;
  } finally {
    releaseBlob(client, blob);
  }
}

/** One after another, so that results do not depend on each other. Returns how many failed. */
export async function runAllSaved(
  client: EngineClient,
  model: string,
  ids: readonly string[],
): Promise<number> {
  if (savedState.getState().isRunningAll) return 0;
  savedState.setState({ isRunningAll: true });
  let failed = 0;
  try {
    for (const id of ids) if ((await runSaved(client, model, id)).state === 'failed') failed += 1;
  } finally {
    savedState.setState({ isRunningAll: false });
  }
  return failed;
}
