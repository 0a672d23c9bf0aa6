// For which Python a packed environment was made: told by the names in it, of which only the beginning is read.

import { createReadStream } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { createGunzip } from 'node:zlib';

const BLOCK_BYTES = 512;
/** Environments begin with many small files, and the name is among the first. */
const MAX_READ_BYTES = 512 * 1024 * 1024;
const LIBRARY = /(?:^|\/)lib\/python(\d+\.\d+)\//;

/** "3.12"; undefined where it cannot be told. Never rejects. */
export async function archivedPython(file: string, isFolder: boolean): Promise<string | undefined> {
  try {
    return isFolder ? await inFolder(file) : await inArchive(file);
  } catch {
    return undefined;
  }
}

async function inFolder(folder: string): Promise<string | undefined> {
  const names = await readdir(path.join(folder, 'lib'));
  return names.map((name) => /^python(\d+\.\d+)$/.exec(name)?.[1]).find((version) => version !== undefined);
}

/** Walks the headers of a tar file, over the contents. */
async function inArchive(file: string): Promise<string | undefined> {
  const isPacked = /gz$/.test(file);
  const source = createReadStream(file);
  const stream = isPacked ? source.pipe(createGunzip()) : source;
  source.on('error', (error) => stream.destroy(error));
  let rest: Buffer = Buffer.alloc(0);
  let toSkip = 0;
  let seen = 0;
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      seen += chunk.byteLength;
      if (seen > MAX_READ_BYTES) return undefined;
      const skipped = Math.min(toSkip, chunk.byteLength);
      toSkip -= skipped;
      rest = Buffer.concat([rest, chunk.subarray(skipped)]);
      while (toSkip === 0 && rest.byteLength >= BLOCK_BYTES) {
        const header = rest.subarray(0, BLOCK_BYTES);
        const version = LIBRARY.exec(`${text(header, 345, 155)}/${text(header, 0, 100)}`)?.[1];
        if (version !== undefined) return version;
        const byteSize = Number.parseInt(text(header, 124, 12), 8) || 0;
        const padded = Math.ceil(byteSize / BLOCK_BYTES) * BLOCK_BYTES;
        rest = rest.subarray(BLOCK_BYTES);
        const here = Math.min(padded, rest.byteLength);
        rest = rest.subarray(here);
        toSkip = padded - here;
      }
    }
  } finally {
    source.destroy();
    stream.destroy();
  }
  return undefined;
}

function text(header: Buffer, at: number, length: number): string {
  const field = header.subarray(at, at + length);
  const end = field.indexOf(0);
  return field.toString('latin1', 0, end < 0 ? length : end);
}
