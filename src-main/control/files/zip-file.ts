// Writes a zip file as a stream, entry after entry; entries and archives above 4 GiB get the 64-bit form. Large files
// are stored, since weights hardly compress.

import { createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Transform } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';

import yazl from 'yazl';

import { openRegularFile } from '../../base/regular-file.ts';

/** One file or folder of the archive. */
export interface ZipPart {
  /** undefined: a folder. */
  readonly source: string | undefined;
  /** "/" between its parts. */
  readonly name: string;
  readonly byteSize: number;
  readonly modifiedAt: Date;
}

/** Who hears how far it is. Rejects when the signal aborts. */
export interface ZipOptions {
  readonly signal: AbortSignal;
  /** So many bytes of a part were read. */
  readonly onBytes: (name: string, byteCount: number) => void;
}

const STORE_ABOVE_BYTES = 4 * 1024 * 1024;

/** Writes `target`, which must not exist. Returns its size in bytes. On failure or abort the caller removes it. */
export async function writeZip(
  target: string,
  parts: readonly ZipPart[],
  { signal, onBytes }: ZipOptions,
): Promise<number> {
  const archive = new yazl.ZipFile();
  const ended = new AbortController();
  const readingSignal = AbortSignal.any([signal, ended.signal]);
  const failed = new Promise<never>((_resolve, reject) => archive.on('error', reject));
  try {
    for (const part of parts) addPart(archive, part, { signal: readingSignal, onBytes });
    archive.end();
    const file = createWriteStream(target, { flags: 'wx', flush: true });
    await Promise.race([pipeline(archive.outputStream, file, { signal: readingSignal }), failed]);
  } finally {
    // Closes what is open, also when another part of the work failed.
    ended.abort();
  }
  return (await stat(target)).size;
}

/** Always the same, so that the same texts are the same archive. */
const NO_TIME = new Date(2000, 0, 1);

/** An archive of texts, in memory. `path` with "/" between its parts. */
export async function zipTexts(
  files: readonly { readonly path: string; readonly text: string }[],
): Promise<Buffer> {
  const archive = new yazl.ZipFile();
  for (const { path, text } of files)
    archive.addBuffer(Buffer.from(text), path, { mtime: NO_TIME, mode: 0o100_644 });
  archive.end();
  return await buffer(archive.outputStream);
}

/** A file is opened when its turn comes. */
function addPart(
  archive: yazl.ZipFile,
  { source, name, byteSize, modifiedAt }: ZipPart,
  { signal, onBytes }: ZipOptions,
): void {
  if (source === undefined) {
    archive.addEmptyDirectory(name, { mtime: modifiedAt });
    return;
  }
  const compress = byteSize <= STORE_ABOVE_BYTES;
  archive.addReadStreamLazy(
    name,
    { size: byteSize, mtime: modifiedAt, mode: 0o100_644, compress },
    (start) => {
      const counted = new Transform({
        transform: (chunk: Buffer, _encoding, done) => {
          onBytes(name, chunk.byteLength);
          done(null, chunk);
        },
      });
      start(null, counted);
      openRegularFile(source)
        .then(({ handle }) => pipeline(handle.createReadStream({ signal }), counted))
        .catch((thrown: unknown) => counted.destroy(thrown as Error));
    },
  );
}
