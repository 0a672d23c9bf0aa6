// Shared-memory regions that live in this process only.

import { ServerError, invalidArg, notFound } from '../../src-shared/errors.ts';
import type { TensorBytes } from '../inference/tensor-bytes.ts';
import { bytesOf } from '../inference/tensor-bytes.ts';
import type {
  NewRegion,
  RegionRecord,
  SharedMemoryRegion,
  SharedMemoryService,
} from '../service/shared-memory.ts';

/** Regions begin as zeros. Offsets that lie outside are the caller's fault and throw INVALID_ARG. */
export class FakeSharedMemory implements SharedMemoryService {
  readonly #regions = new Map<string, { readonly region: SharedMemoryRegion; readonly bytes: Uint8Array }>();
  /** Thrown by register and unregister when set. */
  refusal: Error | undefined;

  status(name: string): readonly SharedMemoryRegion[] {
    const all = [...this.#regions.values()].map(({ region }) => region);
    if (name === '') return all;
    const found = all.filter((region) => region.name === name);
    if (found.length === 0) throw notFound(`Unable to find system shared memory region: '${name}'`);
    return found;
  }

  register(region: NewRegion): void {
    if (this.refusal !== undefined) throw this.refusal;
    if (this.#regions.has(region.name)) {
      throw new ServerError('ALREADY_EXISTS', `shared memory region '${region.name}' already in manager`);
    }
    const { name, key, offset, byteSize } = region;
    this.#regions.set(name, {
      region: { name, key, offset, byteSize, deviceId: region.deviceId ?? 0 },
      bytes: new Uint8Array(byteSize),
    });
  }

  unregister(name: string): void {
    if (this.refusal !== undefined) throw this.refusal;
    if (name === '') this.#regions.clear();
    else this.#regions.delete(name);
  }

  read(region: string, offset: number, byteSize: number): TensorBytes {
    const { bytes } = this.#get(region);
    if (offset >= bytes.byteLength) throw invalidArg(`Invalid offset for shared memory region: '${region}'`);
    if (offset + byteSize > bytes.byteLength) {
      throw invalidArg(`Invalid offset + byte size for shared memory region: '${region}'`);
    }
    return bytesOf(bytes.subarray(offset, offset + byteSize));
  }

  write(region: string, offset: number, _byteSize: number, bytes: Uint8Array): void {
    this.#get(region).bytes.set(bytes, offset);
  }

  retain(region: string): () => void {
    this.#get(region);
    return () => undefined;
  }

  records(): readonly RegionRecord[] {
    return [];
  }

  has(region: string): boolean {
    return this.#regions.has(region);
  }

  #get(region: string): { readonly bytes: Uint8Array } {
    const found = this.#regions.get(region);
    if (found === undefined) throw notFound(`Unable to find shared memory region: '${region}'`);
    return found;
  }
}
