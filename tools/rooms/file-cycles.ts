// Groups of files that import each other in a circle, imports of types included.

/** Each group once, in the order of one way round it: each file imports the next, the last one the first. */
export function fileCycles(
  imports: ReadonlyMap<string, ReadonlySet<string>>,
): readonly (readonly string[])[] {
  const search = new ComponentSearch(imports);
  return search.components().map((members) => shortestRound(members, imports));
}

/** Tarjan's search for strongly connected components, without recursion limits in mind: imports are never that deep. */
class ComponentSearch {
  readonly #imports: ReadonlyMap<string, ReadonlySet<string>>;
  readonly #order = new Map<string, number>();
  readonly #lowest = new Map<string, number>();
  readonly #stack: string[] = [];
  readonly #found: ReadonlySet<string>[] = [];

  constructor(imports: ReadonlyMap<string, ReadonlySet<string>>) {
    this.#imports = imports;
  }

  components(): readonly ReadonlySet<string>[] {
    for (const file of this.#imports.keys()) if (!this.#order.has(file)) this.#visit(file);
    return this.#found;
  }

  #visit(file: string): void {
    const number = this.#order.size;
    this.#order.set(file, number);
    this.#lowest.set(file, number);
    this.#stack.push(file);
    for (const next of this.#imports.get(file) ?? []) {
      if (!this.#order.has(next)) this.#visit(next);
      else if (!this.#stack.includes(next)) continue;
      this.#lowest.set(file, Math.min(this.#low(file), this.#low(next)));
    }
    if (this.#low(file) !== number) return;
    const members = this.#stack.splice(this.#stack.indexOf(file));
    const isRound = members.length > 1 || this.#imports.get(file)?.has(file) === true;
    if (isRound) this.#found.push(new Set(members));
  }

  #low(file: string): number {
    return this.#lowest.get(file) ?? Number.POSITIVE_INFINITY;
  }
}

/** Breadth first from the first name of the group, back to it. */
function shortestRound(
  members: ReadonlySet<string>,
  imports: ReadonlyMap<string, ReadonlySet<string>>,
): readonly string[] {
  const start = [...members].sort()[0] ?? '';
  const paths: string[][] = [[start]];
  const seen = new Set([start]);
  for (const path of paths) {
    for (const next of imports.get(path.at(-1) ?? '') ?? []) {
      if (next === start) return path;
      if (!members.has(next) || seen.has(next)) continue;
      seen.add(next);
      paths.push([...path, next]);
    }
  }
  return [...members];
}
