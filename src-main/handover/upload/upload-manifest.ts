// What was uploaded where, kept in the repository and never uploaded: with it a second upload knows what is there without
// reading it, and an interrupted one goes on.

import { randomUUID } from 'node:crypto';
import { rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';

import { readTextFile } from '../../base/regular-file.ts';

/** Name of the list of what was uploaded, at the top of a repository. */
export const MANIFEST_FILE = '.conch-upload.json';

const entry = z.object({ byteSize: z.number(), sha256: z.string(), etag: z.string() });
const manifest = z.record(z.string(), z.record(z.string(), entry));

/** One object as it was written: what was in it, and what its keeper called it. */
export type ManifestEntry = z.infer<typeof entry>;

/** The entries of one target; those of others stay as they are. */
export class UploadManifest {
  readonly #file: string;
  readonly #target: string;
  readonly #all: Record<string, Record<string, ManifestEntry>>;

  private constructor(file: string, target: string, all: Record<string, Record<string, ManifestEntry>>) {
    this.#file = file;
    this.#target = target;
    this.#all = all;
  }

  /** A file that is missing or cannot be understood counts as empty: then everything is uploaded again. */
  static async read(repository: string, target: string): Promise<UploadManifest> {
    const file = path.join(repository, MANIFEST_FILE);
    const text = await readTextFile(file).catch(() => '{}');
    return new UploadManifest(file, target, parsed(text));
  }

  /** `undefined` for what was not uploaded, or is forgotten. */
  get(name: string): ManifestEntry | undefined {
    return this.#all[this.#target]?.[name];
  }

  /** In memory until `save`. */
  set(name: string, value: ManifestEntry): void {
    (this.#all[this.#target] ??= {})[name] = value;
  }

  /** In memory until `save`. */
  delete(name: string): void {
    Reflect.deleteProperty(this.#all[this.#target] ?? {}, name);
  }

  /** Whole or not at all. Rejects with the system's error where the repository cannot be written to. */
  async save(): Promise<void> {
    const unfinished = `${this.#file}.${randomUUID()}`;
    await writeFile(unfinished, `${JSON.stringify(this.#all, undefined, 1)}\n`);
    await rename(unfinished, this.#file);
  }
}

function parsed(text: string): Record<string, Record<string, ManifestEntry>> {
  try {
    return manifest.parse(JSON.parse(text));
  } catch {
    return {};
  }
}
