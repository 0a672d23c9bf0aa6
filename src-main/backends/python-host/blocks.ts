// Tensors with what belongs to them, as blocks of a frame. Small tensors lie inside; large ones lie in a shared file and
// the block says where. Reading copies nothing; block-writer.ts writes them.

import type { DataType } from '../../../src-shared/datatypes.ts';
import { DATA_TYPES } from '../../../src-shared/datatypes.ts';
import type { TensorBytes } from '../../inference/tensor-bytes.ts';
import { BLOCK_BYTES } from './frames.ts';

/** Tensors of this size and more go through the shared files. */
export const SHARED_FROM_BYTES = 1 << 16;

/** `shape` is that of the model's side, batch dimension included; BYTES elements carry their length prefixes. */
export interface SentTensor {
  readonly name: string;
  readonly datatype: DataType;
  readonly shape: readonly number[];
  readonly bytes: TensorBytes;
}

/** Where a tensor lies in a shared file, and the room that was set aside for it there. */
export interface SharedPlace {
  readonly offset: number;
  readonly room: number;
}

/** What differs from request to request; left out where it is nothing. */
export type BlockExtra = Readonly<Record<string, unknown>>;

const NO_EXTRA: BlockExtra = {};

/** A tensor that came from a Python process. */
export interface ReceivedTensor {
  readonly name: string;
  readonly datatype: DataType;
  readonly shape: readonly number[];
  readonly byteSize: number;
  /** View of the received frame; undefined for a tensor in the shared file. */
  readonly inside: Uint8Array | undefined;
  readonly place: SharedPlace | undefined;
}

/**
 * `key`: the request it belongs to. `byteSize`: of the block with its small tensors, so the next one begins
 * behind it. `wanted`: names of requested outputs.
 */
export interface Block {
  readonly key: number;
  readonly flags: number;
  readonly byteSize: number;
  readonly tensors: readonly ReceivedTensor[];
  readonly wanted: readonly string[];
  readonly extra: BlockExtra;
}

type WireTensor = readonly [name: string, code: number, shape: readonly number[], byteSize: number];

interface WireHead {
  readonly t?: readonly WireTensor[];
  readonly o?: readonly string[];
}

const NO_HEAD: WireHead = {};
/** Heads repeat from response to response; a model whose shapes always differ must not fill the memory. */
const LARGEST_CACHE = 1024;

/** Reads blocks of one host; a head that was read before is not parsed again. */
export class BlockReader {
  readonly #heads = new Map<string, WireHead>();

  /** The block at `at` of a payload. */
  read(payload: Buffer, at: number): Block {
    const byteSize = payload.readUInt32LE(at);
    const headBytes = payload.readUInt32LE(at + 12);
    const extraSize = payload.readUInt32LE(at + 16);
    const headAt = at + BLOCK_BYTES;
    const extraAt = headAt + headBytes;
    const head = headBytes === 0 ? NO_HEAD : this.#head(payload.toString('utf8', headAt, extraAt));
    const extra =
      extraSize === 0
        ? NO_EXTRA
        : (JSON.parse(payload.toString('utf8', extraAt, extraAt + extraSize)) as BlockExtra);
    const textBytes = BLOCK_BYTES + headBytes + extraSize;
    return {
      key: payload.readUInt32LE(at + 4),
      flags: payload.readUInt32LE(at + 8),
      byteSize,
      wanted: head.o ?? [],
      extra,
      tensors: receivedTensors(payload, at + textBytes + (-textBytes & 7), head.t ?? [], placesOf(extra)),
    };
  }

  #head(text: string): WireHead {
    const known = this.#heads.get(text);
    if (known !== undefined) return known;
    const head = JSON.parse(text) as WireHead;
    if (this.#heads.size >= LARGEST_CACHE) this.#heads.clear();
    this.#heads.set(text, head);
    return head;
  }
}

function placesOf(extra: BlockExtra): ReadonlyMap<number, SharedPlace> | undefined {
  const places = extra['m'] as readonly (readonly [number, number, number])[] | undefined;
  return places && new Map(places.map(([index, offset, room]) => [index, { offset, room }]));
}

function receivedTensors(
  payload: Buffer,
  start: number,
  tensors: readonly WireTensor[],
  places: ReadonlyMap<number, SharedPlace> | undefined,
): ReceivedTensor[] {
  let at = start;
  return tensors.map(([name, code, shape, byteSize], index) => {
    const datatype = DATA_TYPES[code - 1] as DataType;
    const place = places?.get(index);
    if (place !== undefined) return { name, datatype, shape, byteSize, inside: undefined, place };
    const inside = payload.subarray(at, at + byteSize);
    at += byteSize + (-byteSize & 7);
    return { name, datatype, shape, byteSize, inside, place: undefined };
  });
}
