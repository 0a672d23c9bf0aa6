// Header blocks to header fields (RFC 7541), with the dynamic table. Strict: whatever the format does not allow ends
// the connection, since both sides no longer agree about the table.

import { ConnectionFault, FAULT } from './codes.ts';
import { decodeHuffman } from './huffman.ts';
import { STATIC_TABLE } from './static-table.ts';

/** What the size of an entry counts beyond its bytes (section 4.1). */
export const ENTRY_OVERHEAD = 32;
const MAX_INTEGER = 2 ** 28;

/** A decoded header block, in the order of the wire. */
export interface HeaderList {
  /** name, value, name, value ... one char per byte. */
  readonly fields: readonly string[];
  /** The field with which the limit was exceeded; `fields` ends before it. Undefined = all fields are there. */
  readonly overflow: HeaderOverflow | undefined;
}

/** Sizes in bytes, 32 more for each field. */
export interface HeaderOverflow {
  readonly name: string;
  readonly byteSize: number;
  /** Of the list with this field. */
  readonly listByteSize: number;
}

interface Entry {
  readonly name: string;
  readonly value: string;
}

const fault = (message: string): ConnectionFault => new ConnectionFault(FAULT.compression, message);

/**
 * One for each connection and direction; every block must go through it, since the table depends on all of them.
 * The list counts 32 bytes more for each field (RFC 7541, 4.1).
 */
export class HpackDecoder {
  readonly #maxTableBytes: number;
  readonly #maxListBytes: number;
  #tableLimit: number;
  #tableBytes = 0;
  /** Newest last. */
  #entries: Entry[] = [];
  #block: Uint8Array = new Uint8Array(0);
  #at = 0;
  /** The last block and what it said, while the table has not changed by it. */
  #lastBlock: Buffer | undefined;
  #lastList: HeaderList | undefined;
  #isTableTouched = false;

  /** `maxTableBytes`: as told to the other side. */
  constructor(maxTableBytes: number, maxListBytes: number) {
    this.#maxTableBytes = maxTableBytes;
    this.#tableLimit = maxTableBytes;
    this.#maxListBytes = maxListBytes;
  }

  /** Equal blocks that do not change the table give the same object. Throws ConnectionFault. */
  decode(block: Buffer): HeaderList {
    if (this.#lastList !== undefined && this.#lastBlock?.equals(block) === true) return this.#lastList;
    this.#isTableTouched = false;
    const list = this.#read(block);
    this.#lastList = undefined;
    if (!this.#isTableTouched && list.overflow === undefined) {
      this.#lastBlock = Buffer.from(block);
      this.#lastList = list;
    }
    return list;
  }

  #read(block: Buffer): HeaderList {
    this.#block = block;
    this.#at = 0;
    const fields: string[] = [];
    let listBytes = 0;
    let overflow: HeaderOverflow | undefined;
    while (this.#at < block.length) {
      const first = block[this.#at] ?? 0;
      if ((first & 0xe0) === 0x20) {
        if (fields.length > 0) throw fault('table size update behind a field');
        this.#resize(this.#integer(5));
        continue;
      }
      const { name, value } = this.#field(first);
      // Read to its end even so: the table depends on every field.
      if (overflow !== undefined) continue;
      const byteSize = name.length + value.length + ENTRY_OVERHEAD;
      listBytes += byteSize;
      if (listBytes > this.#maxListBytes) overflow = { name, byteSize, listByteSize: listBytes };
      else fields.push(name, value);
    }
    return { fields, overflow };
  }

  #field(first: number): Entry {
    if ((first & 0x80) !== 0) return this.#entry(this.#integer(7));
    const isKept = (first & 0x40) !== 0;
    const index = this.#integer(isKept ? 6 : 4);
    const name = index === 0 ? this.#text() : this.#entry(index).name;
    const entry = { name, value: this.#text() };
    if (isKept) this.#add(entry);
    return entry;
  }

  #entry(index: number): Entry {
    if (index === 0) throw fault('index 0');
    if (index <= STATIC_TABLE.length) {
      const [name, value] = STATIC_TABLE[index - 1] ?? ['', ''];
      return { name, value };
    }
    const entry = this.#entries[this.#entries.length - (index - STATIC_TABLE.length)];
    if (entry === undefined) throw fault(`no header field has index ${index}`);
    return entry;
  }

  #add(entry: Entry): void {
    this.#isTableTouched = true;
    this.#entries.push(entry);
    this.#tableBytes += sizeOf(entry);
    this.#evict();
  }

  #resize(limit: number): void {
    if (limit > this.#maxTableBytes)
      throw fault(`table of ${limit} bytes, ${this.#maxTableBytes} are allowed`);
    this.#isTableTouched = true;
    this.#tableLimit = limit;
    this.#evict();
  }

  #evict(): void {
    let count = 0;
    while (this.#tableBytes > this.#tableLimit) {
      this.#tableBytes -= sizeOf(this.#entries[count] as Entry);
      count += 1;
    }
    if (count > 0) this.#entries = this.#entries.slice(count);
  }

  #byte(): number {
    const byte = this.#block[this.#at];
    if (byte === undefined) throw fault('header block ends early');
    this.#at += 1;
    return byte;
  }

  #integer(prefixBits: number): number {
    const mask = (1 << prefixBits) - 1;
    let value = this.#byte() & mask;
    if (value < mask) return value;
    for (let shift = 0; shift <= 28; shift += 7) {
      const byte = this.#byte();
      value += (byte & 0x7f) * 2 ** shift;
      if (value > MAX_INTEGER) break;
      if (byte < 0x80) return value;
    }
    throw fault('integer is too large');
  }

  #text(): string {
    const isHuffman = ((this.#block[this.#at] ?? 0) & 0x80) !== 0;
    const length = this.#integer(7);
    const from = this.#at;
    const to = from + length;
    if (to > this.#block.length) throw fault('header block ends early');
    this.#at = to;
    if (!isHuffman) return (this.#block as Buffer).toString('latin1', from, to);
    const text = decodeHuffman(this.#block, from, to);
    if (text === undefined) throw fault('wrong Huffman code');
    return text;
  }
}

function sizeOf({ name, value }: Entry): number {
  return name.length + value.length + ENTRY_OVERHEAD;
}
