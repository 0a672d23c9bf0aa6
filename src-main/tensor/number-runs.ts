// A list of numbers between two brackets, from its bytes to typed memory in one pass: grammar and values together, with
// no text and no array between. What is not such a list, or needs care, is refused as a whole: the caller reads
// it in the slow and exact way then, which also finds the words for what is wrong.

const MINUS = 0x2d;
const PLUS = 0x2b;
const DOT = 0x2e;
const COMMA = 0x2c;
const RBRACKET = 0x5d;
const ZERO = 0x30;
const NINE = 0x39;

/** A long array that seems to hold numbers only, and was not looked at: whoever reads it checks it. */
export class NumberRun {
  readonly bytes: Buffer;
  /** Offsets behind the opening bracket, and of the closing one. */
  readonly start: number;
  readonly end: number;
  isRead = false;

  constructor(bytes: Buffer, start: number, end: number) {
    this.bytes = bytes;
    this.start = start;
    this.end = end;
  }
}

/** Arrays below this size are read at once. */
const MIN_RUN_BYTES = 512;

/** The array that begins in front of `start`, when it is long and seems to hold nothing but numbers. */
export function findNumberRun(bytes: Buffer, start: number, limit: number): NumberRun | undefined {
  const first = bytes[start] ?? 0;
  if (first !== MINUS && !isDigit(first)) return undefined;
  const end = bytes.indexOf(RBRACKET, start);
  return end < start + MIN_RUN_BYTES || end >= limit ? undefined : new NumberRun(bytes, start, end);
}

/** Digits that are counted; what follows them changes a value by less than half of the last bit of a double. */
const MAX_DIGITS = 17;
const MAX_EXPONENT_DIGITS = 4;
const POWERS = Float64Array.from({ length: 23 }, (_, power) => Number(`1e${power}`));
const MAX_POWER = 22;

/** Of normal numbers of 32 bits, with room for a last bit that is wrong. */
const MIN_NORMAL = 1.2e-38;
const MAX_NORMAL = 3.4e38;
/** Bits of a double that a float has not; half way between two floats they are HALF. */
const LOST_BITS = 0x1fff_ffff;
const HALF = 0x1000_0000;
/** Last bits of a double that may be wrong; four operations of half a bit each are far below. */
const DOUBT = 64;

const double = new Float64Array(1);
const halves = new Uint32Array(double.buffer);

/** Offset behind white space. */
function skipSpace(bytes: Buffer, from: number): number {
  let at = from;
  for (;;) {
    const c = bytes[at] as number;
    if (c !== 0x20 && c !== 0x0a && c !== 0x0d && c !== 0x09) return at;
    at += 1;
  }
}

const isDigit = (c: number): boolean => c >= ZERO && c <= NINE;

/** Four bytes, the first one lowest, are digits. */
function isFourDigits(word: number): boolean {
  // Every byte is 0x3X, and stays so when six is added to it.
  return ((word & 0xf0f0_f0f0) | (((word + 0x0606_0606) & 0xf0f0_f0f0) >>> 4)) >>> 0 === 0x3333_3333;
}

/** Their value. */
function fourDigits(word: number): number {
  const values = word & 0x0f0f_0f0f;
  const pairs = (Math.imul(values, 10) + (values >>> 8)) & 0x00ff_00ff;
  return (pairs & 0xff) * 100 + (pairs >>> 16);
}

/** Digits of a number below 10,000 without leading zeros. */
function significant(value: number): number {
  if (value < 10) return value === 0 ? 0 : 1;
  return value < 1000 ? (value < 100 ? 2 : 3) : 4;
}

/** `mantissa` times a power of ten, a few last bits wrong at most; NaN where that cannot be promised. */
function scaled(mantissa: number, power: number): number {
  if (mantissa === 0 || power === 0) return mantissa;
  if (power < -2 * MAX_POWER || power > MAX_POWER) return Number.NaN;
  if (power > 0) return mantissa * (POWERS[power] as number);
  if (power >= -MAX_POWER) return mantissa / (POWERS[-power] as number);
  return mantissa / (POWERS[MAX_POWER] as number) / (POWERS[-power - MAX_POWER] as number);
}

/** True when rounding this to 32 bits gives what rounding the exact value gives. */
function roundsSafely(value: number): boolean {
  if (value === 0) return true;
  if (!(value > MIN_NORMAL && value < MAX_NORMAL)) return false;
  double[0] = value;
  const distance = ((halves[0] as number) & LOST_BITS) - HALF;
  return distance > DOUBT || distance < -DOUBT;
}

/** The decimal numbers of a text, one after the other; the byte at `end` is none of a number. */
class DecimalReader {
  readonly #bytes: Buffer;
  readonly #view: DataView;
  readonly #end: number;
  #mantissa = 0;
  #digits = 0;
  #power = 0;

