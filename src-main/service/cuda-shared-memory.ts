// CUDA shared memory on a server that cannot open device handles: it answers as a server without GPU. No region of
// this kind ever exists, so reads and writes find none.

import type { TensorBytes } from '../inference/tensor-bytes.ts';
import { memoryErrors } from './memory-errors.ts';
import type { RegionRecord, SharedMemoryRegion, SharedMemoryService } from './shared-memory.ts';
import type { SharedMemoryNames } from './shared-memory-regions.ts';

/**
 * With `allowClient` false (`--allow-client-shm=false`) registering and unregistering fail before
 * anything else is looked at.
 */
export class AbsentCudaSharedMemory implements SharedMemoryService {
  readonly #allowClient: boolean;
  readonly #names: SharedMemoryNames;

  constructor(options: { readonly allowClient: boolean; readonly names: SharedMemoryNames }) {
    this.#allowClient = options.allowClient;
    this.#names = options.names;
  }

  status(name: string): readonly SharedMemoryRegion[] {
    if (name !== '') this.#names.checkKind(name, 'CUDA');
    return [];
  }

  register({ name }: { readonly name: string }): void {
    if (!this.#allowClient) throw memoryErrors.disabled();
    this.#names.checkFree(name);
    throw memoryErrors.withoutGpu({ name });
  }

  unregister(_name: string): void {
    if (!this.#allowClient) throw memoryErrors.disabled();
  }

  has(_region: string): boolean {
    return false;
  }

  records(): readonly RegionRecord[] {
    return [];
  }

  retain(region: string): () => void {
    throw memoryErrors.unknown({ name: region });
  }

  read(region: string): TensorBytes {
    throw memoryErrors.unknown({ name: region });
  }

  write(region: string): void {
    throw memoryErrors.unknown({ name: region });
  }
}
