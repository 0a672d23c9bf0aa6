// Writes a zip file as a stream: entry after entry, sizes and checksums behind each one's data, the directory at the
// end. Entries and archives above 4 GiB use the 64-bit form. Large files are stored, since weights hardly compress.

import type { FileHandle } from 'node:fs/promises';
import { open, stat } from 'node:fs/promises';
import { crc32, createDeflateRaw } from 'node:zlib';

import { openRegularFile } from '../../base/regular-file.ts';

interface ZipEntry {
  readonly name: Buffer;
  readonly method: number;
  readonly dosTime: number;
  readonly crc: number;
  readonly packedSize: number;
  readonly size: number;
  readonly offset: number;
}

const STORED = 0;
const DEFLATED = 8;
/** Bit 3: sizes follow the data; bit 11: names are UTF-8. */
const FLAGS = 0x0808;
const VERSION_64 = 45;
const MAX_32 = 0xffff_ffff;
const MAX_16 = 0xffff;
const STORE_ABOVE_BYTES = 4 * 1024 * 1024;

export class ZipFile {
  readonly #file: FileHandle;
  readonly #entries: ZipEntry[] = [];
  #offset = 0;

  private constructor(file: FileHandle) {
    this.#file = file;
  }

  /** Fails when the file exists. */
  static async create(path: string): Promise<ZipFile> {
    return new ZipFile(await open(path, 'wx'));
  }

