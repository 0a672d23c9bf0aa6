// Writes a compressed copy beside every text of the built page, so that the server has nothing to compress when the first
// page asks.

import type { Plugin } from 'vite';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';

const TEXTS = new Set(['.html', '.js', '.css', '.ttf', '.svg', '.json']);
/** The best quality takes ten times as long for a few percent. */
const QUALITY = 9;

const compress = promisify(brotliCompress);

async function packFolder(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile() && TEXTS.has(path.extname(entry.name)))
    .map(({ parentPath, name }) => path.join(parentPath, name));
  await Promise.all(
    files.map(async (file) => {
      const bytes = await readFile(file);
      const params = {
        [constants.BROTLI_PARAM_QUALITY]: QUALITY,
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes.byteLength,
      };
      await writeFile(`${file}.br`, await compress(bytes, { params }));
    }),
  );
}

/** For builds only. Brotli, close to its best and a tenth of the time of it. */
export function packedFiles(): Plugin {
  let folder = '';
  return {
    name: 'conch-packed-files',
    apply: 'build',
    configResolved: ({ root, build }) => {
      folder = path.resolve(root, build.outDir);
    },
    closeBundle: () => packFolder(folder),
  };
}
