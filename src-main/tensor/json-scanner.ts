// Cursor over JSON bytes: white space, strings and number tokens, with the grammar checked and nothing allocated
// unless a string is asked for. Short ASCII strings come from a small cache, because requests repeat theirs.

import { tensorErrors } from './tensor-errors.ts';

/** integer and double by the token's form; special = NaN or Inf; other = string, true, false, null. */
export type ScalarKind = 'integer' | 'double' | 'special' | 'other';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const MINUS = 0x2d;
const ZERO = 0x30;
const NINE = 0x39;
/** Only tokens with an exponent or this many digits can leave the range of a double. */
const MAX_SAFE_DIGITS = 300;

/** Control characters may only stand in strings as escapes. */
const ESCAPE_FAULT = 'Invalid escape character in string.';

const CACHE_SLOTS = 1024;
const CACHED_LENGTH = 32;
const cache: (string | undefined)[] = new Array<string | undefined>(CACHE_SLOTS);

const UPPER_I = 0x49;
const UPPER_N = 0x4e;
const LOWER_I = 0x69;

/** Throws INTERNAL with the reason and the offset, in bytes, where the text is no JSON. */
export class JsonScanner {
  readonly bytes: Buffer;
  readonly end: number;
  readonly #start: number;
  at: number;

  constructor(bytes: Buffer, start: number, end: number) {
    this.bytes = bytes;
    this.at = start;
    this.#start = start;
    this.end = end;
  }

  /** The error to throw for a fault at the cursor; nothing is thrown here. */
  fault(reason: string): Error {
    return tensorErrors.notJson({ reason, offset: this.at - this.#start });
  }

  /** Steps over a mark of UTF-8 at the cursor, where there is one. */
  skipByteOrderMark(): void {
    const { at, bytes } = this;
    if (at + 3 <= this.end && bytes[at] === 0xef && bytes[at + 1] === 0xbb && bytes[at + 2] === 0xbf)
      this.at += 3;
  }

  /** Skips white space; the byte there, or -1 at the end. */
  next(): number {
    const { bytes, end } = this;
    let at = this.at;
    let c = -1;
    while (at < end) {
      c = bytes[at] as number;
      if (c > 0x20 || (c !== 0x20 && c !== 0x0a && c !== 0x0d && c !== 0x09)) break;
      at += 1;
    }
    this.at = at;
    return at < end ? c : -1;
  }

  /** Steps over a scalar that starts with `c` at the cursor. */
  skipScalar(c: number): ScalarKind {
    if (c === QUOTE) {
      this.skipString();
      return 'other';
    }
    if (c === MINUS || (c >= ZERO && c <= NINE)) return this.#number();
    if (c === 0x74) return this.#literal('true', 'other');
    if (c === 0x66) return this.#literal('false', 'other');
    if (c === 0x6e) return this.#literal('null', 'other');
    return this.#special();
  }

  /** Steps over a word; a fault is where the text leaves it. */
  #literal(word: string, kind: ScalarKind): ScalarKind {
    const { bytes } = this;
    const limit = Math.min(this.end, this.at + word.length);
    let at = this.at;
    for (let index = 0; at < limit && bytes[at] === word.charCodeAt(index); index += 1) at += 1;
    const isWhole = at - this.at === word.length;
    this.at = at;
    if (!isWhole) throw this.fault('Invalid value.');
    return kind;
  }

  #special(): ScalarKind {
    const c = this.at < this.end ? this.bytes[this.at] : -1;
    if (c === UPPER_N) return this.#literal('NaN', 'special');
    if (c !== UPPER_I) throw this.fault('Invalid value.');
    this.#literal('Inf', 'special');
    const isLong = this.at < this.end && this.bytes[this.at] === LOWER_I;
    return isLong ? this.#literal('inity', 'special') : 'special';
  }

