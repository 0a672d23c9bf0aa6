// Bytes of a shared-memory region as an input: how many they are is known at once, and they are read when somebody
// wants them. So what a request claims is checked against its shape before any of it is in memory.

import type { TensorBytes } from '../inference/tensor-bytes.ts';

/**
 * Reads once, all of it, at the first look at `chunks`; what the client writes into the region after that is not
 * seen.
 */
export class RegionBytes implements TensorBytes {
  readonly byteSize: number;
  readonly #read: (offset: number, byteSize: number) => Uint8Array;
  #chunks: readonly Uint8Array[] | undefined;

  /** `read`: that part of the bytes, as a copy. */
  constructor(byteSize: number, read: (offset: number, byteSize: number) => Uint8Array) {
    this.byteSize = byteSize;
    this.#read = read;
  }

  get chunks(): readonly Uint8Array[] {
    this.#chunks ??= [this.#read(0, this.byteSize)];
    return this.#chunks;
  }

  peek(offset: number, byteSize: number): Uint8Array {
    return this.#read(offset, Math.min(byteSize, this.byteSize - offset));
  }
}
