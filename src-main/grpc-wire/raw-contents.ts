// Takes the large raw contents out of an encoded ModelInferRequest that lies in several parts, so that the rest, which is
// small, can be read as one piece and the tensors stay views of the parts.

import type { WireMessage } from './wire-message.ts';
import { joined } from './wire-message.ts';

/** Field 7, raw_input_contents, of type bytes. */
const RAW_TAG = (7 << 3) | 2;
/** Fields of the request are numbered from 1 on; all of them have lengths. */
const LAST_FIELD = 7;
const EMPTY_RAW = Uint8Array.of(RAW_TAG, 0);
/** Contents up to this size stay with the rest. */
const SMALL_BYTES = 4096;
const MAX_VARINT_BYTES = 10;

/** A request taken apart into what is decoded and the tensors, which stay where they were received. */
export interface SplitRequest {
  /** The request with empty contents in place of those that were taken out. */
  readonly rest: Uint8Array;
  /** What was taken out, by the index of the contents among all contents. */
  readonly contents: ReadonlyMap<number, WireMessage>;
}

/** A place in a message of several parts. */
class Cursor {
  readonly #parts: WireMessage;
  #part = 0;
  #at = 0;
  /** Bytes from here to the end. */
  left: number;

  constructor(parts: WireMessage, byteSize: number) {
    this.#parts = parts;
    this.left = byteSize;
  }

  byte(): number {
    for (;;) {
      const part = this.#parts[this.#part];
      if (part === undefined) return 0;
      if (this.#at < part.byteLength) {
        this.left -= 1;
        return part[this.#at++] ?? 0;
      }
      this.#part += 1;
      this.#at = 0;
    }
  }

  /** The next `byteSize` bytes as views, which must be there. */
  take(byteSize: number): Uint8Array[] {
    const views: Uint8Array[] = [];
    let missing = byteSize;
    while (missing > 0) {
      const part = this.#parts[this.#part];
      if (part === undefined) break;
      const count = Math.min(missing, part.byteLength - this.#at);
      if (count > 0) views.push(part.subarray(this.#at, this.#at + count));
      missing -= count;
      this.#at += count;
      if (this.#at < part.byteLength) break;
      this.#part += 1;
      this.#at = 0;
    }
    this.left -= byteSize - missing;
    return views;
  }
}

/** Reads a varint and keeps its bytes in `bytes`; undefined when it has no end or does not fit 32 bits. */
function varint(cursor: Cursor, bytes: number[]): number | undefined {
  let value = 0;
  for (let index = 0; index < MAX_VARINT_BYTES && cursor.left > 0; index += 1) {
    const byte = cursor.byte();
    bytes.push(byte);
    value += (byte & 0x7f) * 2 ** (7 * index);
    if (byte < 0x80) return value < 2 ** 32 ? value : undefined;
  }
  return undefined;
}

/** Undefined when the message is malformed, or of a kind that only the decoder itself should judge. */
export function splitRequest(message: WireMessage, byteSize: number): SplitRequest | undefined {
  const cursor = new Cursor(message, byteSize);
  const rest: Uint8Array[] = [];
  const contents = new Map<number, WireMessage>();
  let count = 0;
  while (cursor.left > 0) {
    const bytes: number[] = [];
    const tag = varint(cursor, bytes);
    // The decoder takes its fields for what they should be, whatever their tags say.
    if (tag === undefined || (tag >>> 3 <= LAST_FIELD && (tag & 7) !== 2)) return undefined;
    const size = valueSize(tag & 7, cursor, bytes);
    if (size === undefined || size > cursor.left) return undefined;
    const value = cursor.take(size);
    if (tag === RAW_TAG) {
      count += 1;
      if (size > SMALL_BYTES) {
        contents.set(count - 1, value);
        rest.push(EMPTY_RAW);
        continue;
      }
    }
    rest.push(Uint8Array.from(bytes), ...value);
  }
  return { rest: joined(rest), contents };
}

/** Bytes of a field's value behind its tag and length, which go to `bytes`. */
function valueSize(wireType: number, cursor: Cursor, bytes: number[]): number | undefined {
  switch (wireType) {
    case 0:
      return varint(cursor, bytes) === undefined ? undefined : 0;
    case 1:
      return 8;
    case 2:
      return varint(cursor, bytes);
    case 5:
      return 4;
    default:
      return undefined;
  }
}
