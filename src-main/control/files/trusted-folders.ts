// Folders whose code the user said may run, kept in the user-data folder so that the question comes once. What lies below
// a trusted folder is trusted too.

import { readFile } from 'node:fs/promises';
import path from 'node:path';

import { writeFileAtomic } from '../../base/atomic-file.ts';
import { SerialQueue } from '../../base/serial-queue.ts';
import { isStorePath } from '../../object-stores/store-path.ts';

/**
 * Paths are compared as they are written, made absolute; links are not followed. The file is read at the first
 * question.
 */
export class TrustedFolders {
  readonly #file: string;
  readonly #writes = new SerialQueue();
  #known: Promise<Set<string>> | undefined;

  constructor(userDataPath: string) {
    this.#file = path.join(userDataPath, 'trusted-folders.json');
  }

  /** True for a trusted folder and for everything below one. */
  async has(folder: string): Promise<boolean> {
    const known = await this.#folders();
    for (let at = absolute(folder); ; at = path.dirname(at)) {
      if (known.has(at)) return true;
      if (path.dirname(at) === at) return false;
    }
  }

  /** Rejects when it cannot be kept; it holds for this run all the same. */
  async add(folder: string): Promise<void> {
    const known = await this.#folders();
    known.add(absolute(folder));
    const text = `${JSON.stringify([...known].sort(), null, 2)}\n`;
    await this.#writes.run(this.#file, () => writeFileAtomic(this.#file, text));
  }

  #folders(): Promise<Set<string>> {
    this.#known ??= readFile(this.#file, 'utf8').then(
      (text) => new Set(foldersIn(text)),
      () => new Set<string>(),
    );
    return this.#known;
  }
}

function absolute(folder: string): string {
  return isStorePath(folder) ? folder : path.resolve(folder);
}

/** A file that was damaged trusts nothing. */
function foldersIn(text: string): readonly string[] {
  try {
    const stored: unknown = JSON.parse(text);
    return Array.isArray(stored) ? stored.filter((entry) => typeof entry === 'string') : [];
  } catch {
    return [];
  }
}
