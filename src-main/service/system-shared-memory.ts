// System shared memory as files: a POSIX key is a file in the system's shared-memory file system, and reading and
// writing that file is coherent with the client's mapping. Each region keeps its file open until it is unregistered
// and nobody holds it.

import { fstatSync, readSync, writeSync } from 'node:fs';
import path from 'node:path';
import { descriptorLimit } from '../base/descriptor-limit.ts';
import { getLogger } from '../base/log.ts';
import type { TensorBytes } from '../inference/tensor-bytes.ts';
import { memoryErrors } from './memory-errors.ts';
import { RegionBytes } from './region-bytes.ts';
import type { NewRegion, RegionRecord, SharedMemoryRegion, SharedMemoryService } from './shared-memory.ts';
import type { SharedMemoryFile } from './shared-memory-files.ts';
import { SharedMemoryFiles } from './shared-memory-files.ts';
import type { SharedMemoryNames } from './shared-memory-regions.ts';

const log = getLogger('shared-memory');
const RESERVED_PREFIX = 'triton_python_backend_shm_region_';
const PAGE_BYTE_SIZE = 4096;
/** One read of the system takes less than 2 GiB. */
const MAX_READ_BYTES = 1024 ** 3;

interface OpenRegion {
  readonly region: SharedMemoryRegion;
  readonly file: SharedMemoryFile;
  readonly registeredAtMs: number;
  readonly tensorCounts: Map<string, number>;
  lastUsedAtMs: number | undefined;
  holders: number;
  isRemoved: boolean;
}

/** Where regions may lie, and how many. */
export interface SystemSharedMemoryOptions {
  readonly allowClient: boolean;
  readonly names: SharedMemoryNames;
  /** Folder of shared-memory files; undefined where the platform has none. */
  readonly folder: string | undefined;
  /** Files that regions may lie in at a time; default: half of what the process may have open. */
  readonly maxFiles?: number;
}

/** The folder on this platform. */
export function sharedMemoryFolder(platform: NodeJS.Platform): string | undefined {
  return platform === 'linux' ? '/dev/shm' : undefined;
}

/** Registered regions by name. Throws INVALID_ARG, NOT_FOUND or ALREADY_EXISTS in the reference's words. */
export class SystemSharedMemory implements SharedMemoryService {
  readonly #options: SystemSharedMemoryOptions;
  readonly #regions = new Map<string, OpenRegion>();
  readonly #files: SharedMemoryFiles;

  constructor(options: SystemSharedMemoryOptions) {
    this.#options = options;
    this.#files = new SharedMemoryFiles(options.maxFiles ?? Math.floor(descriptorLimit() / 2));
  }

