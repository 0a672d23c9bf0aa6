// Memory outside of the heap, given back before the collector finds out.

/** Frees memory at once that nobody looks at any more, where the engine of JavaScript can; else its collector will. */
export function freeMemory(buffer: ArrayBuffer): void {
  if (!buffer.detached && typeof buffer.transfer === 'function') buffer.transfer(0);
}

/** Chunks of a socket from this size on are worth it: a large tensor comes in hundreds of them. */
const MIN_CHUNK_BYTES = 32 * 1024;

/** The memory of a chunk that is large and holds nothing else; what is around another one may be somebody else's. */
export function memoryOfChunk({ buffer, byteLength }: Uint8Array): ArrayBuffer | undefined {
  const isAlone = byteLength >= MIN_CHUNK_BYTES && byteLength === buffer.byteLength;
  return isAlone && buffer instanceof ArrayBuffer ? buffer : undefined;
}

/**
 * Frees what a socket handed over and nobody looks at any more. V8 would do so in its next collection, and hurries into a
 * full one for every few tensors, as memory outside of its heap counts as pressure.
 */
export function freeChunk(chunk: Uint8Array): void {
  const memory = memoryOfChunk(chunk);
  if (memory !== undefined) freeMemory(memory);
}
