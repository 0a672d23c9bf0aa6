// A received body as its chunks. Tensor bytes are taken out as views of the chunks, never copied; the JSON part is
// one view when it lies in one chunk, which is the rule.

import { memoryOfChunk } from '../../base/free-memory.ts';
import type { TensorBytes } from '../../inference/tensor-bytes.ts';
import { NO_BYTES } from '../../inference/tensor-bytes.ts';

/** Bodies from this size on are worth freeing before the collector does. */
const MIN_FREED_BYTES = 256 * 1024;
const NO_MEMORY: readonly ArrayBuffer[] = [];

/** Chunk list of one body. Views keep the chunks alive. */
export class BodyBytes {
  readonly chunks: readonly Buffer[];
  readonly byteSize: number;

  constructor(chunks: readonly Buffer[], byteSize: number) {
    this.chunks = chunks;
    this.byteSize = byteSize;
  }

  /** `[offset, offset + byteSize)` as views; the range must lie within the body. */
  slice(offset: number, byteSize: number): TensorBytes {
    if (byteSize === 0) return NO_BYTES;
    const { chunks } = this;
    let index = 0;
    let start = offset;
    while (start >= (chunks[index] as Buffer).length) {
      start -= (chunks[index] as Buffer).length;
      index += 1;
    }
    const first = chunks[index] as Buffer;
    if (start + byteSize <= first.length) {
      return { chunks: [first.subarray(start, start + byteSize)], byteSize };
    }
    const views: Uint8Array[] = [first.subarray(start)];
    let missing = byteSize - (first.length - start);
    while (missing > 0) {
      const chunk = chunks[(index += 1)] as Buffer;
      views.push(missing < chunk.length ? chunk.subarray(0, missing) : chunk);
      missing -= chunk.length;
    }
    return { chunks: views, byteSize };
  }

  /** What of the body lies in memory of its own; the first and the last chunk rarely do. */
  ownMemory(): readonly ArrayBuffer[] {
    if (this.byteSize < MIN_FREED_BYTES) return NO_MEMORY;
    return this.chunks.map(memoryOfChunk).filter((memory) => memory !== undefined);
  }

  /** The first `byteSize` bytes in one piece. */
  head(byteSize: number): Buffer {
    const first = this.chunks[0];
    if (first !== undefined && byteSize <= first.length) {
      return byteSize === first.length ? first : first.subarray(0, byteSize);
    }
    return Buffer.concat(this.slice(0, byteSize).chunks, byteSize);
  }
}
