// Memory outside of the heap, given back before the collector finds out.

/** Frees memory at once that nobody looks at any more, where the engine of JavaScript can; else its collector will. */
export function freeMemory(buffer: ArrayBuffer): void {
  if (!buffer.detached && typeof buffer.transfer === 'function') buffer.transfer(0);
}

/** Chunks of a socket from this size on are worth it: a large tensor comes in hundreds of them. */
const MIN_CHUNK_BYTES = 32 * 1024;

/**
 * Frees what a socket handed over and nobody looks at any more. V8 would do so in its next collection, and hurries into a
 * full one for every few tensors, as memory outside of its heap counts as pressure. Leaves memory alone that holds more than
 * the chunk, which may be somebody else's.
 */
export function freeChunk({ buffer, byteLength }: Buffer): void {
  const isAlone = byteLength >= MIN_CHUNK_BYTES && byteLength === buffer.byteLength;
  if (isAlone && buffer instanceof ArrayBuffer) freeMemory(buffer);
}
