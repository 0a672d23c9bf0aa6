// Writes protobuf messages into growing memory. Fields are written in the order of the calls, so the same calls give
// the same bytes on every machine.

/**
 * All methods give back the writer itself. Field numbers are not checked; 64-bit integers wrap around as two's
 * complement.
 */
export class WireWriter {
  #bytes = new Uint8Array(256);
  #view = new DataView(this.#bytes.buffer);
  #length = 0;

  /** A signed or unsigned 64-bit integer field. */
  integer(field: number, value: number | bigint): this {
    this.#varint(BigInt(field) * 8n);
    this.#varint(BigInt.asUintN(64, BigInt(value)));
    return this;
  }

  /** A field of 32 bits; the value is rounded to float32. */
  float(field: number, value: number): this {
    this.#varint(BigInt(field) * 8n + 5n);
    this.#reserve(4);
    this.#view.setFloat32(this.#length, value, true);
    this.#length += 4;
    return this;
  }

  /** A field of a length and these bytes, which are copied. */
  bytes(field: number, value: Uint8Array): this {
    this.#varint(BigInt(field) * 8n + 2n);
    this.#varint(BigInt(value.byteLength));
    this.#reserve(value.byteLength);
    this.#bytes.set(value, this.#length);
    this.#length += value.byteLength;
    return this;
  }

  /** A field of UTF-8. */
  text(field: number, value: string): this {
    return this.bytes(field, new TextEncoder().encode(value));
  }

  /** A nested message. `write` is called at once; the field is there also when it writes nothing. */
  message(field: number, write: (writer: WireWriter) => void): this {
    const inner = new WireWriter();
    write(inner);
    return this.bytes(field, inner.finish());
  }

  /** What was written so far, as a copy. */
  finish(): Uint8Array {
    return this.#bytes.slice(0, this.#length);
  }

  #varint(value: bigint): void {
    this.#reserve(10);
    let rest = value;
    while (rest > 0x7fn) {
      this.#bytes[this.#length++] = Number(rest & 0x7fn) | 0x80;
      rest >>= 7n;
    }
    this.#bytes[this.#length++] = Number(rest);
  }

  #reserve(byteCount: number): void {
    if (this.#length + byteCount <= this.#bytes.byteLength) return;
    const grown = new Uint8Array(Math.max(this.#bytes.byteLength * 2, this.#length + byteCount));
    grown.set(this.#bytes);
    this.#bytes = grown;
    this.#view = new DataView(grown.buffer);
  }
}
