// Builds a model repository in a temporary folder from a plain description and removes it on dispose.

import { mkdir, mkdtemp, rename, rm, utimes, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

/** Path below the repository -> content; a path that ends in "/" is an empty folder. */
export type RepositoryFiles = Readonly<Record<string, string | Uint8Array>>;

/** Paths given are relative to it, with folders in them where that is wanted. */
export class TempRepository {
  readonly path: string;
  #touches = 0;

  private constructor(location: string) {
    this.path = location;
  }

  /** A folder of its own with these files in it; remove it with `close` or by disposing. */
  static async create(files: RepositoryFiles = {}): Promise<TempRepository> {
    const repository = new TempRepository(await mkdtemp(path.join(os.tmpdir(), 'conch-repository-')));
    await repository.write(files);
    return repository;
  }

  /** Absolute path of a file or folder below the repository. */
  at(...names: string[]): string {
    return path.join(this.path, ...names);
  }

  /** Text or bytes by path; a path that ends in "/" is an empty folder. Files that are there are replaced. */
  async write(files: RepositoryFiles): Promise<void> {
    for (const [name, content] of Object.entries(files)) {
      const target = this.at(name);
      if (name.endsWith('/')) {
        await mkdir(target, { recursive: true });
      } else {
        await mkdir(path.dirname(target), { recursive: true });
        await writeFile(target, content);
      }
    }
  }

  /** Makes a file or folder newer than everything touched or written before, without waiting. */
  async touch(name: string): Promise<void> {
    this.#touches += 1;
    const time = new Date(Date.now() + this.#touches * 1000);
    await utimes(this.at(name), time, time);
  }

  /** A file, or a folder with all in it; nothing happens when it is not there. */
  async remove(name: string): Promise<void> {
    await rm(this.at(name), { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }

  /** `to` may be an absolute path, outside the repository too. */
  async move(from: string, to: string): Promise<void> {
    await rename(this.at(from), path.isAbsolute(to) ? to : this.at(to));
  }

  /** Removes the folder, with patience for processes that still write to it. */
  async close(): Promise<void> {
    // Processes of the test may write to the last.
    await rm(this.path, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}