  status(name: string): readonly SharedMemoryRegion[] {
    if (name === '') return [...this.#regions.values()].map(({ region }) => region);
    this.#options.names.checkKind(name, 'system');
    const found = this.#regions.get(name);
    return found === undefined ? [] : [found.region];
  }

  register(wanted: NewRegion): void {
    const { allowClient, names, folder } = this.#options;
    if (!allowClient) throw memoryErrors.disabled();
    if (folder === undefined) throw memoryErrors.noPlatform();
    const { name, key, offset, byteSize } = wanted;
    const place = filePath(folder, name, key);
    names.checkFree(name);
    const file = this.#files.open(place, key);
    try {
      checkExtent(wanted, file.descriptor);
    } catch (thrown) {
      this.#files.release(file);
      throw thrown;
    }
    const region = { name, key, offset, byteSize, deviceId: 0 };
    this.#regions.set(name, {
      region,
      file,
      registeredAtMs: Date.now(),
      tensorCounts: new Map(),
      lastUsedAtMs: undefined,
      holders: 0,
      isRemoved: false,
    });
    names.add(name, 'system');
  }

  unregister(name: string): void {
    if (!this.#options.allowClient) throw memoryErrors.disabled();
    for (const open of name === '' ? [...this.#regions.values()] : [this.#regions.get(name)]) {
      if (open === undefined) continue;
      if (open.holders === 0) {
        this.#drop(open);
      } else {
        open.isRemoved = true;
        if (log.isVerbose(1)) {
          const kept = `Shared memory region '${open.region.name}' will be unregistered after in-flight requests complete.`;
          log.verbose(1, kept);
        }
      }
    }
  }

  has(region: string): boolean {
    return this.#regions.has(region);
  }

  records(): readonly RegionRecord[] {
    return [...this.#regions.values()].map(({ region, file, holders, isRemoved, ...used }) => ({
      ...region,
      ...used,
      heldCount: holders,
      isLeaving: isRemoved,
      fault: faultOf(file.descriptor, region),
    }));
  }

  retain(region: string, model: string): () => void {
    const open = this.#get(region);
    open.holders += 1;
    open.tensorCounts.set(model, (open.tensorCounts.get(model) ?? 0) + 1);
    open.lastUsedAtMs = Date.now();
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      open.holders -= 1;
      if (open.holders === 0 && open.isRemoved) this.#drop(open);
    };
  }

  read(region: string, offset: number, byteSize: number): TensorBytes {
    const open = this.#get(region);
    checkRange(open.region, offset, byteSize);
    return new RegionBytes(byteSize, (at, count) => readRegion(open, offset + at, count));
  }

  write(region: string, offset: number, byteSize: number, bytes: Uint8Array): void {
    const open = this.#get(region);
    checkRange(open.region, offset, byteSize);
    if (bytes.byteLength > byteSize) {
      throw memoryErrors.outputTooSmall({ given: byteSize, needed: bytes.byteLength });
    }
    for (let done = 0; done < bytes.byteLength;) {
      done += writeSync(
        open.file.descriptor,
        bytes,
        done,
        bytes.byteLength - done,
        open.region.offset + offset + done,
      );
    }
  }

  /** Closes all files. */
  close(): void {
    for (const open of [...this.#regions.values()]) this.#drop(open);
  }

  #get(region: string): OpenRegion {
    const open = this.#regions.get(region);
    if (open === undefined) throw memoryErrors.unknown({ name: region });
    return open;
  }

  #drop(open: OpenRegion): void {
    const { name } = open.region;
    if (this.#regions.get(name) !== open) return;
    this.#regions.delete(name);
    this.#options.names.remove(name);
    this.#files.release(open.file);
  }
}

/** A copy of a part of a region. */
function readRegion({ file, region }: OpenRegion, offset: number, byteSize: number): Uint8Array {
  const bytes = new Uint8Array(byteSize);
  for (let done = 0; done < byteSize;) {
    const step = Math.min(byteSize - done, MAX_READ_BYTES);
    const count = readSync(file.descriptor, bytes, done, step, region.offset + offset + done);
    if (count === 0) throw memoryErrors.shortened({ name: region.name });
    done += count;
  }
  return bytes;
}

/** A file without a name is one that its client removed: new regions of the key get another. */
function faultOf(descriptor: number, { offset, byteSize }: SharedMemoryRegion): RegionRecord['fault'] {
  try {
    const { nlink, size } = fstatSync(descriptor);
    if (nlink === 0) return 'removed';
    return size < offset + byteSize ? 'shortened' : undefined;
  } catch {
    return 'removed';
  }
}

/** The file of a key; throws for a key that can have none. */
function filePath(folder: string, name: string, key: string): string {
  const bare = key.replace(/^\/+/, '');
  if (bare === '') throw memoryErrors.withoutKey({ name, key });
  if (bare.startsWith(RESERVED_PREFIX))
    throw memoryErrors.reservedKey({ name, key, reserved: RESERVED_PREFIX });
  // POSIX keys have no further slashes; one that has would leave the folder.
  if (bare.includes('/') || bare === '..' || bare === '.' || bare.includes('\0')) {
    throw memoryErrors.cannotOpen({ key });
  }
  return path.join(folder, bare);
}

function checkExtent({ name, key, offset, byteSize }: NewRegion, file: number): void {
  let available: number;
  try {
    available = fstatSync(file).size;
  } catch (thrown) {
    throw memoryErrors.cannotMeasure({ key }, { cause: thrown });
  }
  if (offset + byteSize > available) {
    throw memoryErrors.tooLarge({ name }, { details: { offset, byteSize, available } });
  }
  if (byteSize === 0 || offset % PAGE_BYTE_SIZE !== 0) {
    throw memoryErrors.unaligned({ name }, { details: { offset, byteSize, pageByteSize: PAGE_BYTE_SIZE } });
  }
}

function checkRange(region: SharedMemoryRegion, offset: number, byteSize: number): void {
  const { name } = region;
  if (offset >= region.byteSize) throw memoryErrors.offset({ name });
  if (offset + byteSize > region.byteSize) throw memoryErrors.extent({ name });
}
