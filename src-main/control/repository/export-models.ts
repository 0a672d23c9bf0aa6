// Packs model folders into one zip that unpacks to a model repository. Everything that Triton reads is in it; hidden
// files are not. The archive is written beside its name and gets it when it is complete.

import { readdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';

import { isThere } from '../../base/file-exists.ts';
import { writeError } from '../../base/write-error.ts';
import type { CopyOptions } from '../files/copy-folder.ts';
import type { ZipPart } from '../files/zip-file.ts';
import { writeZip } from '../files/zip-file.ts';
import { foldersErrors } from './folder-errors.ts';

/** Which models go into one archive. */
export interface ExportRequest {
  readonly models: readonly { readonly name: string; readonly path: string }[];
  /** Where the archive goes. */
  readonly folder: string;
}

/** Returns the archive. On failure or abort nothing is left. */
export async function exportModels(
  { models, folder }: ExportRequest,
  { signal, onProgress }: CopyOptions,
): Promise<{ readonly path: string; readonly byteSize: number }> {
  const parts = (await Promise.all(models.map((model) => partsOf(model.path, model.name)))).flat();
  const totalBytes = parts.reduce((total, { byteSize }) => total + byteSize, 0);
  const target = await freePath(folder, models.length === 1 ? (models[0]?.name ?? 'model') : 'models');
  const unfinished = `${target}.part`;
  let copiedBytes = 0;
  const onBytes = (file: string, byteCount: number): void => {
    copiedBytes += byteCount;
    onProgress({ copiedBytes, totalBytes, file });
  };
  try {
    signal.throwIfAborted();
    const byteSize = await writeZip(unfinished, parts, { signal, onBytes });
    await rename(unfinished, target);
    return { path: target, byteSize };
  } catch (thrown) {
    await rm(unfinished, { force: true });
    throw writeError(thrown, target);
  }
}

/** Folders are entries of their own: an ensemble's version folder is empty and needed. */
async function partsOf(folder: string, name: string): Promise<readonly ZipPart[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const { mtime } = await stat(folder);
  const parts: ZipPart[] = [{ source: undefined, name, byteSize: 0, modifiedAt: mtime }];
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (entry.name.startsWith('.')) continue;
    const full = path.join(folder, entry.name);
    const stats = await stat(full);
    const inside = `${name}/${entry.name}`;
    if (stats.isFile()) {
      parts.push({ source: full, name: inside, byteSize: stats.size, modifiedAt: stats.mtime });
    } else if (stats.isDirectory() && entry.isDirectory()) {
      parts.push(...(await partsOf(full, inside)));
    } else throw foldersErrors.notPackable({ path: full });
  }
  return parts;
}

/** "resnet.zip", "resnet-2.zip" ... */
async function freePath(folder: string, name: string): Promise<string> {
  for (let number = 1; ; number += 1) {
    const candidate = path.join(folder, number === 1 ? `${name}.zip` : `${name}-${number}.zip`);
    const [taken, unfinished] = await Promise.all([isThere(candidate), isThere(`${candidate}.part`)]);
    if (!taken && !unfinished) return candidate;
  }
}
