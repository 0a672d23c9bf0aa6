// Files on their way to inputs: one per input. What was chosen last wins, and a sample waits for what the user chose.

import type { InputDraft } from './draft.ts';
import type { PlaygroundStore } from './playground-store.ts';
import { setUpload } from './playground-store.ts';

interface Upload {
  readonly controller: AbortController;
  readonly done: Promise<void>;
}

const running = new WeakMap<PlaygroundStore, Map<string, Upload>>();

function uploadsOf(store: PlaygroundStore): Map<string, Upload> {
  const known = running.get(store) ?? new Map<string, Upload>();
  running.set(store, known);
  return known;
}

/**
 * Runs `work` as the upload of this input: one that is under way is aborted first. The progress of the input is cleared
 * when it ends. Rejects with what `work` rejects with.
 */
export async function asUpload(
  store: PlaygroundStore,
  input: string,
  work: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const uploads = uploadsOf(store);
  uploads.get(input)?.controller.abort(new DOMException('replaced', 'AbortError'));
  const controller = new AbortController();
  const finished = Promise.withResolvers<void>();
  const own: Upload = { controller, done: finished.promise };
  uploads.set(input, own);
  try {
    await work(controller.signal);
  } finally {
    if (uploads.get(input) === own) {
      uploads.delete(input);
      setUpload(store, input, undefined);
    }
    finished.resolve();
  }
}

/** Waits for what is on its way to the input; false when a sample is not wanted there any more. */
export async function isSampleWanted(
  store: PlaygroundStore,
  input: string,
  isWanted: (now: InputDraft) => boolean,
): Promise<boolean> {
  for (;;) {
    const upload = uploadsOf(store).get(input);
    if (upload === undefined) break;
    await upload.done;
  }
  const now = store.getState().draft?.inputs.find(({ name }) => name === input);
  return now !== undefined && isWanted(now);
}
