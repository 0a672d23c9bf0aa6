// Regions of shared memory that clients registered: which there are, who used them, and taking them back.

import { z } from 'zod';

import { defineCall } from './define.ts';

const regionKind = z.enum(['system', 'cuda']);

/** Of the system (a POSIX key), or of a GPU (a CUDA handle). */
export type RegionKindView = z.infer<typeof regionKind>;

/** A registered region. */
export interface SharedRegionView {
  readonly kind: RegionKindView;
  readonly name: string;
  /** As the client gave it; undefined for CUDA. */
  readonly key: string | undefined;
  /** Bytes from the beginning of the key's memory. */
  readonly offset: number;
  readonly byteSize: number;
  /** Of the GPU; undefined for memory of the system. */
  readonly deviceId: number | undefined;
  readonly registeredAtMs: number;
  /** Models whose requests had tensors in it, by who came first. */
  readonly users: readonly { readonly model: string; readonly tensorCount: number }[];
  readonly lastUsedAtMs: number | undefined;
  /** Tensors of requests in flight. */
  readonly heldCount: number;
  /** Was unregistered, and goes when the requests that hold it have ended. */
  readonly isLeaving: boolean;
  /** The client took its memory away, or made it shorter; undefined = it is as it was registered. */
  readonly fault: 'removed' | 'shortened' | undefined;
}

/** All regions, and what this server can take. */
export interface SharedMemoryView {
  readonly regions: readonly SharedRegionView[];
  /** False with `--allow-client-shm=false, the default`. */
  readonly allowsClients: boolean;
  /** Where the keys of system memory lie as files; undefined where the platform has no such place. */
  readonly folder: string | undefined;
}

/** Each answers with the regions that there are behind it. */
export const sharedMemoryCalls = [
  defineCall('sharedMemory/view', z.object({}))<SharedMemoryView>(),
  /** As a client does it. Without `name`: every region of that kind. Answers what is left. */
  defineCall(
    'sharedMemory/unregister',
    z.object({ kind: regionKind, name: z.string().min(1).optional() }),
  )<SharedMemoryView>(),
] as const;
