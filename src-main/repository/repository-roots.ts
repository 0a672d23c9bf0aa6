// The repository paths in use, which of them serve and which are watched. Shared by the repository, which changes them,
// and the poller, which reads them.

export interface RootSwitches {
  /** Listed, and as if it were not there: none of its models exists. */
  readonly disabled: readonly string[];
  /** Changes of its files are noticed only when somebody looks. */
  readonly unwatched: readonly string[];
}

export class RepositoryRoots {
  #all: readonly string[];
  readonly #disabled: Set<string>;
  readonly #unwatched: Set<string>;

  constructor(paths: readonly string[], { disabled, unwatched }: Partial<RootSwitches> = {}) {
    this.#all = [...new Set(paths)].sort();
    this.#disabled = new Set(disabled);
    this.#unwatched = new Set(unwatched);
  }

  /** Those that serve, in the order they are processed. */
  get paths(): readonly string[] {
    return this.#all.filter((root) => !this.#disabled.has(root));
  }

  get all(): readonly string[] {
    return this.#all;
  }

  get watched(): readonly string[] {
    return this.paths.filter((root) => !this.#unwatched.has(root));
  }

  get switches(): RootSwitches {
    const those = (set: ReadonlySet<string>): readonly string[] => this.#all.filter((root) => set.has(root));
    return { disabled: those(this.#disabled), unwatched: those(this.#unwatched) };
  }

  add(root: string): void {
    this.#all = [...new Set([...this.#all, root])].sort();
    this.#disabled.delete(root);
  }

  remove(root: string): void {
    this.#all = this.#all.filter((known) => known !== root);
    this.#disabled.delete(root);
    this.#unwatched.delete(root);
  }

  setEnabled(root: string, isOn: boolean): void {
    if (isOn) this.#disabled.delete(root);
    else this.#disabled.add(root);
  }

  setWatched(root: string, isOn: boolean): void {
    if (isOn) this.#unwatched.delete(root);
    else this.#unwatched.add(root);
  }
}
