// Requests of the window: the playground, saved requests, warm-up samples.

import type { HandlersFor } from '../../../src-shared/contract/contract.ts';
import type { inferenceCalls } from '../../../src-shared/contract/inference-calls.ts';
import type { Clock } from '../../base/clock.ts';
import type { ReadBlob } from '../../playground/input-builder.ts';
import type { PlaygroundTarget } from '../../playground/playground-sender.ts';
import { PlaygroundSender } from '../../playground/playground-sender.ts';
import type { ModelRepository } from '../../repository/model-repository.ts';
import type { ModelCatalog } from '../catalog/model-catalog.ts';
import { servingVersion } from '../catalog/serving-model.ts';
import type { BlobStore } from '../files/blob-store.ts';
import type { ControlRoom } from '../pages/control-room.ts';
import { SavedRequests } from '../saved/saved-requests.ts';
import { inferenceHandlers } from './inference-handlers.ts';

/** What the room is made of. It closes none of it. */
export interface InferenceRoomOptions {
  readonly clock: Clock;
  readonly repository: ModelRepository;
  readonly catalog: ModelCatalog;
  readonly blobs: BlobStore;
  readonly saved: SavedRequests;
  /** Addresses of the inference endpoints as they are now. */
  readonly target: () => PlaygroundTarget;
}

/**
 * Requests go to `target`, a server on this machine, over its sockets. Blobs of saved requests and of the page
 * are read by their ids alike.
 */
export function inferenceRoom(
  options: InferenceRoomOptions,
): ControlRoom<HandlersFor<typeof inferenceCalls>> {
  const { clock, repository, blobs, saved, target } = options;
  const readBlob: ReadBlob = (id) => (SavedRequests.isSavedBlob(id) ? saved.readBlob(id) : blobs.read(id));
  const stored = { read: readBlob, create: (bytes: Uint8Array) => blobs.create(bytes) };
  return {
    handlers: inferenceHandlers({
      ...options,
      readBlob,
      servingVersion: (name, version) => servingVersion(repository, name, version),
      sender: new PlaygroundSender({ clock, target, blobs: stored }),
    }),
  };
}
