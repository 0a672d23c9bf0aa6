// Watches the repositories and says which models changed on disk. It only marks; loading is the user's, or polling's,
// decision. Many changes of one model within a moment are one event. Network shares that cannot be watched are logged. A
// repository that goes and comes back, a drive for one, is another folder to the system: it is watched anew.

import type { FSWatcher } from 'chokidar';
import { watch } from 'chokidar';
import { lstatSync, realpathSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { CONFIG_FILE, PROFILE_FOLDER } from '../../src-shared/config/config-file.ts';
import type { Clock, Timer } from '../base/clock.ts';
import type { EventBus } from '../base/event-bus.ts';
import { getLogger } from '../base/log.ts';
import { isStorePath } from '../object-stores/store-path.ts';
import type { RepositoryEvents } from './repository-events.ts';

const log = getLogger('repository');

/** Changes closer together than this belong to one save or copy. */
const SETTLE_MS = 200;
/** The system does not tell of a watched folder that is moved, nor of one that takes its place. */
const LOOK_MS = 1000;
/** Model folder, version folder, a folder inside it. */
const WATCH_DEPTH = 3;

interface Mark {
  readonly name: string;
  readonly repository: string;
  isConfig: boolean;
  isFolder: boolean;
}

/**
 * Tells of changes through `events` alone. A repository that cannot be watched is logged, and `follow` still
 * resolves.
 */
export class RepositoryWatcher {
  readonly #clock: Clock;
  readonly #events: EventBus<RepositoryEvents>;
  readonly #watchers = new Map<string, FSWatcher>();
  readonly #marks = new Map<string, Mark>();
  /** By repository, the folder that is watched; undefined = there is none. */
  readonly #folders = new Map<string, string | undefined>();
  #timer: Timer | undefined;
  #looking: Timer | undefined;
  #isLooking = false;

  constructor(options: { readonly clock: Clock; readonly events: EventBus<RepositoryEvents> }) {
    this.#clock = options.clock;
    this.#events = options.events;
  }

  /**
   * Watches exactly these repositories from now on, but for those in stores, which tell nobody of changes. Resolves when
   * the initial listing is done.
   */
  async follow(all: readonly string[]): Promise<void> {
    const repositories = all.filter((root) => !isStorePath(root));
    for (const [root, watcher] of this.#watchers) {
      if (repositories.includes(root)) continue;
      this.#watchers.delete(root);
      this.#folders.delete(root);
      await watcher.close();
    }
    await Promise.all(
      repositories.filter((root) => !this.#watchers.has(root)).map((root) => this.#watch(root)),
    );
  }

  /** Tells of nothing any more; changes that were about to be told are not. */
  async close(): Promise<void> {
    this.#timer?.cancel();
    this.#looking?.cancel();
    await this.follow([]);
  }

  async #watch(root: string): Promise<void> {
    const ignored = (file: string): boolean => file !== root && holds(file, root);
    const watcher = watch(root, { ignoreInitial: true, depth: WATCH_DEPTH, persistent: false, ignored });
    this.#watchers.set(root, watcher);
    this.#looking ??= this.#clock.every(LOOK_MS, () => void this.#look());
    watcher.on('all', (event, changed) => {
      // It may be back before anybody looks, and nothing in it is watched any more.
      if (event === 'unlinkDir' && changed === root) this.#folders.set(root, undefined);
      this.#mark(root, path.relative(root, changed), event.endsWith('Dir'));
    });
    watcher.on('error', (thrown) => log.warn(`cannot watch all of ${root}: ${String(thrown)}`));
    const ready = new Promise<void>((resolve) => watcher.once('ready', resolve));
    this.#folders.set(root, await folderAt(root));
    await ready;
    // A folder that was made while the watcher listed is nobody's event: whoever listed before lists again.
    this.#events.publish('foldersChanged', { repositories: [...this.#watchers.keys()] });
  }

  /** Whether each repository is still the folder that is watched. */
  async #look(): Promise<void> {
    if (this.#isLooking) return;
    this.#isLooking = true;
    for (const [root, watched] of [...this.#folders]) {
      const found = await folderAt(root);
      // It may be followed no longer by now.
      if (!this.#folders.has(root) || this.#folders.get(root) !== watched || found === watched) continue;
      this.#folders.set(root, found);
      if (found === undefined)
        this.#events.publish('foldersChanged', { repositories: [...this.#watchers.keys()] });
      else await this.#watchAnew(root);
    }
    this.#isLooking = false;
  }

  /** Whatever lies in it may have changed while nobody could watch. */
  async #watchAnew(root: string): Promise<void> {
    const before = this.#watchers.get(root);
    await before?.close();
    if (this.#watchers.get(root) !== before) return;
    await this.#watch(root);
    for (const name of await readdir(root).catch(() => []))
      this.#mark(root, path.join(name, CONFIG_FILE), false);
  }

  #mark(root: string, relative: string, isFolderEvent: boolean): void {
    const [name = '', ...inner] = relative.split(path.sep);
    if (name === '') return;
    const key = path.join(root, name);
    const mark = this.#marks.get(key) ?? { name, repository: root, isConfig: false, isFolder: false };
    mark.isConfig ||= inner[0] === CONFIG_FILE || inner[0] === PROFILE_FOLDER;
    mark.isFolder ||= inner.length === 0 && isFolderEvent;
    this.#marks.set(key, mark);
    this.#timer ??= this.#clock.after(SETTLE_MS, () => this.#publish());
  }

  #publish(): void {
    this.#timer = undefined;
    const marks = [...this.#marks.values()];
    this.#marks.clear();
    for (const { name, repository, isConfig } of marks) {
      this.#events.publish('filesChanged', { name, repository, isConfig });
    }
    if (marks.some(({ isFolder }) => isFolder)) {
      this.#events.publish('foldersChanged', { repositories: [...this.#watchers.keys()] });
    }
  }
}

/** What tells a folder from another one at its place; undefined = there is none. */
async function folderAt(root: string): Promise<string | undefined> {
  try {
    const { dev, ino } = await stat(root, { bigint: true });
    return `${dev}:${ino}`;
  } catch {
    return undefined;
  }
}

/** A link to a folder that the repository lies in, the whole disk for one: watching it would watch without end. */
function holds(folder: string, repository: string): boolean {
  try {
    if (!lstatSync(folder).isSymbolicLink()) return false;
    const inside = path.relative(realpathSync(folder), realpathSync(repository));
    return !inside.startsWith('..');
  } catch {
    // Gone again, or a link to nothing: nothing to watch in either.
    return false;
  }
}
