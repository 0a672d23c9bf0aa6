// JSON string elements to a BYTES tensor (4-byte little-endian length, then the bytes). Bytes outside escapes are
// copied as they came, so text that is not valid UTF-8 survives.

import type { ServerError } from '../../src-shared/errors.ts';
import type { JsonArray } from './json-document.ts';
import { wrongType } from './json-values.ts';
import { ESCAPES, hexDigit } from './json-scanner.ts';
import { tensorErrors } from './tensor-errors.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Every string of the array, depth first. Throws INTERNAL when an element is not a string. */
export function decodeStrings(array: JsonArray): Uint8Array {
  const { bytes } = array;
  const end = array.end - 1;
  const sink = new BytesSink(maxByteSize(array));
  for (let at = array.start + 1; at < end;) {
    const c = bytes[at] as number;
    if (c === QUOTE) at = sink.element(bytes, at);
    else if (isBetween(c)) at += 1;
    else throw notAString();
  }
  return sink.finish();
}

const notAString = (): ServerError => tensorErrors.bytes({ reason: wrongType('string') });

function isBetween(c: number): boolean {
  return c <= 0x20 || c === 0x2c || c === 0x5b || c === 0x5d;
}

/** Upper bound: an element of n text bytes between quotes needs at most n + 4 bytes, since escapes only shrink. */
function maxByteSize(array: JsonArray): number {
  const { bytes } = array;
  const end = array.end - 1;
  let byteSize = 0;
  for (let at = array.start + 1; at < end;) {
    const c = bytes[at] as number;
    if (c === QUOTE) {
      const start = (at += 1);
      while (bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
      byteSize += at - start + 4;
      at += 1;
    } else if (isBetween(c)) at += 1;
    else throw notAString();
  }
  return byteSize;
}

class BytesSink {
  readonly #target: Uint8Array;
  #used = 0;

  constructor(maxSize: number) {
    this.#target = new Uint8Array(maxSize);
  }

  finish(): Uint8Array {
    return this.#used === this.#target.length ? this.#target : this.#target.slice(0, this.#used);
  }

  /** Adds the string that starts at `quoteAt`; returns the offset behind its closing quote. */
  element(bytes: Buffer, quoteAt: number): number {
    const target = this.#target;
    const lengthAt = this.#used;
    this.#used += 4;
    let at = quoteAt + 1;
    for (let c = bytes[at] as number; c !== QUOTE; c = bytes[at] as number) {
      if (c === BACKSLASH) at = this.#escape(bytes, at);
      else {
        target[this.#used] = c;
        this.#used += 1;
        at += 1;
      }
    }
    const byteSize = this.#used - lengthAt - 4;
    target[lengthAt] = byteSize;
    target[lengthAt + 1] = byteSize >>> 8;
    target[lengthAt + 2] = byteSize >>> 16;
    target[lengthAt + 3] = byteSize >>> 24;
    return at + 1;
  }

  /** Adds the character of the (valid) escape at `at`; returns the offset behind the escape. */
  #escape(bytes: Buffer, at: number): number {
    const code = bytes[at + 1] as number;
    if (code !== 0x75) {
      this.#put(ESCAPES[code] ?? code);
      return at + 2;
    }
    const unit = hexUnit(bytes, at + 2);
    const isPair = unit >= 0xd800 && unit <= 0xdbff;
    this.#point(isPair ? 0x10000 + ((unit - 0xd800) << 10) + (hexUnit(bytes, at + 8) - 0xdc00) : unit);
    return at + (isPair ? 12 : 6);
  }

  #put(byte: number): void {
    this.#target[this.#used] = byte;
    this.#used += 1;
  }

  #point(point: number): void {
    if (point < 0x80) this.#put(point);
    else if (point < 0x800) this.#put(0xc0 | (point >> 6));
    else if (point < 0x10000) this.#put(0xe0 | (point >> 12));
    else this.#put(0xf0 | (point >> 18));
    if (point >= 0x10000) this.#put(0x80 | ((point >> 12) & 0x3f));
    if (point >= 0x800) this.#put(0x80 | ((point >> 6) & 0x3f));
    if (point >= 0x80) this.#put(0x80 | (point & 0x3f));
  }
}

function hexUnit(bytes: Buffer, from: number): number {
  let value = 0;
  for (let i = from; i < from + 4; i += 1) value = value * 16 + hexDigit(bytes[i] as number);
  return value;
}
