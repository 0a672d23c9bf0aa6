// A folder that repositories are uploaded to: a mounted share, a claim, a copy for another machine. A file is written beside
// its place and renamed into it, so that a server that reads there sees the old one or the new one.

import { randomUUID } from 'node:crypto';
import { copyFile, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';

import { makeFolder } from '../../base/make-folder.ts';
import { isThere } from '../../base/file-exists.ts';
import { folderFiles } from '../folder-files.ts';
import type { UploadedObject, UploadTarget } from './upload-target.ts';

const UNFINISHED = '.part';

/** The folder is made with the first file that is written. */
export class FolderTarget implements UploadTarget {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  async list(): Promise<ReadonlyMap<string, UploadedObject>> {
    const files = (await isThere(this.#folder)) ? await folderFiles(this.#folder, this.#folder) : [];
    return new Map(
      files
        .filter(({ path: name }) => !name.endsWith(UNFINISHED))
        .map(({ path: name, kind, byteSize, modifiedAtMs }) => [
          kind === 'folder' ? `${name}/` : name,
          { byteSize, etag: kind === 'folder' ? 'folder' : etagOf(byteSize, modifiedAtMs) },
        ]),
    );
  }

  async put(name: string, file: string | undefined, signal: AbortSignal): Promise<UploadedObject> {
    const target = this.#fileOf(name);
    signal.throwIfAborted();
    if (file === undefined) {
      await makeFolder(target);
      return { byteSize: 0, etag: 'folder' };
    }
    await makeFolder(path.dirname(target));
    const unfinished = `${target}.${randomUUID()}${UNFINISHED}`;
    try {
      await copyFile(file, unfinished);
      await rename(unfinished, target);
    } catch (thrown) {
      await rm(unfinished, { force: true });
      throw thrown;
    }
    const { size, mtimeMs } = await stat(target);
    return { byteSize: size, etag: etagOf(size, mtimeMs) };
  }

  async remove(name: string): Promise<void> {
    await rm(this.#fileOf(name), { recursive: name.endsWith('/'), force: true });
  }

  #fileOf(name: string): string {
    return path.join(this.#folder, ...name.split('/'));
  }
}

function etagOf(byteSize: number, modifiedAtMs: number): string {
  return `${byteSize}-${modifiedAtMs}`;
}
