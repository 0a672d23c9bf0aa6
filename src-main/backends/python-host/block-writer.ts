// Writes frames of blocks (blocks.ts, frames.ts) into the memory that the socket gets. Requests to a model look like each
// other, so the text that describes their tensors is made once.

import { DATA_TYPES } from '../../../src-shared/datatypes.ts';
import { copyBytes } from '../../inference/tensor-bytes.ts';
import type { BlockExtra, SentTensor, SharedPlace } from './blocks.ts';
import { BLOCK_BYTES, FRAME_BYTES, writeFrameHeader } from './frames.ts';
import type { Outgoing } from './outgoing.ts';

/** What one block carries. */
export interface BlockContent {
  readonly key: number;
  readonly tensors: readonly SentTensor[];
  readonly wanted: readonly string[];
  readonly extra: BlockExtra | undefined;
}

/** By index, those tensors of a block that lie in the shared file. */
export type Places = ReadonlyMap<number, SharedPlace> | undefined;

/** The fixed fields of a frame as its header has them; `flags` are bits of FRAME_FLAG, none when left out. */
export interface BlocksHeader {
  readonly kind: number;
  readonly a: number;
  readonly b: number;
  readonly flags?: number;
}

/** The text in front of a block's tensors, and what it was made of. */
interface Head {
  readonly tensors: readonly SentTensor[];
  readonly wanted: readonly string[];
  readonly text: Buffer;
}

const NO_TEXT = Buffer.alloc(0);
/** Clients that send a few shapes in turns are served from here too. */
const KEPT_HEADS = 8;

/**
 * `write` leaves the frame in `outgoing`, to be taken from there. Tensors that have a place in the shared file
 * are described alone; the caller has written them before.
 */
export class BlockWriter {
  readonly #heads: Head[] = [];

  /** One frame of several blocks. `places`: one entry for each block, or empty when none has tensors in the file. */
  write(
    outgoing: Outgoing,
    header: BlocksHeader,
    blocks: readonly BlockContent[],
    places: readonly Places[],
  ): void {
    const texts = blocks.map(({ tensors, wanted, extra }, index) => ({
      head: this.#head(tensors, wanted),
      extra: extraText(extra, places[index]),
    }));
    let byteSize = FRAME_BYTES;
    const sizes = blocks.map((block, index) => {
      const { head, extra } = texts[index] as { head: Buffer; extra: Buffer };
      const size = blockSize(block.tensors, head.byteLength + extra.byteLength, places[index]);
      byteSize += size;
      return size;
    });
    const { buffer, offset } = outgoing.room(byteSize);
    writeFrameHeader(buffer, offset, byteSize, header.kind, header.a, header.b, header.flags ?? 0);
    let at = offset + FRAME_BYTES;
    blocks.forEach((block, index) => {
      const { head, extra } = texts[index] as { head: Buffer; extra: Buffer };
      const size = sizes[index] as number;
      writeBlock(buffer, at, size, block, head, extra, places[index]);
      at += size;
    });
  }

  #head(tensors: readonly SentTensor[], wanted: readonly string[]): Buffer {
    const known = this.#heads.find((head) => describes(head, tensors, wanted));
    if (known !== undefined) return known.text;
    const t = tensors.map(({ name, datatype, shape, bytes }) => [
      name,
      DATA_TYPES.indexOf(datatype) + 1,
      shape,
      bytes.byteSize,
    ]);
    const text = Buffer.from(JSON.stringify({ t, o: wanted }));
    // The bytes of the tensors are not kept, only how many there are.
    const described = tensors.map((tensor) => ({
      ...tensor,
      bytes: { chunks: [], byteSize: tensor.bytes.byteSize },
    }));
    this.#heads.unshift({ tensors: described, wanted, text });
    this.#heads.length = Math.min(this.#heads.length, KEPT_HEADS);
    return text;
  }
}

function describes(head: Head, tensors: readonly SentTensor[], wanted: readonly string[]): boolean {
  if (head.tensors.length !== tensors.length || !areEqual(head.wanted, wanted)) return false;
  return tensors.every((tensor, index) => {
    const kept = head.tensors[index] as SentTensor;
    return (
      kept.name === tensor.name &&
      kept.datatype === tensor.datatype &&
      kept.bytes.byteSize === tensor.bytes.byteSize &&
      areEqual(kept.shape, tensor.shape)
    );
  });
}

function areEqual(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((each, index) => each === b[index]);
}

function extraText(extra: BlockExtra | undefined, places: Places): Buffer {
  if (places === undefined) return extra === undefined ? NO_TEXT : Buffer.from(JSON.stringify(extra));
  const m = [...places].map(([index, { offset, room }]) => [index, offset, room]);
  return Buffer.from(JSON.stringify({ ...extra, m }));
}

/** Rounded up to a multiple of eight. */
const filled = (byteSize: number): number => byteSize + (-byteSize & 7);

function blockSize(tensors: readonly SentTensor[], textBytes: number, places: Places): number {
  let byteSize = filled(BLOCK_BYTES + textBytes);
  tensors.forEach(({ bytes }, index) => {
    if (places?.has(index) !== true) byteSize += filled(bytes.byteSize);
  });
  return byteSize;
}

function writeBlock(
  buffer: Buffer,
  start: number,
  byteSize: number,
  { key, tensors }: BlockContent,
  head: Buffer,
  extra: Buffer,
  places: Places,
): void {
  buffer.writeUInt32LE(byteSize, start);
  buffer.writeUInt32LE(key, start + 4);
  buffer.writeUInt32LE(0, start + 8);
  buffer.writeUInt32LE(head.byteLength, start + 12);
  buffer.writeUInt32LE(extra.byteLength, start + 16);
  buffer.writeUInt32LE(0, start + 20);
  buffer.set(head, start + BLOCK_BYTES);
  let at = start + BLOCK_BYTES + head.byteLength;
  buffer.set(extra, at);
  at = fillUp(buffer, start, at + extra.byteLength);
  tensors.forEach(({ bytes }, index) => {
    if (places?.has(index) === true) return;
    at = fillUp(buffer, start, copyBytes(bytes, buffer, at));
  });
}

/** Zeros up to the next multiple of eight of the block; returns the place behind them. */
function fillUp(buffer: Buffer, start: number, at: number): number {
  const end = start + filled(at - start);
  if (end > at) buffer.fill(0, at, end);
  return end;
}
