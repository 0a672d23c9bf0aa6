// After the server process was started again it knows nothing of the files of the inputs: what this window still has is
// sent again by itself, so that nobody has to choose a file twice.

import { releaseBlob, uploadBlob } from '../../actions/blobs.ts';
import type { EngineClient } from '../../engine/engine-client.ts';
import type { InputDraft } from './draft.ts';
import { renamePicture } from './file-pictures.ts';
import { keepFile, keptFile } from './kept-files.ts';
import type { PlaygroundStore } from './playground-store.ts';
import { editInput } from './playground-store.ts';
import { renameSound } from './sound-actions.ts';

const SOURCES = ['file', 'image', 'sound'] as const;

/** Sends again what the inputs have of this window. Never rejects: what cannot be sent stays, and its input says so. */
async function sendAgain(client: EngineClient, store: PlaygroundStore): Promise<void> {
  for (const { name, ...input } of store.getState().draft?.inputs ?? []) {
    for (const source of SOURCES) {
      const before = input[source]?.blob;
      const data = before === undefined ? undefined : keptFile(before);
      if (before === undefined || data === undefined) continue;
      try {
        const blob = await uploadBlob(client, new Uint8Array(await data.arrayBuffer()));
        keepFile(blob, data);
        renamePicture(before, blob);
        renameSound(before, blob);
        editInput(store, name, (now) => withBlob(now, source, before, blob));
        releaseBlob(client, before);
      } catch {
        // The file is gone from the disk, or the server again.
      }
    }
  }
}

/** Unless something else was chosen meanwhile. */
function withBlob(
  input: InputDraft,
  source: (typeof SOURCES)[number],
  before: string,
  blob: string,
): InputDraft {
  const held = input[source];
  return held?.blob === before ? { ...input, [source]: { ...held, blob } } : input;
}

const seen = new WeakMap<PlaygroundStore, number>();

/** Tells which connection the window has now; after another one than before everything is sent again. */
export function followConnection(client: EngineClient, store: PlaygroundStore, generation: number): void {
  const before = seen.get(store);
  seen.set(store, generation);
  if (before !== undefined && before !== generation) void sendAgain(client, store);
}
