// What a slot keeps between jobs of the same layout: the tensors of its feeds over the slot's own memory, and tensors
// for its outputs where the shapes are known by then, so that the runtime writes them where they are read.

import { copiedBytes, sharesInputs } from './shared-inputs.ts';
import { FEED_WORDS, RESULT_OFFSET_WORD } from './job-layout.ts';
import type { Segment } from './job-layout.ts';
import type { NativeTensor, NumericData } from './native-ort.ts';
import { numericView } from './ort-datatypes.ts';
import type { OrtType } from './ort-datatypes.ts';
import { decodeStrings } from './string-tensors.ts';

const SHARES_MEMORY = sharesInputs(process.versions.node);

interface FeedName {
  readonly name: string;
  readonly type: OrtType;
}

/**
 * Good for jobs whose feeds have the same places and shapes. `words`: the slot as 64-bit floats, as
 * job-layout.ts lays it out.
 */
export class PreparedRun {
  readonly words: Float64Array;
  readonly feeds: Record<string, NativeTensor> = {};
  /** Tensors over the slot's result area, once a run has said their shapes. */
  placed: Record<string, NativeTensor> | undefined;
  readonly #slot: SharedArrayBuffer;
  readonly #header: Float64Array;
  readonly #isReusable: boolean;

  /** Reads the job that lies in `slot`. Throws INVALID_ARG for strings that are none. */
  constructor(slot: SharedArrayBuffer, names: readonly FeedName[]) {
    this.#slot = slot;
    this.words = new Float64Array(slot, 0, Math.floor(slot.byteLength / 8));
    let isReusable = SHARES_MEMORY;
    let at = FEED_WORDS;
    for (const { name, type } of names) {
      const byteOffset = this.words[at++] ?? -1;
      if (byteOffset < 0) continue;
      const byteSize = this.words[at++] ?? 0;
      const rank = this.words[at++] ?? 0;
      const dims = Array.from(this.words.subarray(at, at + rank));
      at += rank;
      const segmentCount = this.words[at++] ?? 0;
      if (type === 'string') {
        const segments = readSegments(this.words, at, segmentCount);
        const data = decodeStrings(name, Buffer.from(slot, byteOffset, byteSize), segments);
        this.feeds[name] = { type, dims, data, location: 'cpu' };
        isReusable = false;
      } else {
        const data = SHARES_MEMORY
          ? numericView(type, slot, byteOffset, byteSize)
          : numericView(type, copiedBytes(slot, byteOffset, byteSize), 0, byteSize);
        this.feeds[name] = { type, dims, data, location: 'cpu' };
      }
      at += 2 * segmentCount;
    }
    this.#isReusable = isReusable;
    this.#header = this.words.slice(RESULT_OFFSET_WORD, at);
  }

  /** True when the job that lies in `slot` now only has other values. */
  fits(slot: SharedArrayBuffer): boolean {
    if (!this.#isReusable || slot !== this.#slot) return false;
    const header = this.#header;
    for (let index = 0; index < header.length; index++) {
      if (header[index] !== this.words[RESULT_OFFSET_WORD + index]) return false;
    }
    return true;
  }

  /** Lets later runs write these outputs where `byteOffsets` say that they lie in the slot. */
  place(
    outputs: readonly { readonly name: string; readonly tensor: NativeTensor; readonly byteOffset: number }[],
  ): void {
    if (!this.#isReusable) return;
    const placed: Record<string, NativeTensor> = {};
    for (const { name, tensor, byteOffset } of outputs) {
      const { type, dims, data } = tensor;
      if (type === 'string') return;
      const view = numericView(type, this.#slot, byteOffset, (data as NumericData).byteLength);
      placed[name] = { type, dims, data: view, location: 'cpu' };
    }
    this.placed = placed;
  }
}

function readSegments(words: Float64Array, start: number, count: number): Segment[] {
  return Array.from({ length: count }, (_, index) => ({
    byteSize: words[start + 2 * index] ?? 0,
    elementCount: words[start + 2 * index + 1] ?? 0,
  }));
}
