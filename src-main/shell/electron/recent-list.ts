// Repositories that were open lately, newest first, in the user-data folder: for the menu, the dock and the jump list.
// A damaged file is an empty list.

import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';

import { getLogger } from '../../base/log.ts';

const log = getLogger('shell');
const KEPT = 10;
const schema = z.object({ repositories: z.array(z.string()) });

/** Absolute paths, a bounded number. Written at each change; `onChange` gets the new list. */
export class RecentList {
  readonly #file: string;
  readonly #onChange: (paths: readonly string[]) => void;
  #paths: readonly string[];

  constructor(userDataPath: string, onChange: (paths: readonly string[]) => void) {
    this.#file = path.join(userDataPath, 'recent.json');
    this.#onChange = onChange;
    this.#paths = this.#read();
  }

  /** Newest first. */
  get paths(): readonly string[] {
    return this.#paths;
  }

  /** These are open now. The order among those known already stays: opening the app again is no news. */
  note(open: readonly string[]): void {
    const fresh = open.filter((each) => !this.#paths.includes(each));
    if (fresh.length > 0) this.#set([...fresh, ...this.#paths].slice(0, KEPT));
  }

  /** The user chose one: it is the newest. */
  touch(chosen: string): void {
    this.#set([chosen, ...this.#paths.filter((each) => each !== chosen)].slice(0, KEPT));
  }

  /** Written at once. */
  clear(): void {
    this.#set([]);
  }

  #read(): readonly string[] {
    try {
      return schema.parse(JSON.parse(readFileSync(this.#file, 'utf8'))).repositories.slice(0, KEPT);
    } catch {
      return [];
    }
  }

  #set(paths: readonly string[]): void {
    this.#paths = paths;
    try {
      writeFileSync(this.#file, `${JSON.stringify({ repositories: paths }, undefined, 2)}\n`);
    } catch (thrown) {
      log.warn(`the list of recent repositories is not stored: ${String(thrown)}`);
    }
    this.#onChange(paths);
  }
}
