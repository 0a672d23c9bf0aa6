// Large tensors between engine and host: one file for each direction, which both processes have open and which has no
// name any more, so that nothing is left behind however they end. The engine writes and reads them in the background
// threads of Node; the event loop never copies such a tensor.

import type { FileHandle } from 'node:fs/promises';
import { open, statfs, unlink } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { TensorBytes } from '../../inference/tensor-bytes.ts';
import type { SharedPlace } from './blocks.ts';
import { SHARED_FROM_BYTES } from './blocks.ts';
import { pythonHostErrors } from './host-errors.ts';

const MEMORY_FOLDER = '/dev/shm';
/** With less than this, files lie on the disk: containers often come with a tiny shared memory. */
const SMALLEST_FREE_BYTES = 256 * 1024 * 1024;
/** One write takes a limited number of chunks. */
const LARGEST_CHUNKS = 512;

/** `inputs` is written by the engine and read by the host, `outputs` the other way. */
export interface SharedFiles {
  readonly inputs: FileHandle;
  readonly outputs: FileHandle;
}

/** Both files, without names. The caller closes the handles. */
export async function openSharedFiles(label: string): Promise<SharedFiles> {
  const folder = await sharedFolder();
  const inputs = await openNameless(path.join(folder, `conch-${process.pid}-${label}-in`));
  try {
    return { inputs, outputs: await openNameless(path.join(folder, `conch-${process.pid}-${label}-out`)) };
  } catch (thrown) {
    await inputs.close();
    throw thrown;
  }
}

/** Gives the engine's handles back; the memory is free once the host has closed its own. */
export async function closeSharedFiles({ inputs, outputs }: SharedFiles): Promise<void> {
  await Promise.all([inputs.close(), outputs.close()]);
}

async function sharedFolder(): Promise<string> {
  try {
    const { bavail, bsize } = await statfs(MEMORY_FOLDER);
    if (bavail * bsize >= SMALLEST_FREE_BYTES) return MEMORY_FOLDER;
  } catch {
    // Not on this system.
  }
  return os.tmpdir();
}

async function openNameless(file: string): Promise<FileHandle> {
  const handle = await open(file, 'wx+', 0o600);
  await unlink(file);
  return handle;
}

/** Rooms of powers of two in the file with inputs, kept for the next tensor of their size. */
export class InputFile {
  readonly #handle: FileHandle;
  readonly #free = new Map<number, number[]>();
  readonly #rooms = new Map<number, number>();
  #end = 0;
  #byteSize = 0;
  #growing: Promise<void> = Promise.resolve();

  constructor(handle: FileHandle) {
    this.#handle = handle;
  }

  /** Writes a tensor. Rejects with INTERNAL when the file system is full. */
  async write(bytes: TensorBytes): Promise<SharedPlace> {
    const room = Math.max(SHARED_FROM_BYTES, 2 ** Math.ceil(Math.log2(bytes.byteSize)));
    const offset = this.#take(room);
    try {
      // The host maps the whole room.
      await this.#extend(offset + room);
      await writeAll(this.#handle, bytes.chunks, offset);
      return { offset, room };
    } catch (thrown) {
      this.release(offset);
      const reason = thrown instanceof Error ? thrown.message : String(thrown);
      throw pythonHostErrors.noSharedMemory({ size: bytes.byteSize, reason, folder: MEMORY_FOLDER });
    }
  }

  /** Frees the room at this offset for another tensor. Does nothing for one that is free. */
  release(offset: number): void {
    const room = this.#rooms.get(offset);
    if (room === undefined) return;
    this.#rooms.delete(offset);
    const free = this.#free.get(room) ?? [];
    free.push(offset);
    this.#free.set(room, free);
  }

  #take(room: number): number {
    const offset = this.#free.get(room)?.pop() ?? this.#end;
    if (offset === this.#end) this.#end += room;
    this.#rooms.set(offset, room);
    return offset;
  }

  /** The file only grows, one step after the other. */
  #extend(byteSize: number): Promise<void> {
    if (byteSize <= this.#byteSize) return this.#growing;
    this.#byteSize = byteSize;
    this.#growing = this.#growing.then(() => this.#handle.truncate(byteSize));
    return this.#growing;
  }
}

async function writeAll(handle: FileHandle, chunks: readonly Uint8Array[], offset: number): Promise<void> {
  let at = offset;
  for (let first = 0; first < chunks.length; first += LARGEST_CHUNKS) {
    let rest = chunks.slice(first, first + LARGEST_CHUNKS).filter((chunk) => chunk.byteLength > 0);
    while (rest.length > 0) {
      const { bytesWritten } = await handle.writev(rest, at);
      at += bytesWritten;
      rest = withoutFirst(rest, bytesWritten);
    }
  }
}

/** What is left of the chunks after their first `byteSize` bytes. */
function withoutFirst(chunks: readonly Uint8Array[], byteSize: number): Uint8Array[] {
  let skipped = byteSize;
  const rest: Uint8Array[] = [];
  for (const chunk of chunks) {
    if (skipped >= chunk.byteLength) skipped -= chunk.byteLength;
    else {
      rest.push(chunk.subarray(skipped));
      skipped = 0;
    }
  }
  return rest;
}

/** Memory for more than this is only taken for a tensor that is there. */
const UNSEEN_BYTES = 1 << 26;

/** Reads a tensor that the host wrote. */
export async function readShared(
  handle: FileHandle,
  { offset }: SharedPlace,
  byteSize: number,
): Promise<Uint8Array> {
  if (byteSize > UNSEEN_BYTES && (await handle.stat()).size < offset + byteSize) {
    throw pythonHostErrors.sharedMemoryCut();
  }
  const bytes = Buffer.allocUnsafeSlow(byteSize);
  let at = 0;
  while (at < byteSize) {
    const { bytesRead } = await handle.read(bytes, at, byteSize - at, offset + at);
    if (bytesRead === 0) throw pythonHostErrors.sharedMemoryCut();
    at += bytesRead;
  }
  return bytes;
}
