// The objects below a path as a tree of folders and files. Stores have no folders: one is there when the key of an
// object leads through it. Names that no file can have here are kept apart, as a fault of the folder they are in.

import path from 'node:path';

import type { StoreObject } from './store-client.ts';
import { storeErrors } from './store-errors.ts';
import { joinStorePath } from './store-path.ts';

/** One object as a file; times are milliseconds since the epoch. */
export interface StoreFile {
  readonly byteSize: number;
  readonly modifiedAtMs: number;
}

/** A folder of a store. Where a name is that of a file and of a folder, only the folder counts. */
export class StoreFolder {
  /** Path in the store. */
  readonly path: string;
  readonly files = new Map<string, StoreFile>();
  readonly folders = new Map<string, StoreFolder>();
  /** Set when an object directly in this folder has a name that cannot be. */
  #fault: (() => Error) | undefined;

  private constructor(location: string) {
    this.path = location;
  }

  /** Of all objects below `location`, as a client lists them. */
  static of(location: string, objects: readonly StoreObject[]): StoreFolder {
    const root = new StoreFolder(location);
    for (const object of objects) root.#place(object);
    return root;
  }

  /** Throws when an object in this folder, or anywhere below, has a name that cannot be. */
  requireNames({ isDeep = true }: { readonly isDeep?: boolean } = {}): void {
    if (this.#fault !== undefined) throw this.#fault();
    if (isDeep) for (const folder of this.folders.values()) folder.requireNames();
  }

  /** Newest time of all files below; 0 when there are none: a folder has no time of its own. */
  newest(): number {
    let newest = 0;
    for (const { modifiedAtMs } of this.files.values()) newest = Math.max(newest, modifiedAtMs);
    for (const folder of this.folders.values()) newest = Math.max(newest, folder.newest());
    return newest;
  }

  /** All files below with their paths relative to this folder. */
  *allFiles(prefix = ''): Iterable<readonly [name: string, file: StoreFile]> {
    for (const [name, file] of this.files) if (!this.folders.has(name)) yield [prefix + name, file];
    for (const [name, folder] of this.folders) yield* folder.allFiles(`${prefix}${name}/`);
  }

  /** All folders below, each after the one it lies in, relative to this folder. */
  *allFolders(prefix = ''): Iterable<string> {
    for (const [name, folder] of this.folders) {
      yield prefix + name;
      yield* folder.allFolders(`${prefix}${name}/`);
    }
  }

  #place({ name, byteSize, modifiedAtMs }: StoreObject): void {
    const parts = name.split('/');
    const last = parts.pop() ?? '';
    const folder = parts.reduce<StoreFolder | undefined>(
      (at, part) => (at === undefined ? at : at.#enter(part)),
      this,
    );
    // A marker: its folder is there now.
    if (last === '' || folder === undefined || folder.#refuses(last)) return;
    folder.files.set(last, { byteSize, modifiedAtMs });
  }

  #enter(name: string): StoreFolder | undefined {
    if (this.#refuses(name)) return undefined;
    let folder = this.folders.get(name);
    if (folder === undefined) {
      folder = new StoreFolder(joinStorePath(this.path, name));
      this.folders.set(name, folder);
    }
    return folder;
  }

  #refuses(name: string): boolean {
    if (name === '') this.#fault = () => storeErrors.emptyName({ path: this.path });
    else if (!isFileName(name)) this.#fault = () => storeErrors.unusableName({ name, path: this.path });
    else return false;
    return true;
  }
}

/** Whether a file here can have the name, and stays in its folder then. */
function isFileName(name: string): boolean {
  return name !== '.' && name !== '..' && !name.includes('\0') && path.basename(name) === name;
}
