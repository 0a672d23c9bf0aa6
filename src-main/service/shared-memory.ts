// Shared-memory regions as both protocols see them (docs/reference/management.md#shared-memory).

import type { TensorBytes } from '../inference/tensor-bytes.ts';

/**
 * `key` names the shared memory of the system, "" for CUDA; `offset` and `byteSize` are bytes within it.
 * `deviceId` is 0 for system memory.
 */
export interface SharedMemoryRegion {
  readonly name: string;
  readonly key: string;
  readonly offset: number;
  readonly byteSize: number;
  readonly deviceId: number;
}

/** A region that a client registers. `rawHandle`: of CUDA memory, as the driver gave it to the client. */
export interface NewRegion extends Omit<SharedMemoryRegion, 'deviceId'> {
  readonly rawHandle?: Uint8Array;
  readonly deviceId?: number;
}

/** Regions of one kind. Faults are ServerErrors with the words of the wire. */
export interface SharedMemoryService {
  status(name: string): readonly SharedMemoryRegion[];
  register(region: NewRegion): void;
  /** `name` "" = all. */
  unregister(name: string): void;
  /**
   * Bytes of a registered region for an input, read when they are wanted; throws at once with the words of
   * docs/reference/management.md#shared-memory-in-inference.
   */
  read(region: string, offset: number, byteSize: number): TensorBytes;
  /** Writes an output; throws when it does not fit. */
  write(region: string, offset: number, byteSize: number, bytes: Uint8Array): void;
  /**
   * Keeps a region usable until the returned function is called, though it may be unregistered meanwhile. For requests
   * that will write into it. Throws NOT_FOUND for an unknown region.
   */
  retain(region: string): () => void;
  /** True when a region of that name is registered. */
  has(region: string): boolean;
}
