// Files that a browser page sends because it cannot name them by path. Each upload is a folder of its own below the
// user-data folder; a file grows by appending at its end, so a broken transfer goes on where it stopped.

import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import { makeFolder } from '../../base/make-folder.ts';
import { writeError } from '../../base/write-error.ts';
import { uploadErrors } from './upload-errors.ts';

const KEPT_MS = 24 * 3_600_000;
const UPLOAD_ID = /^[0-9a-f-]{36}$/;

/**
 * File names may have folders in them, never ones that lead out of the upload: INVALID_ARG. Two writers of one
 * file at a time are refused.
 */
export class UploadStore {
  readonly #folder: string;
  /** Files being written; a second writer is refused. */
  readonly #open = new Set<string>();

  constructor(userDataPath: string) {
    this.#folder = path.join(userDataPath, 'uploads');
  }

  /** A new, empty upload: its name and the folder that its files appear in. */
  async create(): Promise<{ readonly upload: string; readonly path: string }> {
    const upload = randomUUID();
    const folder = path.join(this.#folder, upload);
    await makeFolder(folder);
    return { upload, path: folder };
  }

  /** Bytes of a file that have arrived; 0 when it does not exist. */
  async offset(upload: string, relative: string): Promise<number> {
    const facts = await stat(this.#resolve(upload, relative)).catch(() => undefined);
    return facts?.size ?? 0;
  }

  /** Appends a body at `offset`, which must be the present size. Returns the new size; what arrived of a broken body stays. */
  async append(upload: string, relative: string, offset: number, body: Readable): Promise<number> {
    const file = this.#resolve(upload, relative);
    if (this.#open.has(file)) throw uploadErrors.written({ file: relative });
    this.#open.add(file);
    try {
      const present = await this.offset(upload, relative);
      if (present !== offset) throw uploadErrors.gap({ file: relative, present, offset });
      await makeFolder(path.dirname(file));
      await pipeline(body, createWriteStream(file, { flags: 'a' })).catch((thrown: unknown) => {
        throw writeError(thrown, file);
      });
      return await this.offset(upload, relative);
    } finally {
      this.#open.delete(file);
    }
  }

  /** With all its files. One that is not there is no error. */
  async remove(upload: string): Promise<void> {
    await rm(this.#uploadFolder(upload), { recursive: true, force: true });
  }

  /** Removes uploads that nobody came back for. */
  async removeOld(nowMs: number): Promise<void> {
    const names = await readdir(this.#folder).catch(() => []);
    for (const name of names.filter((entry) => UPLOAD_ID.test(entry))) {
      const facts = await stat(path.join(this.#folder, name));
      if (nowMs - facts.mtimeMs > KEPT_MS) await this.remove(name);
    }
  }

  #uploadFolder(upload: string): string {
    if (!UPLOAD_ID.test(upload)) throw uploadErrors.unknown({ upload });
    return path.join(this.#folder, upload);
  }

  #resolve(upload: string, relative: string): string {
    const folder = this.#uploadFolder(upload);
    const parts = relative.split('/');
    const isBad = parts.some((part) => part === '' || part === '.' || part === '..' || /[\\:\0]/.test(part));
    if (isBad) throw uploadErrors.path({ file: relative });
    return path.join(folder, ...parts);
  }
}
