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

/** What became of a region, for people who look: nothing of it is on the wire. */
export interface RegionRecord extends SharedMemoryRegion {
  readonly registeredAtMs: number;
  /** Models whose requests had tensors in it, with how many tensors, by who came first. */
  readonly tensorCounts: ReadonlyMap<string, number>;
  /** Undefined while no request named it. */
  readonly lastUsedAtMs: number | undefined;
  /** Tensors of requests in flight. */
  readonly heldCount: number;
  /** Was unregistered, and waits for the requests that hold it. */
  readonly isLeaving: boolean;
  /** What became of the memory behind it: its key is gone, or it is too short by now. */
  readonly fault: 'removed' | 'shortened' | undefined;
}

/** Regions of one kind. Faults are ServerErrors with the words of the wire. */
export interface SharedMemoryService {
  /** `name` "" = all, as they were registered. Throws NOT_FOUND for an unknown region. */
  status(name: string): readonly SharedMemoryRegion[];
  /**
   * Looks at the memory at once. Throws ALREADY_EXISTS for a name that is taken, and a ServerError for memory that is
   * not there or too small.
   */
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
   * that will write into it; `model` is theirs. Throws NOT_FOUND for an unknown region.
   */
  retain(region: string, model: string): () => void;
  /** Every region with what became of it, by who was registered first. */
  records(): readonly RegionRecord[];
  /** True when a region of that name is registered. */
  has(region: string): boolean;
}
