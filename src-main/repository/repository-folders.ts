// Adding, removing and switching whole repositories while the server runs. A repository that is taken out, for good or
// for a while, takes its own models out of service and no others of their names.

import path from 'node:path';

import type { EventBus } from '../base/event-bus.ts';
import { objectStores } from '../object-stores/shared-stores.ts';
import { isStorePath } from '../object-stores/store-path.ts';
import { answerWaits } from './answer-waits.ts';
import { repositoryErrors } from './repository-errors.ts';
import type { RepositoryEvents } from './repository-events.ts';
import type { RepositoryRoots, RootSwitches } from './repository-roots.ts';
import { checkRepositoryPath, locateModels } from './repository-scanner.ts';

/** What opening and closing of repositories works with. */
export interface RepositoryFoldersOptions {
  readonly roots: RepositoryRoots;
  readonly events: EventBus<RepositoryEvents>;
  readonly options: { readonly namespacing: boolean };
  /** Takes the models of these names out of service that come from `root`. */
  readonly unloadFrom: (root: string, names: readonly string[]) => Promise<void>;
  /** Names of `names` that are in service from `root`. */
  readonly loadedFrom: (root: string, names: readonly string[]) => readonly string[];
}

/**
 * Paths are taken as the roots name them. A repository that is switched on again gets back what was in service
 * when it was switched off.
 */
export class RepositoryFolders {
  readonly #options: RepositoryFoldersOptions;
  /** What was in service when a repository was switched off. */
  readonly #before = new Map<string, readonly string[]>();

  constructor(options: RepositoryFoldersOptions) {
    this.#options = options;
  }

  /** Every repository that is listed, those that are switched off included. */
  get all(): readonly string[] {
    return this.#options.roots.all;
  }

  /** Where the models of those that serve lie, by the names that they go by. */
  locate(): ReturnType<typeof locateModels> {
    const { paths, folderNames } = this.#options.roots;
    return locateModels(paths, folderNames);
  }

  /** As `locate`, for one repository, one that is off included. It may take as long as the repository does. */
  locateIn(root: string): ReturnType<typeof locateModels> {
    return locateModels([root], this.#options.roots.folderNames);
  }

  /** Whether a name may be used once in each of them. */
  get isNamespaced(): boolean {
    return this.#options.options.namespacing;
  }

  /** Those whose files are to be watched. */
  get watched(): readonly string[] {
    return this.#options.roots.watched;
  }

  /** Those that are off, unwatched or untrusted, to be kept over restarts. */
  get switches(): RootSwitches {
    return this.#options.roots.switches;
  }

  /** `isTrusted` false: models that are code do not load until `setTrusted`. */
  async add(root: string, { isTrusted = true }: { readonly isTrusted?: boolean } = {}): Promise<void> {
    const location = isStorePath(root) ? objectStores.adopt(root) : path.resolve(root);
    answerWaits.askAgain(location);
    await checkRepositoryPath(location);
    if (!this.all.includes(location) || isTrusted) this.#options.roots.setTrusted(location, isTrusted);
    this.#options.roots.add(location);
    this.#tell();
  }

  /**
   * Adds a repository whose folders go by the names given, by folder. Throws INVALID_ARG for a path that is not there,
   * ALREADY_EXISTS for one that is listed, and for a name that a folder of another repository goes by.
   */
  async register(root: string, names: ReadonlyMap<string, string>): Promise<void> {
    const { roots } = this.#options;
    if (this.all.includes(root)) throw repositoryErrors.registered({ path: root });
    await checkRepositoryPath(root).catch((thrown: unknown) => {
      throw repositoryErrors.registeredMissing({ path: root }, { cause: thrown });
    });
    if (this.all.includes(root)) throw repositoryErrors.registered({ path: root });
    const taken = new Set([...roots.folderNames.values()].flatMap((others) => [...others.values()]));
    for (const name of names.values()) {
      if (taken.has(name)) throw repositoryErrors.nameTaken({ name });
    }
    roots.add(root);
    roots.setNames(root, names);
    this.#tell();
  }

  /** Forgets a repository; what is loaded from it stays. Throws INVALID_ARG for a path that is not listed. */
  unregister(root: string): void {
    if (!this.all.includes(root)) throw repositoryErrors.unregisteredMissing({ path: root });
    this.#options.roots.remove(root);
    this.#tell();
  }

  /** Unloads the models of the repository and forgets it. */
  async remove(root: string): Promise<void> {
    const names = await this.#namesIn(root);
    this.#options.roots.remove(root);
    this.#before.delete(root);
    await this.#options.unloadFrom(root, names);
    this.#tell();
  }

  /**
   * Switches a repository off or on again. Answers with the models to load now: those that were in service before; all
   * of them when it was off from the start. NOT_FOUND for a path that is not listed.
   */
  async setEnabled(root: string, isOn: boolean): Promise<readonly string[]> {
    const { roots, unloadFrom, loadedFrom } = this.#options;
    this.#check(root);
    if (roots.paths.includes(root) === isOn) return [];
    const names = await this.#namesIn(root);
    if (isOn) {
      roots.setEnabled(root, true);
      this.#tell();
      return this.#before.get(root) ?? names;
    }
    this.#before.set(root, loadedFrom(root, names));
    roots.setEnabled(root, false);
    await unloadFrom(root, names);
    this.#tell();
    return [];
  }

  /** NOT_FOUND for a path that is not listed. */
  setWatched(root: string, isOn: boolean): void {
    this.#check(root);
    this.#options.roots.setWatched(root, isOn);
    this.#tell();
  }

  /** Whether the code of its models may run. What runs already goes on. NOT_FOUND for a path that is not listed. */
  setTrusted(root: string, isOn: boolean): void {
    this.#check(root);
    this.#options.roots.setTrusted(root, isOn);
    this.#tell();
  }

  async #namesIn(root: string): Promise<readonly string[]> {
    const { locations } = await this.locateIn(root);
    return locations.map(({ name }) => name);
  }

  #check(root: string): void {
    if (!this.all.includes(root)) throw repositoryErrors.unknown({ path: root });
  }

  #tell(): void {
    this.#options.events.publish('foldersChanged', { repositories: this.#options.roots.paths });
  }
}