  /** `name` with "/" between its parts. `onBytes` gets what was read of the source. */
  async add(
    source: string,
    name: string,
    options: { readonly signal: AbortSignal; readonly onBytes: (count: number) => void },
  ): Promise<void> {
    const stats = await stat(source);
    const method = stats.size > STORE_ABOVE_BYTES ? STORED : DEFLATED;
    const head = { name: Buffer.from(name), method, dosTime: dosTime(stats.mtime), offset: this.#offset };
    await this.#write(localHeader(head));
    const start = this.#offset;
    let crc = 0;
    let size = 0;
    const { handle } = await openRegularFile(source);
    const reading = handle.createReadStream({ signal: options.signal });
    const counted = async function* (): AsyncGenerator<Buffer> {
      for await (const chunk of reading as AsyncIterable<Buffer>) {
        crc = crc32(chunk, crc);
        size += chunk.byteLength;
        options.onBytes(chunk.byteLength);
        yield chunk;
      }
    };
    const packed = method === STORED ? counted() : deflated(counted());
    for await (const chunk of packed) await this.#write(chunk);
    const entry = { ...head, crc, size, packedSize: this.#offset - start };
    await this.#write(dataDescriptor(entry));
    this.#entries.push(entry);
  }

  async addFolder(name: string): Promise<void> {
    const head = { name: Buffer.from(`${name}/`), method: STORED, dosTime: DOS_EPOCH, offset: this.#offset };
    const entry = { ...head, crc: 0, size: 0, packedSize: 0 };
    await this.#write(localHeader(head));
    await this.#write(dataDescriptor(entry));
    this.#entries.push(entry);
  }

  /** Writes the directory. Returns the size of the file. */
  async finish(): Promise<number> {
    const start = this.#offset;
    for (const entry of this.#entries) await this.#write(directoryEntry(entry));
    const size = this.#offset - start;
    await this.#write(directoryEnd(this.#entries.length, size, start));
    await this.#file.sync();
    return this.#offset;
  }

  close(): Promise<void> {
    return this.#file.close();
  }

  async #write(bytes: Uint8Array): Promise<void> {
    await this.#file.write(bytes);
    this.#offset += bytes.byteLength;
  }
}

async function* deflated(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const packer = createDeflateRaw();
  const feeding = (async () => {
    try {
      for await (const chunk of chunks) {
        if (!packer.write(chunk)) await new Promise((resolve) => packer.once('drain', resolve));
      }
      packer.end();
    } catch (thrown) {
      packer.destroy(thrown as Error);
    }
  })();
  for await (const chunk of packer as AsyncIterable<Buffer>) yield chunk;
  await feeding;
}

/** Midnight of 1980-01-01, the first moment the format knows. */
const DOS_EPOCH = 0x0021_0000;

/** Date in the upper half, time in the lower, in steps of two seconds. */
function dosTime(time: Date): number {
  const year = time.getFullYear();
  if (year < 1980 || year > 2107) return DOS_EPOCH;
  const date = ((year - 1980) << 9) | ((time.getMonth() + 1) << 5) | time.getDate();
  const clock = (time.getHours() << 11) | (time.getMinutes() << 5) | (time.getSeconds() >> 1);
  return ((date << 16) | clock) >>> 0;
}

type Head = Pick<ZipEntry, 'name' | 'method' | 'dosTime'>;

/** Sizes are not known yet; the 64-bit field announces that the descriptor has 64-bit sizes. */
function localHeader({ name, method, dosTime: time }: Head): Buffer {
  const extra = extra64([0, 0]);
  const header = Buffer.alloc(30);
  header.writeUInt32LE(0x0403_4b50, 0);
  header.writeUInt16LE(VERSION_64, 4);
  header.writeUInt16LE(FLAGS, 6);
  header.writeUInt16LE(method, 8);
  header.writeUInt32LE(time, 10);
  header.writeUInt32LE(MAX_32, 18);
  header.writeUInt32LE(MAX_32, 22);
  header.writeUInt16LE(name.byteLength, 26);
  header.writeUInt16LE(extra.byteLength, 28);
  return Buffer.concat([header, name, extra]);
}

function dataDescriptor({ crc, packedSize, size }: ZipEntry): Buffer {
  const bytes = Buffer.alloc(24);
  bytes.writeUInt32LE(0x0807_4b50, 0);
  bytes.writeUInt32LE(crc, 4);
  bytes.writeBigUInt64LE(BigInt(packedSize), 8);
  bytes.writeBigUInt64LE(BigInt(size), 16);
  return bytes;
}

function directoryEntry(entry: ZipEntry): Buffer {
  const extra = extra64([entry.size, entry.packedSize, entry.offset]);
  const header = Buffer.alloc(46);
  header.writeUInt32LE(0x0201_4b50, 0);
  // Made on Unix, so that permissions are taken as given below.
  header.writeUInt16LE((3 << 8) | VERSION_64, 4);
  header.writeUInt16LE(VERSION_64, 6);
  header.writeUInt16LE(FLAGS, 8);
  header.writeUInt16LE(entry.method, 10);
  header.writeUInt32LE(entry.dosTime, 12);
  header.writeUInt32LE(entry.crc, 16);
  header.writeUInt32LE(MAX_32, 20);
  header.writeUInt32LE(MAX_32, 24);
  header.writeUInt16LE(entry.name.byteLength, 28);
  header.writeUInt16LE(extra.byteLength, 30);
  const isFolder = entry.name.at(-1) === 0x2f;
  header.writeUInt32LE(((isFolder ? 0o040_755 : 0o100_644) << 16) >>> 0, 38);
  header.writeUInt32LE(MAX_32, 42);
  return Buffer.concat([header, entry.name, extra]);
}

function extra64(values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 + values.length * 8);
  bytes.writeUInt16LE(1, 0);
  bytes.writeUInt16LE(values.length * 8, 2);
  values.forEach((value, at) => bytes.writeBigUInt64LE(BigInt(value), 4 + at * 8));
  return bytes;
}

/** The 64-bit end, its locator, and the plain end that points to both. */
function directoryEnd(count: number, size: number, offset: number): Buffer {
  const end64 = Buffer.alloc(56);
  end64.writeUInt32LE(0x0606_4b50, 0);
  end64.writeBigUInt64LE(44n, 4);
  end64.writeUInt16LE((3 << 8) | VERSION_64, 12);
  end64.writeUInt16LE(VERSION_64, 14);
  end64.writeBigUInt64LE(BigInt(count), 24);
  end64.writeBigUInt64LE(BigInt(count), 32);
  end64.writeBigUInt64LE(BigInt(size), 40);
  end64.writeBigUInt64LE(BigInt(offset), 48);
  const locator = Buffer.alloc(20);
  locator.writeUInt32LE(0x0706_4b50, 0);
  locator.writeBigUInt64LE(BigInt(offset + size), 8);
  locator.writeUInt32LE(1, 16);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x0605_4b50, 0);
  end.writeUInt16LE(Math.min(count, MAX_16), 8);
  end.writeUInt16LE(Math.min(count, MAX_16), 10);
  end.writeUInt32LE(Math.min(size, MAX_32), 12);
  end.writeUInt32LE(Math.min(offset, MAX_32), 16);
  return Buffer.concat([end64, locator, end]);
}
