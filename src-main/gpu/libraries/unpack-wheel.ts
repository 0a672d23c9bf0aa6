// Takes the shared libraries out of a wheel, which is a ZIP archive, into one flat folder.

import { createWriteStream } from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Entry, ZipFile } from 'yauzl';
import { openPromise } from 'yauzl';

/** `name` is that of the file, without the folders it had in the wheel. */
export interface UnpackedLibrary {
  readonly name: string;
  readonly byteSize: number;
}

/** The runtime itself comes with the npm package, and Python's binding is of no use here. */
const PASSED_OVER = /libonnxruntime\.so|pybind11|_static/;

/** Libraries that were written, in the archive's order. Rejects with what is wrong with the archive. */
export async function unpackWheel(
  wheel: string,
  folder: string,
  signal: AbortSignal,
): Promise<readonly UnpackedLibrary[]> {
  const archive: ZipFile = await openPromise(wheel);
  const libraries: UnpackedLibrary[] = [];
  try {
    for await (const entry of archive.eachEntry() as AsyncIterable<Entry>) {
      const name = path.posix.basename(entry.fileName);
      if (!/\.so(?:\.\d+)*$/.test(name) || PASSED_OVER.test(name)) continue;
      const content = await archive.openReadStreamPromise(entry);
      await pipeline(content, createWriteStream(path.join(folder, name)), { signal });
      libraries.push({ name, byteSize: entry.uncompressedSize });
    }
  } finally {
    archive.close();
  }
  return libraries;
}
