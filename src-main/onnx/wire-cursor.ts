// Reads protobuf primitives from a window of a larger file. Decoders are generators that yield the number of bytes
// they need at the cursor; whoever drives them loads that window and resumes. Skipping moves the cursor only, so
// bytes nobody asks for are never read.
// Invariant: the cursor never passes `fileByteSize`; a length that would is reported with where it was found.

import { onnxErrors } from './onnx-errors.ts';

/** Yields how many bytes must be available at the cursor before it can go on. */
export type Decoding<T> = Generator<number, T, void>;

/** Tag and length together: two varints of at most ten bytes. */
const HEADER_BYTE_SIZE = 20;

const utf8 = new TextDecoder();

/** A place in the file; reading beyond the window asks for more, reading beyond the file throws. */
export class WireCursor {
  /** Absolute position in the file. */
  position = 0;
  readonly fileByteSize: number;
  readonly #file: string;
  readonly #path: string[] = [];
  #window = new Uint8Array(0);
  #view = new DataView(this.#window.buffer);
  #windowStart = 0;

  constructor(file: string, fileByteSize: number) {
    this.#file = file;
    this.fileByteSize = fileByteSize;
  }

  /** Hands over the bytes at `start`; the cursor must lie in them. */
  load(start: number, bytes: Uint8Array<ArrayBuffer>): void {
    this.#window = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#windowStart = start;
  }

  /** True when `byteCount` bytes (or all that the file still has) are in the window. */
  has(byteCount: number): boolean {
    const at = this.position - this.#windowStart;
    if (at < 0) return false;
    const wanted = Math.min(byteCount, this.fileByteSize - this.position);
    return at + wanted <= this.#window.byteLength;
  }

  /** Throws INVALID_ARG with the file, the byte and the message in which it lies. */
  fail(problem: string): never {
    const where = this.#path.length === 0 ? '' : ` in ${this.#path.join('.')}`;
    throw onnxErrors.invalid({ file: this.#file, reason: `${problem} at byte ${this.position}${where}` });
  }

  /** A message of that name is read until `leave`; names stand in faults. */
  enter(name: string): void {
    this.#path.push(name);
  }

  /** The message that was entered last is read. */
  leave(): void {
    this.#path.pop();
  }

  #byte(): number {
    const byte = this.#window[this.position - this.#windowStart];
    if (byte === undefined) this.fail('the file ends in the middle of a number');
    this.position += 1;
    return byte;
  }

  /** Signed 64-bit value as a number; exact up to 2^53. */
  varint(): number {
    let value = 0;
    let scale = 1;
    for (let index = 0; index < 9; index++) {
      const byte = this.#byte();
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
      scale *= 128;
    }
    // Ten bytes: negative in two's complement.
    this.position -= 9;
    let wide = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = this.#byte();
      wide |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return Number(BigInt.asIntN(64, wide));
    }
    this.fail('a number is longer than ten bytes');
  }

  /** Four bytes at the cursor, which must be in the window. */
  float32(): number {
    const value = this.#view.getFloat32(this.position - this.#windowStart, true);
    this.position += 4;
    return value;
  }

  /** Eight bytes at the cursor, which must be in the window. */
  float64(): number {
    const value = this.#view.getFloat64(this.position - this.#windowStart, true);
    this.position += 8;
    return value;
  }

  /** The text up to `end`, which must be in the window. */
  text(end: number): string {
    const text = utf8.decode(
      this.#window.subarray(this.position - this.#windowStart, end - this.#windowStart),
    );
    this.position = end;
    return text;
  }
}

/** Reads one length-delimited field that ends at `end`; may yield for more bytes. */
export type FieldReader<T> = (into: T, cursor: WireCursor, end: number) => Decoding<void> | undefined;

/** How one field of a protobuf message is read into `T`. */
export interface MessageField<T> {
  readonly name: string;
  /** Wire type 2. The cursor is moved to the end of the field afterwards, read or not. */
  readonly block?: FieldReader<T>;
  /** Wire types 0, 1 and 5. */
  readonly scalar?: (into: T, value: number) => void;
}

/** Field number -> how to read it; fields that are absent here are skipped. */
export type MessageTable<T> = Readonly<Record<number, MessageField<T>>>;

/** Reads the fields of a message that ends at `end` into `into`. Throws INVALID_ARG where the file is corrupt. */
export function* readMessage<T>(
  cursor: WireCursor,
  end: number,
  into: T,
  table: MessageTable<T>,
): Decoding<void> {
  while (cursor.position < end) {
    if (!cursor.has(HEADER_BYTE_SIZE)) yield HEADER_BYTE_SIZE;
    const key = cursor.varint();
    // No message has a field 0: a file of zeros ends here, and is not read to its end.
    if (key >= 0 && key < 8) cursor.fail('a field has the number 0');
    const field = table[Math.floor(key / 8)];
    const wire = key % 8;
    if (wire === 2) {
      const byteSize = cursor.varint();
      const fieldEnd = cursor.position + byteSize;
      if (field !== undefined) cursor.enter(field.name);
      if (byteSize < 0 || fieldEnd > end) {
        const left = Math.max(0, end - cursor.position);
        cursor.fail(`a field of ${byteSize} bytes does not fit, ${left} bytes are left`);
      }
      const reading = field?.block?.(into, cursor, fieldEnd);
      if (reading !== undefined) yield* reading;
      cursor.position = fieldEnd;
      if (field !== undefined) cursor.leave();
    } else {
      const value = readScalar(cursor, wire, end);
      field?.scalar?.(into, value);
    }
  }
  if (cursor.position > end) cursor.fail('a field runs past the end of its message');
}

function readScalar(cursor: WireCursor, wire: number, end: number): number {
  if (wire === 0) return cursor.varint();
  if (wire !== 1 && wire !== 5) cursor.fail(`unknown wire type ${wire}`);
  if (cursor.position + (wire === 1 ? 8 : 4) > end) cursor.fail('the message ends in the middle of a number');
  return wire === 1 ? cursor.float64() : cursor.float32();
}

/** A string field; texts above `limit` bytes are cut. */
export function text<T>(set: (into: T, value: string) => void, limit = 65_536): FieldReader<T> {
  return (into, cursor, end) => {
    const stop = Math.min(end, cursor.position + limit);
    if (!cursor.has(stop - cursor.position)) return longText(into, cursor, stop, set);
    set(into, cursor.text(stop));
    return undefined;
  };
}

function* longText<T>(
  into: T,
  cursor: WireCursor,
  stop: number,
  set: (into: T, value: string) => void,
): Decoding<void> {
  yield stop - cursor.position;
  set(into, cursor.text(stop));
}

/** A packed list of numbers; `read` takes one from the cursor. */
export function packed<T>(
  read: (cursor: WireCursor) => number,
  add: (into: T, value: number) => void,
): FieldReader<T> {
  return function* (into, cursor, end) {
    if (!cursor.has(end - cursor.position)) yield end - cursor.position;
    while (cursor.position < end) add(into, read(cursor));
  };
}

/** A nested message built from `empty()` and handed to `add` when complete. */
export function nested<T, M>(
  empty: () => M,
  table: () => MessageTable<M>,
  add: (into: T, message: M, byteSize: number) => void,
): FieldReader<T> {
  return function* (into, cursor, end) {
    const message = empty();
    const start = cursor.position;
    yield* readMessage(cursor, end, message, table());
    add(into, message, end - start);
  };
}
