// The server-wide response cache: least recently used entries leave when a new one needs the room. Sizes are counted
// in the packed form of an entry and given out as Triton's local cache does, so that a configured byte size holds what
// it would hold. No expiry; the model version is part of the key.

import type { Clock } from '../base/clock.ts';
import type { OutputTensor } from '../inference/inference-response.ts';
import { copied } from '../inference/tensor-bytes.ts';
import type { CacheMetrics } from '../metrics/server-metrics.ts';
import { cacheErrors } from './cache-errors.ts';
import type { RoomBlock } from './cache-room.ts';
import { CacheRoom, SMALLEST_ROOM } from './cache-room.ts';

/** Answers by the content of a request; one for all models of a server. */
export interface ResponseCache {
  /** undefined = miss. The outputs are shared: read only. */
  lookup(key: string): readonly OutputTensor[] | undefined;
  /** Copies the outputs. Throws ALREADY_EXISTS, or INTERNAL when they cannot be stored. */
  insert(key: string, outputs: readonly OutputTensor[]): void;
  /** Counts since the server started, times in ns added up; utilization is a share of 1. */
  metrics(): CacheMetrics;
}

interface CacheEntry {
  readonly outputs: readonly OutputTensor[];
  readonly block: RoomBlock;
}

/** Capacity and sizes are in bytes; a response larger than the whole cache is not kept. Throws INTERNAL when it is too small. */
export class LocalResponseCache implements ResponseCache {
  readonly #capacityByteSize: number;
  readonly #clock: Clock;
  /** Least recently used first. */
  readonly #entries = new Map<string, CacheEntry>();
  readonly #room: CacheRoom;
  #hitCount = 0;
  #missCount = 0;
  #evictionCount = 0;
  #lookupNs = 0;
  #insertionNs = 0;

  constructor(options: { readonly byteSize: number; readonly clock: Clock }) {
    if (options.byteSize < SMALLEST_ROOM)
      throw cacheErrors.sizeTooSmall({ text: String(options.byteSize), limit: SMALLEST_ROOM });
    this.#capacityByteSize = options.byteSize;
    this.#room = new CacheRoom(options.byteSize);
    this.#clock = options.clock;
  }

  lookup(key: string): readonly OutputTensor[] | undefined {
    const startNs = this.#clock.nowNs();
    const entry = this.#entries.get(key);
    if (entry === undefined) {
      this.#missCount += 1;
    } else {
      this.#hitCount += 1;
      this.#entries.delete(key);
      this.#entries.set(key, entry);
    }
    this.#lookupNs += this.#clock.nowNs() - startNs;
    return entry?.outputs;
  }

  insert(key: string, outputs: readonly OutputTensor[]): void {
    const startNs = this.#clock.nowNs();
    try {
      this.#insert(key, outputs);
    } finally {
      this.#insertionNs += this.#clock.nowNs() - startNs;
    }
  }

  metrics(): CacheMetrics {
    return {
      entryCount: this.#entries.size,
      lookupCount: this.#hitCount + this.#missCount,
      hitCount: this.#hitCount,
      missCount: this.#missCount,
      evictionCount: this.#evictionCount,
      lookupNs: this.#lookupNs,
      insertionNs: this.#insertionNs,
      utilization: this.#room.utilization,
    };
  }

  #insert(key: string, outputs: readonly OutputTensor[]): void {
    if (this.#entries.has(key)) throw cacheErrors.repeatedKey({ key });
    if (outputs.some((output) => output.bytes.byteLength === 0)) {
      throw cacheErrors.emptyOutput();
    }
    const byteSize = packedByteSize(outputs);
    if (byteSize > this.#capacityByteSize) {
      throw cacheErrors.tooLarge({ seen: byteSize, limit: this.#capacityByteSize });
    }
    const block = this.#room.take(byteSize) ?? this.#evictFor(byteSize);
    this.#entries.set(key, {
      outputs: outputs.map((output) => ({ ...output, bytes: copied(output.bytes) })),
      block,
    });
  }

  #evictFor(byteSize: number): RoomBlock {
    for (const [key, entry] of this.#entries) {
      this.#entries.delete(key);
      this.#room.give(entry.block);
      this.#evictionCount += 1;
      const block = this.#room.take(byteSize);
      if (block !== undefined) return block;
    }
    throw cacheErrors.nothingToEvict();
  }
}

/** Bytes an entry counts: output count, then per output its length, name, type, shape and data, each with its own length. */
export function packedByteSize(outputs: readonly OutputTensor[]): number {
  let byteSize = 4;
  for (const { name, datatype, shape, bytes } of outputs) {
    const text = 4 + Buffer.byteLength(name) + 4 + datatype.length;
    byteSize += 8 + text + 4 + 8 * shape.length + 8 + bytes.byteLength;
  }
  return byteSize;
}

/**
 * The cache chosen by `--cache-config`; undefined for name "". Settings are `[key, value]` pairs, the last of a key
 * counts. Throws INVALID_ARG or INTERNAL for a bad size, NOT_FOUND for another kind of cache.
 */
export function createResponseCache(
  options: { readonly name: string; readonly settings: readonly (readonly [string, string])[] },
  clock: Clock,
): ResponseCache | undefined {
  if (options.name === '') return undefined;
  if (options.name !== 'local') {
    throw cacheErrors.unknownKind({ name: options.name });
  }
  return new LocalResponseCache({ byteSize: localCacheByteSize(options.settings), clock });
}

function localCacheByteSize(settings: readonly (readonly [string, string])[]): number {
  const text = settings.findLast(([key]) => key === 'size')?.[1];
  if (text === undefined || text === '') {
    throw cacheErrors.withoutSize();
  }
  if (!/^\s*\d+/.test(text)) {
    throw cacheErrors.sizeNotNumber({ text });
  }
  const byteSize = Number.parseInt(text, 10);
  if (byteSize === 0) throw cacheErrors.sizeZero({ text });
  if (!Number.isSafeInteger(byteSize)) throw cacheErrors.sizeOutOfRange({ text });
  return byteSize;
}
