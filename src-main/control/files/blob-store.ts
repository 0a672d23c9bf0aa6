// Bytes on their way between a page and the engine: uploads of input files in pieces, and outputs too large for one
// message. Bounded: the oldest blobs go when the store is full, so a page that forgets to release costs nothing.

import { randomUUID } from 'node:crypto';

import { filesErrors } from './file-errors.ts';

const DEFAULT_CAPACITY_BYTES = 256 * 1024 * 1024;

/** Ids are random and live until they are released or pushed out. Reading an unknown one is NOT_FOUND. */
export class BlobStore {
  readonly #capacityBytes: number;
  readonly #blobs = new Map<string, { chunks: Uint8Array[]; byteSize: number }>();
  #totalBytes = 0;

  constructor(capacityBytes = DEFAULT_CAPACITY_BYTES) {
    this.#capacityBytes = capacityBytes;
  }

  /** Of all blobs together; at most the capacity. */
  get totalBytes(): number {
    return this.#totalBytes;
  }

  /** A new blob holding `bytes` (kept, not copied). */
  create(bytes?: Uint8Array): string {
    const id = randomUUID();
    this.#blobs.set(id, { chunks: [], byteSize: 0 });
    if (bytes !== undefined) this.append(id, bytes);
    return id;
  }

  /** Returns the new size. INVALID_ARG when the blob alone would pass the capacity. */
  append(id: string, bytes: Uint8Array): number {
    const blob = this.#get(id);
    if (blob.byteSize + bytes.byteLength > this.#capacityBytes) {
      throw filesErrors.blobTooLarge({ limit: this.#capacityBytes });
    }
    blob.chunks.push(bytes);
    blob.byteSize += bytes.byteLength;
    this.#totalBytes += bytes.byteLength;
    this.#evict(id);
    return blob.byteSize;
  }

  /** All bytes, contiguous. */
  read(id: string): Uint8Array {
    const blob = this.#get(id);
    if (blob.chunks.length !== 1) blob.chunks = [Buffer.concat(blob.chunks)];
    return blob.chunks[0] ?? new Uint8Array();
  }

  /** Does nothing for an id that is not known. */
  release(id: string): void {
    const blob = this.#blobs.get(id);
    if (blob === undefined) return;
    this.#totalBytes -= blob.byteSize;
    this.#blobs.delete(id);
  }

  #get(id: string): { chunks: Uint8Array[]; byteSize: number } {
    const blob = this.#blobs.get(id);
    if (blob === undefined) throw filesErrors.blobGone();
    return blob;
  }

  #evict(keep: string): void {
    for (const id of this.#blobs.keys()) {
      if (this.#totalBytes <= this.#capacityBytes) return;
      if (id !== keep) this.release(id);
    }
  }
}
