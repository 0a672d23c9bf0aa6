// CUDA shared memory on a server that cannot open device handles: it answers as a server without GPU. No region of
// this kind ever exists, so reads and writes find none.

import { invalidArg, notFound } from '../../src-shared/errors.ts';
import type { TensorBytes } from '../inference/tensor-bytes.ts';
import type { SharedMemoryRegion, SharedMemoryService } from './shared-memory.ts';
import type { SharedMemoryNames } from './shared-memory-regions.ts';
import { clientMemoryDisabled } from './shared-memory-regions.ts';

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
    if (!this.#allowClient) throw clientMemoryDisabled();
    this.#names.checkFree(name);
    throw invalidArg(`failed to register CUDA shared memory region: '${name}', GPUs not supported`);
  }

  unregister(_name: string): void {
    if (!this.#allowClient) throw clientMemoryDisabled();
  }

  has(_region: string): boolean {
    return false;
  }

  retain(region: string): () => void {
    throw notFound(`Unable to find shared memory region: '${region}'`);
  }

  read(region: string): TensorBytes {
    throw notFound(`Unable to find shared memory region: '${region}'`);
  }

  write(region: string): void {
    throw notFound(`Unable to find shared memory region: '${region}'`);
  }
}
