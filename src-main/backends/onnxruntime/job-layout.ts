// How one job lies in a shared memory slot, written by the engine thread and read by the worker, and back.
//
//   words 0..3   run start ns, run end ns, byte offset of the result area, byte size of the result area
//   words 4..    per feed: byte offset (-1 = not fed), byte size, rank, dims..., segment count, (bytes, elements)...
//   data         feeds, each aligned to 64 bytes
//   result area  words per output: byte offset, byte size, rank, dims...; then the outputs, each aligned to 8 bytes
//
// Segments are there for BYTES feeds only: where each request's elements begin and end, so that a length prefix
// that runs past the end of one request cannot swallow the next one's bytes.

/** Places of the words at the beginning of a slot; the first two hold monotonic nanoseconds. */
export const RUN_START_WORD = 0;
/** As RUN_START_WORD. */
export const RUN_END_WORD = 1;
/** Byte offset of the result area in the slot. */
export const RESULT_OFFSET_WORD = 2;
/** Its byte size. */
export const RESULT_SIZE_WORD = 3;
/** Where the words of the feeds begin. */
export const FEED_WORDS = 4;

const FEED_ALIGNMENT = 64;
const OUTPUT_ALIGNMENT = 8;

/** Outputs up to this many bytes in all come back through the slot at first; larger ones are transferred. */
export const MIN_RESULT_BYTE_SIZE = 8 * 1024;
/** And up to this many once there were some: below, a copy takes less than two threads' messages. */
const MAX_RESULT_BYTE_SIZE = 64 * 1024;

const alignFeed = (byteOffset: number): number => Math.ceil(byteOffset / FEED_ALIGNMENT) * FEED_ALIGNMENT;
/** The next offset, in bytes, at which an output may begin. */
export const alignOutput = (byteOffset: number): number =>
  Math.ceil(byteOffset / OUTPUT_ALIGNMENT) * OUTPUT_ALIGNMENT;

/** The BYTES elements of one request: how long they are together with their length prefixes, and how many. */
export interface Segment {
  readonly byteSize: number;
  readonly elementCount: number;
}

/** One input of a run: its shape and how many bytes it takes. */
export interface FeedLayout {
  readonly dims: readonly number[];
  readonly byteSize: number;
  /** Empty for all datatypes but BYTES. */
  readonly segments: readonly Segment[];
}

/** Where the tensors of one run lie in its slot, in bytes from its start. */
export interface JobLayout {
  /** Byte offset of each feed, -1 where there is none. */
  readonly offsets: readonly number[];
  readonly resultOffset: number;
  readonly resultByteSize: number;
  readonly byteSize: number;
}

/** The result area for later jobs after one of `current` bytes was too small for `outputs`; a power of two. */
export function largerResultArea(current: number, outputs: readonly RunOutput[]): number {
  const words = resultHeaderWords(outputs.map(({ dims }) => dims.length));
  const needed = outputs.reduce((sum, { bytes }) => sum + alignOutput(bytes.byteLength), words * 8);
  return needed > MAX_RESULT_BYTE_SIZE ? current : Math.max(current, 2 ** Math.ceil(Math.log2(needed)));
}

/**
 * Where everything of a job goes. `feeds` are in the session's order; undefined = not fed. `resultByteSize`: bytes for
 * outputs and what describes them.
 */
export function layOutJob(
  feeds: readonly (FeedLayout | undefined)[],
  resultByteSize = MIN_RESULT_BYTE_SIZE,
): JobLayout {
  let wordCount = FEED_WORDS;
  for (const feed of feeds) {
    wordCount += feed === undefined ? 1 : 4 + feed.dims.length + 2 * feed.segments.length;
  }
  let at = wordCount * 8;
  const offsets = feeds.map((feed) => {
    if (feed === undefined) return -1;
    const offset = alignFeed(at);
    at = offset + feed.byteSize;
    return offset;
  });
  const resultOffset = alignFeed(at);
  return { offsets, resultOffset, resultByteSize, byteSize: resultOffset + resultByteSize };
}

/** Writes the header of a job; the feeds' bytes are written by the caller. */
export function writeJobHeader(
  words: Float64Array,
  feeds: readonly (FeedLayout | undefined)[],
  layout: JobLayout,
): void {
  words[RESULT_OFFSET_WORD] = layout.resultOffset;
  words[RESULT_SIZE_WORD] = layout.resultByteSize;
  let at = FEED_WORDS;
  for (let index = 0; index < feeds.length; index++) {
    const feed = feeds[index];
    words[at++] = layout.offsets[index] ?? -1;
    if (feed === undefined) continue;
    words[at++] = feed.byteSize;
    words[at++] = feed.dims.length;
    // By index: walking over the frozen list of a configuration makes an object per element.
    for (let axis = 0; axis < feed.dims.length; axis++) words[at++] = feed.dims[axis] as number;
    words[at++] = feed.segments.length;
    for (const segment of feed.segments) {
      words[at++] = segment.byteSize;
      words[at++] = segment.elementCount;
    }
  }
}

/** One output of a run. `bytes` are in wire layout. */
export interface RunOutput {
  readonly dims: readonly number[];
  readonly bytes: Uint8Array;
}

/** Words that describe outputs of these ranks. */
export function resultHeaderWords(ranks: readonly number[]): number {
  return ranks.reduce((count, rank) => count + 3 + rank, 0);
}

/**
 * Copies the outputs of a small result out of the slot into memory of their own, so that the slot is free for the
 * next job. One allocation for all outputs.
 */
export function readResult(words: Float64Array, bytes: Uint8Array, outputCount: number): RunOutput[] {
  const base = words[RESULT_OFFSET_WORD] ?? 0;
  const first = base / 8;
  let start = 0;
  let end = 0;
  for (let index = 0, at = first; index < outputCount; index++, at += 3 + (words[at + 2] ?? 0)) {
    const offset = words[at] ?? 0;
    if (index === 0) start = offset;
    end = Math.max(end, offset + (words[at + 1] ?? 0));
  }
  const own = bytes.slice(base + start, base + Math.max(start, end));
  const outputs = new Array<RunOutput>(outputCount);
  for (let index = 0, at = first; index < outputCount; index++) {
    const from = (words[at] ?? 0) - start;
    const byteSize = words[at + 1] ?? 0;
    const rank = words[at + 2] ?? 0;
    const dims = new Array<number>(rank);
    for (let axis = 0; axis < rank; axis++) dims[axis] = words[at + 3 + axis] ?? 0;
    const isAll = from === 0 && byteSize === own.byteLength;
    outputs[index] = { dims, bytes: isAll ? own : own.subarray(from, from + byteSize) };
    at += 3 + rank;
  }
  return outputs;
}
