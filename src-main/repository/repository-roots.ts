// The repository paths in use, which of them serve and which are watched. Shared by the repository, which changes them,
// and the poller, which reads them.

/** Roots that are treated in another way, by their paths. */
export interface RootSwitches {
  /** Listed, and as if it were not there: none of its models exists. */
  readonly disabled: readonly string[];
  /** Changes of its files are noticed only when somebody looks. */
  readonly unwatched: readonly string[];
  /** Opened by hand, and nobody said that the code in it may run: models that are code do not load. */
  readonly untrusted: readonly string[];
}

/** Names under which folders are served, by repository and folder; folders without one go by their own names. */
export type FolderNames = ReadonlyMap<string, ReadonlyMap<string, string>>;

/** Paths are compared as texts, kept once each and sorted: Triton processes repositories in the order of a set. */
export class RepositoryRoots {
  #all: readonly string[];
  readonly #disabled: Set<string>;
  readonly #unwatched: Set<string>;
  readonly #untrusted: Set<string>;
  readonly #names = new Map<string, ReadonlyMap<string, string>>();

  constructor(paths: readonly string[], { disabled, unwatched, untrusted }: Partial<RootSwitches> = {}) {
    this.#all = [...new Set(paths)].sort();
    this.#disabled = new Set(disabled);
    this.#unwatched = new Set(unwatched);
    this.#untrusted = new Set(untrusted);
  }

  /** Those that serve, in the order they are processed. */
  get paths(): readonly string[] {
    return this.#all.filter((root) => !this.#disabled.has(root));
  }

  /** Every path, those that are switched off included, in text order. */
  get all(): readonly string[] {
    return this.#all;
  }

  /** Those that serve and whose files are to be watched. */
  get watched(): readonly string[] {
    return this.paths.filter((root) => !this.#unwatched.has(root));
  }

  /** Every path that is off, unwatched or untrusted, those that are switched off in the other ways included. */
  get switches(): RootSwitches {
    const those = (set: ReadonlySet<string>): readonly string[] => this.#all.filter((root) => set.has(root));
    return {
      disabled: those(this.#disabled),
      unwatched: those(this.#unwatched),
      untrusted: those(this.#untrusted),
    };
  }

  /** By path, then by folder: the name that the folder goes by. Live. */
  get folderNames(): FolderNames {
    return this.#names;
  }

  /** Serves folders of the root under other names. */
  setNames(root: string, names: ReadonlyMap<string, string>): void {
    this.#names.set(root, names);
  }

  /** On and watched from now on. A path that is listed is switched on. */
  add(root: string): void {
    this.#all = [...new Set([...this.#all, root])].sort();
    this.#disabled.delete(root);
  }

  /** Forgets the path and its switches. Does nothing for one that is not listed. */
  remove(root: string): void {
    this.#all = this.#all.filter((known) => known !== root);
    this.#disabled.delete(root);
    this.#unwatched.delete(root);
    this.#untrusted.delete(root);
    this.#names.delete(root);
  }

  /** True also for a path that is not listed. */
  isTrusted(root: string): boolean {
    return !this.#untrusted.has(root);
  }

  /** Holds for loads from now on. */
  setTrusted(root: string, isOn: boolean): void {
    if (isOn) this.#untrusted.delete(root);
    else this.#untrusted.add(root);
  }

  /** Nothing is loaded or unloaded here. */
  setEnabled(root: string, isOn: boolean): void {
    if (isOn) this.#disabled.delete(root);
    else this.#disabled.add(root);
  }

  /** Whoever watches asks `watched` again. */
  setWatched(root: string, isOn: boolean): void {
    if (isOn) this.#unwatched.delete(root);
    else this.#unwatched.add(root);
  }
}
