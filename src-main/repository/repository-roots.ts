// The repository paths in use. Shared by the repository, which changes them, and the poller, which reads them.

/** The repository paths in use, in the order they are processed. */
export class RepositoryRoots {
  #paths: readonly string[];

  constructor(paths: readonly string[]) {
    this.#paths = [...new Set(paths)].sort();
  }

  get paths(): readonly string[] {
    return this.#paths;
  }

  add(root: string): void {
    this.#paths = [...new Set([...this.#paths, root])].sort();
  }

  remove(root: string): void {
    this.#paths = this.#paths.filter((known) => known !== root);
  }
}
