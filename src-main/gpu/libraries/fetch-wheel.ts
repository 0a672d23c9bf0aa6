// Fetches one wheel into a folder and checks its digest. What an earlier try got is kept and gone on with; a file whose
// digest is wrong is thrown away, since going on with it would never end.

import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { copyFile, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import { makeFolder } from '../../base/make-folder.ts';
import { gpuLibraryErrors } from './library-errors.ts';
import type { Wheel } from './wheels.ts';
import { WHEEL_HOST } from './wheels.ts';

/**
 * From where to where a wheel is fetched. Rejects when the signal aborts; what was fetched is kept for the next try.
 */
export interface FetchOptions {
  readonly folder: string;
  /** A folder that has the wheels already; undefined = from PyPI. */
  readonly from?: string | undefined;
  /** Default: PyPI's file host. */
  readonly host?: string | undefined;
  readonly signal: AbortSignal;
  /** Bytes of this wheel that are here. */
  readonly onBytes: (count: number) => void;
}

/** Path of the checked wheel. Rejects with UNAVAILABLE and the reason, or the signal's. */
export async function fetchWheel(wheel: Wheel, options: FetchOptions): Promise<string> {
  const target = path.join(options.folder, wheel.file);
  const part = `${target}.part`;
  await makeFolder(options.folder);
  if (await hasDigest(target, wheel, options.signal)) return target;
  if (options.from === undefined) await download(wheel, part, options);
  else await copyFrom(options.from, wheel, part);
  if (!(await hasDigest(part, wheel, options.signal))) {
    await rm(part, { force: true });
    throw gpuLibraryErrors.digest({ file: wheel.file });
  }
  await rename(part, target);
  options.onBytes(wheel.byteSize);
  return target;
}

async function copyFrom(folder: string, wheel: Wheel, part: string): Promise<void> {
  await copyFile(path.join(folder, wheel.file), part).catch((thrown: unknown) => {
    throw gpuLibraryErrors.notInFolder({ file: wheel.file, folder, reason: (thrown as Error).message });
  });
}

async function download(wheel: Wheel, part: string, options: FetchOptions): Promise<void> {
  const { signal, onBytes, host = WHEEL_HOST } = options;
  let size = await sizeOf(part);
  if (size > wheel.byteSize) {
    await rm(part);
    size = 0;
  }
  onBytes(size);
  if (size === wheel.byteSize) return;
  const address = `${host}${wheel.place}/${wheel.file}`;
  const headers: Record<string, string> = size > 0 ? { range: `bytes=${size}-` } : {};
  const answer = await fetch(address, { headers, signal }).catch((thrown: unknown) => {
    signal.throwIfAborted();
    const { cause } = thrown as Error;
    throw gpuLibraryErrors.unreachable({
      address,
      reason: cause instanceof Error ? cause.message : String(thrown),
    });
  });
  if (!answer.ok || answer.body === null) throw gpuLibraryErrors.refused({ address, status: answer.status });
  // A host that knows no ranges sends the whole file again.
  const isRest = answer.status === 206;
  let here = isRest ? size : 0;
  const body = Readable.fromWeb(answer.body as Parameters<typeof Readable.fromWeb>[0]);
  body.on('data', (chunk: Uint8Array) => onBytes((here += chunk.byteLength)));
  await pipeline(body, createWriteStream(part, { flags: isRest ? 'a' : 'w' }), { signal }).catch(
    (thrown: unknown) => {
      signal.throwIfAborted();
      throw gpuLibraryErrors.brokeOff({
        file: wheel.file,
        here,
        size: wheel.byteSize,
        reason: String(thrown),
      });
    },
  );
}

async function hasDigest(file: string, wheel: Wheel, signal: AbortSignal): Promise<boolean> {
  if ((await sizeOf(file)) !== wheel.byteSize) return false;
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash, { signal });
  return hash.digest('hex') === wheel.sha256;
}

/** 0 where there is none. */
async function sizeOf(file: string): Promise<number> {
  const found = await stat(file).catch(() => undefined);
  return found?.size ?? 0;
}
