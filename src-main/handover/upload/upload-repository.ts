// Uploads a repository: what is there already stays, what is new or changed is written, and what was written is noted at
// once, so that an upload that was interrupted goes on where it stopped.

import path from 'node:path';

import type { ObjectStores } from '../../object-stores/object-stores.ts';
import { isStorePath } from '../../object-stores/store-path.ts';
import { FolderTarget } from './folder-target.ts';
import { StoreTarget } from './store-target.ts';
import { UploadManifest } from './upload-manifest.ts';
import type { UploadPlan } from './upload-plan.ts';
import { planUpload } from './upload-plan.ts';
import type { UploadTarget } from './upload-target.ts';

/** How far an upload goes, and who is told. */
export interface UploadOptions {
  /** Remove what the repository does not have. */
  readonly prune: boolean;
  /** Only say what would be done. */
  readonly isDry: boolean;
  readonly signal: AbortSignal;
  /** One object was written or removed. */
  readonly onStep?: (name: string) => void;
}

/** A folder, or an object store by its address. */
export function uploadTarget(address: string, stores: ObjectStores): UploadTarget {
  return isStorePath(address) ? new StoreTarget(stores, address) : new FolderTarget(path.resolve(address));
}

/** Returns what was done, or would be. Rejects with what the target says, or the signal's reason. */
export async function uploadRepository(
  repository: string,
  address: string,
  target: UploadTarget,
  { prune, isDry, signal, onStep }: UploadOptions,
): Promise<UploadPlan> {
  const manifest = await UploadManifest.read(repository, address);
  const plan = await planUpload(repository, await target.list(signal), manifest, { prune, signal });
  if (isDry) return plan;
  for (const { name, file, sha256 } of plan.puts) {
    signal.throwIfAborted();
    const { byteSize, etag } = await target.put(name, file, signal);
    manifest.set(name, { byteSize, sha256, etag });
    await manifest.save();
    onStep?.(name);
  }
  for (const name of plan.removals) {
    signal.throwIfAborted();
    await target.remove(name);
    manifest.delete(name);
    await manifest.save();
    onStep?.(name);
  }
  return plan;
}