  #number(): ScalarKind {
    const { bytes, end } = this;
    const start = this.at;
    let at = start;
    if (bytes[at] === MINUS) at += 1;
    const first = at < end ? (bytes[at] as number) : -1;
    if (first < ZERO || first > NINE) {
      this.at = at;
      return this.#special();
    }
    at += 1;
    if (first !== ZERO) {
      while (at < end && (bytes[at] as number) >= ZERO && (bytes[at] as number) <= NINE) at += 1;
    }
    const c = at < end ? (bytes[at] as number) : -1;
    if (c !== 0x2e && c !== 0x65 && c !== 0x45) {
      this.at = at;
      if (at - start > MAX_SAFE_DIGITS) this.#checkRange(start);
      return 'integer';
    }
    this.at = c === 0x2e ? this.#digits(at + 1, 'Miss fraction part in number.') : at;
    const e = this.at < end ? bytes[this.at] : -1;
    if (e === 0x65 || e === 0x45) {
      const sign = bytes[this.at + 1];
      const isSigned = sign === 0x2b || sign === MINUS;
      this.at = this.#digits(this.at + (isSigned ? 2 : 1), 'Miss exponent in number.');
      this.#checkRange(start);
    } else if (this.at - start > MAX_SAFE_DIGITS) this.#checkRange(start);
    return 'double';
  }

  /** Steps over one or more digits from `from`; the offset behind them. `missing`: the fault when there is none. */
  #digits(from: number, missing: string): number {
    const { bytes, end } = this;
    let at = from;
    while (at < end && (bytes[at] as number) >= ZERO && (bytes[at] as number) <= NINE) at += 1;
    if (at === from) {
      this.at = Math.min(at, end);
      throw this.fault(missing);
    }
    return at;
  }

  #checkRange(start: number): void {
    if (!Number.isFinite(Number(this.bytes.toString('latin1', start, this.at)))) {
      this.at = start;
      throw this.fault('Number too big to be stored in double.');
    }
  }

  /** Steps over a string; true when it holds escapes. */
  skipString(): boolean {
    const { bytes, end } = this;
    let at = this.at + 1;
    let hasEscapes = false;
    for (;;) {
      if (at >= end) {
        this.at = end;
        throw this.fault('Missing a closing quotation mark in string.');
      }
      const c = bytes[at] as number;
      if (c === QUOTE) break;
      if (c === BACKSLASH) {
        hasEscapes = true;
        this.at = at;
        at = this.#escape();
      } else if (c < 0x20) {
        this.at = at;
        throw this.fault(c === 0 ? 'Missing a closing quotation mark in string.' : ESCAPE_FAULT);
      } else at += 1;
    }
    this.at = at + 1;
    return hasEscapes;
  }

  /** Checks the escape at the cursor; the offset behind it (behind the pair for surrogates). */
  #escape(): number {
    const code = this.bytes[this.at + 1];
    if (code !== 0x75) {
      if (this.at + 1 < this.end && ESCAPES[code ?? 0] !== undefined) return this.at + 2;
      throw this.fault(ESCAPE_FAULT);
    }
    const unit = this.#hex(this.at + 2);
    if (unit < 0xd800 || unit > 0xdfff) return this.at + 6;
    const isPair = unit < 0xdc00 && this.bytes[this.at + 6] === BACKSLASH && this.bytes[this.at + 7] === 0x75;
    const low = isPair ? this.#hex(this.at + 8) : 0;
    if (low < 0xdc00 || low > 0xdfff) throw this.fault('The surrogate pair in string is invalid.');
    return this.at + 12;
  }

  #hex(from: number): number {
    let value = 0;
    for (let at = from; at < from + 4; at += 1) {
      const digit = at < this.end ? hexDigit(this.bytes[at] as number) : -1;
      if (digit < 0) throw this.fault('Incorrect hex digit after \\u escape in string.');
      value = value * 16 + digit;
    }
    return value;
  }

  /** Reads the string at the cursor. */
  string(): string {
    const { bytes, end } = this;
    const start = this.at + 1;
    const limit = Math.min(end, start + CACHED_LENGTH);
    let hash = 0;
    let at = start;
    for (; at < limit; at += 1) {
      const c = bytes[at] as number;
      if (c === QUOTE) {
        this.at = at + 1;
        return cachedString(bytes, start, at, hash);
      }
      if (c === BACKSLASH || c < 0x20 || c >= 0x80) break;
      hash = (Math.imul(hash, 31) + c) | 0;
    }
    const hasEscapes = this.skipString();
    const text = bytes.toString('utf8', start, this.at - 1);
    return hasEscapes ? (JSON.parse(`"${text}"`) as string) : text;
  }
}

function cachedString(bytes: Buffer, start: number, end: number, hash: number): string {
  const slot = (hash ^ (hash >>> 10)) & (CACHE_SLOTS - 1);
  const known = cache[slot];
  if (known?.length === end - start) {
    let i = 0;
    while (i < known.length && known.charCodeAt(i) === bytes[start + i]) i += 1;
    if (i === known.length) return known;
  }
  const text = bytes.toString('latin1', start, end);
  cache[slot] = text;
  return text;
}

/** Value of one hexadecimal digit given as a byte; -1 for any other byte. */
export function hexDigit(c: number): number {
  if (c >= ZERO && c <= NINE) return c - ZERO;
  const letter = c | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
}

/** Byte after a backslash -> the byte it stands for; undefined where no such escape exists. */
export const ESCAPES: readonly (number | undefined)[] = (() => {
  const table = new Array<number | undefined>(256).fill(undefined);
  for (const [escape, byte] of Object.entries({
    '"': 34,
    '\\': 92,
    '/': 47,
    b: 8,
    f: 12,
    n: 10,
    r: 13,
    t: 9,
  })) {
    table[escape.charCodeAt(0)] = byte;
  }
  return table;
})();