  constructor(bytes: Buffer, end: number) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#end = end;
  }

  /** Size of the last number as `scaled` says it. */
  get size(): number {
    return scaled(this.#mantissa, this.#power);
  }

  /** Reads a number behind its sign; the offset behind it, or -1 when there is none as JSON writes them. */
  read(from: number): number {
    const bytes = this.#bytes;
    let at = from;
    let c = bytes[at] as number;
    this.#mantissa = 0;
    this.#digits = 0;
    this.#power = 0;
    if (c === ZERO) at += 1;
    else if (isDigit(c)) at = this.#whole(at);
    else return -1;
    c = bytes[at] as number;
    if (c === DOT) {
      if (!isDigit(bytes[at + 1] as number)) return -1;
      at = this.#fraction(at + 1);
      c = bytes[at] as number;
    }
    return c === 0x65 || c === 0x45 ? this.#exponent(at + 1) : at;
  }

  #whole(from: number): number {
    let at = from;
    for (let c = this.#bytes[at] as number; isDigit(c); c = this.#bytes[(at += 1)] as number) {
      if (this.#digits < MAX_DIGITS) {
        this.#mantissa = this.#mantissa * 10 + (c - ZERO);
        this.#digits += 1;
      } else this.#power += 1;
    }
    return at;
  }

  #fraction(from: number): number {
    let at = from;
    let mantissa = this.#mantissa;
    let digits = this.#digits;
    // Four digits at a time, as long as all of them count.
    while (digits <= MAX_DIGITS - 4 && at + 4 <= this.#end) {
      const word = this.#view.getUint32(at, true);
      if (!isFourDigits(word)) break;
      const four = fourDigits(word);
      digits += mantissa === 0 ? significant(four) : 4;
      mantissa = mantissa * 10_000 + four;
      at += 4;
    }
    let counted = at - from;
    for (let c = this.#bytes[at] as number; isDigit(c); c = this.#bytes[(at += 1)] as number) {
      if (digits >= MAX_DIGITS) continue;
      mantissa = mantissa * 10 + (c - ZERO);
      if (mantissa !== 0) digits += 1;
      counted += 1;
    }
    this.#mantissa = mantissa;
    this.#digits = digits;
    this.#power -= counted;
    return at;
  }

  #exponent(from: number): number {
    let at = from;
    let c = this.#bytes[at] as number;
    const isSmaller = c === MINUS;
    if (isSmaller || c === PLUS) c = this.#bytes[(at += 1)] as number;
    const first = at;
    let exponent = 0;
    for (; isDigit(c); c = this.#bytes[(at += 1)] as number) exponent = exponent * 10 + (c - ZERO);
    if (at === first || at - first > MAX_EXPONENT_DIGITS) return -1;
    this.#power += isSmaller ? -exponent : exponent;
    return at;
  }
}

/** Where the next number of a list begins, behind the comma at or behind `at`; -1 when there is none. */
function nextNumber(bytes: Buffer, at: number): number {
  const comma = bytes[at] === COMMA ? at : skipSpace(bytes, at);
  return bytes[comma] === COMMA ? skipSpace(bytes, comma + 1) : -1;
}

/**
 * Fills `target` with the numbers of `bytes[start, end)`; `bytes[end]` is the closing bracket. False unless there are
 * exactly as many, each a number as JSON writes them and within the range of a double.
 */
export function readFloats32(bytes: Buffer, start: number, end: number, target: Float32Array): boolean {
  const reader = new DecimalReader(bytes, end);
  let first = skipSpace(bytes, start);
  for (let index = 0; index < target.length; index += 1) {
    if (first < 0) return false;
    const isNegative = bytes[first] === MINUS;
    const behind = reader.read(isNegative ? first + 1 : first);
    if (behind < 0) return false;
    const { size } = reader;
    if (roundsSafely(size)) target[index] = isNegative ? -size : size;
    else {
      const exact = Number(bytes.toString('latin1', first, behind));
      if (!Number.isFinite(exact)) return false;
      target[index] = exact;
    }
    if (index === target.length - 1) return skipSpace(bytes, behind) === end;
    first = nextNumber(bytes, behind);
  }
  return false;
}

/** Digits of an integer that a double holds. */
export const MAX_EXACT_DIGITS = 15;

/** The same for integers: `put` is given each of them. No fractions, no exponents, no more than fifteen digits. */
export function readIntegers(
  bytes: Buffer,
  start: number,
  end: number,
  count: number,
  isSigned: boolean,
  put: (index: number, value: number) => void,
): boolean {
  let at = skipSpace(bytes, start);
  for (let index = 0; index < count; index += 1) {
    let c = bytes[at] as number;
    const isNegative = c === MINUS;
    if (isNegative) c = bytes[(at += 1)] as number;
    const from = at;
    let value = 0;
    if (c === ZERO) c = bytes[(at += 1)] as number;
    else {
      while (c >= ZERO && c <= NINE) {
        value = value * 10 + (c - ZERO);
        c = bytes[(at += 1)] as number;
      }
    }
    if (at === from || at - from > MAX_EXACT_DIGITS || (isNegative && !isSigned)) return false;
    put(index, isNegative ? -value : value);
    if (index === count - 1) return skipSpace(bytes, at) === end;
    at = nextNumber(bytes, at);
    if (at < 0) return false;
  }
  return false;
}

/** Text handed to the engine's own JSON parser at once. */
const BLOCK_BYTES = 1 << 16;

/** The same for doubles of 64 bits, which only the engine's own parser reads exactly without a text for each. */
export function readFloats64(bytes: Buffer, start: number, end: number, target: Float64Array): boolean {
  let index = 0;
  let at = start;
  while (at < end) {
    let stop = Math.min(at + BLOCK_BYTES, end);
    while (stop < end && bytes[stop] !== COMMA) stop += 1;
    let values: unknown[];
    try {
      values = JSON.parse(`[${bytes.toString('latin1', at, stop)}]`) as unknown[];
    } catch {
      return false;
    }
    if (values.length === 0 || index + values.length > target.length) return false;
    for (const value of values) {
      if (typeof value !== 'number' || !Number.isFinite(value)) return false;
      target[index] = value;
      index += 1;
    }
    at = stop + 1;
  }
  // A comma in front of the bracket leaves nothing behind it.
  return at === end + 1 && index === target.length;
}
