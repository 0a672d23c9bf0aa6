// A copy of a model folder of a store on this machine: a fresh folder below the mount directory of the store. Whoever
// makes a copy removes it; one that cannot be completed removes itself.

import { createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';

import { systemText } from '../base/read-error.ts';
import { ServerError } from '../../src-shared/errors.ts';
import type { Environment } from './credentials.ts';
import type { StoreClient } from './store-client.ts';
import { NothingThere } from './store-client.ts';
import { storeErrors } from './store-errors.ts';
import type { StoreKind } from './store-path.ts';
import { joinStorePath, storeKindOf } from './store-path.ts';
import type { StoreFolder } from './store-tree.ts';

const MOUNT_VARIABLES: Readonly<Record<StoreKind, string>> = {
  s3: 'TRITON_AWS_MOUNT_DIRECTORY',
  gs: 'TRITON_GCS_MOUNT_DIRECTORY',
  as: 'TRITON_AZURE_MOUNT_DIRECTORY',
};
/** Objects that are read at the same time for one copy. */
const PARALLEL_OBJECTS = 8;

/** A folder of a store on this machine; whoever made it removes it. */
export interface LocalCopy {
  /** Absolute path of the folder that stands for the one in the store. */
  readonly path: string;
  /** Deletes it. Idempotent. */
  remove(): Promise<void>;
}

/** Where copies go, by the environment, and what their maker wants to hear of one. */
export interface CopyOptions {
  readonly environment: Environment;
  readonly signal?: AbortSignal | undefined;
  /** Of a folder in the fresh one that stands for the one in the store; default: the fresh one itself. */
  readonly name?: string | undefined;
  /** Bytes that have come, of all that will. */
  readonly onProgress?: ((doneBytes: number, totalBytes: number) => void) | undefined;
}

/** Rejects with the signal's reason when it aborts; nothing of the copy is left then, nor after any other fault. */
export async function copyFolder(
  client: StoreClient,
  folder: StoreFolder,
  options: CopyOptions,
): Promise<LocalCopy> {
  folder.requireNames();
  const fresh = await freshFolder(folder.path, options.environment);
  const target = options.name === undefined ? fresh : path.join(fresh, options.name);
  const remove = (): Promise<void> => rm(fresh, { recursive: true, force: true });
  try {
    if (target !== fresh) await makeFolder(target);
    for (const name of folder.allFolders()) await makeFolder(path.join(target, name));
    await copyFiles(client, folder, target, options);
    return { path: target, remove };
  } catch (thrown) {
    await remove();
    throw thrown;
  }
}

async function freshFolder(storePath: string, environment: Environment): Promise<string> {
  const mount = environment[MOUNT_VARIABLES[storeKindOf(storePath) ?? 's3']];
  const prefix = path.join(mount === undefined || mount === '' ? os.tmpdir() : path.resolve(mount), 'folder');
  try {
    return await mkdtemp(prefix);
  } catch (thrown) {
    throw storeErrors.noTempFolder({ path: `${prefix}XXXXXX`, reason: systemText(thrown) });
  }
}

async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { mode: 0o700 });
  } catch (thrown) {
    throw storeErrors.noLocalFolder({ path: folder, reason: systemText(thrown) });
  }
}

async function copyFiles(
  client: StoreClient,
  folder: StoreFolder,
  target: string,
  { signal, onProgress }: CopyOptions,
): Promise<void> {
  const files = [...folder.allFiles()];
  const totalBytes = files.reduce((total, [, { byteSize }]) => total + byteSize, 0);
  // The first fault ends the others.
  const fault = new AbortController();
  const ended = signal === undefined ? fault.signal : AbortSignal.any([signal, fault.signal]);
  let doneBytes = 0;
  const onBytes = (count: number): void => {
    doneBytes += count;
    onProgress?.(doneBytes, totalBytes);
  };
  let next = 0;
  const lane = async (): Promise<void> => {
    for (let at = next++; at < files.length; at = next++) {
      ended.throwIfAborted();
      const [name = ''] = files[at] ?? [];
      const from = joinStorePath(folder.path, name);
      try {
        await copyObject(client, from, path.join(target, name), { signal: ended, onBytes });
      } catch (thrown) {
        fault.abort(thrown);
        throw thrown;
      }
    }
  };
  const lanes = Array.from({ length: Math.min(PARALLEL_OBJECTS, files.length) }, lane);
  const failed = (await Promise.allSettled(lanes)).find(({ status }) => status === 'rejected');
  if (failed === undefined) return;
  signal?.throwIfAborted();
  throw fault.signal.reason;
}

async function copyObject(
  client: StoreClient,
  from: string,
  to: string,
  { signal, onBytes }: { readonly signal: AbortSignal; readonly onBytes: (count: number) => void },
): Promise<void> {
  const { chunks } = await client.read(from, signal).catch((thrown: unknown) => {
    throw thrown instanceof NothingThere ? storeErrors.noFile({ path: from }) : thrown;
  });
  const counted = async function* (): AsyncIterable<Uint8Array> {
    for await (const chunk of chunks) {
      onBytes(chunk.byteLength);
      yield chunk;
    }
  };
  try {
    await pipeline(counted, createWriteStream(to, { flags: 'wx', mode: 0o600 }), { signal });
  } catch (thrown) {
    signal.throwIfAborted();
    if (thrown instanceof ServerError) throw thrown;
    if (thrown instanceof NothingThere) throw storeErrors.noFile({ path: from });
    throw storeErrors.notWritten({ path: from, reason: systemText(thrown) });
  }
}
