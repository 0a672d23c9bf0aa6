// Which models an ensemble needs, and in which order models must be loaded. The graph knows names and namespaces only;
// states and configurations stay with their owners. It is copied for planning and committed as a whole.

import type { ModelId, ModelKey } from './model-identity.ts';
import { modelKey } from './model-identity.ts';

/** A model with what its ensemble steps need. */
export interface GraphNode {
  readonly id: ModelId;
  /** Names of the models the steps use, once each, in step order; empty for other models. */
  readonly needs: readonly string[];
  /** Asked for by name, not only pulled in by an ensemble. Sticky until unloaded. */
  readonly isExplicit: boolean;
}

/** Which models the steps of an ensemble lead to. */
export interface ResolvedNeeds {
  /** Needed name -> key of the model that answers to it. */
  readonly found: ReadonlyMap<string, ModelKey>;
  /** Needed names with no candidate, or with several of equal right. */
  readonly missing: readonly string[];
}

const NO_NEEDS: ResolvedNeeds = { found: new Map(), missing: [] };

/**
 * With a `source` a copy, whose changes do not reach it. Needs are names, looked up at each question: a model
 * that appears later serves ensembles that were added before it.
 */
export class DependencyGraph {
  readonly #nodes: Map<ModelKey, GraphNode>;
  readonly #byName: Map<string, Set<ModelKey>>;

  constructor(source?: DependencyGraph) {
    this.#nodes = new Map(source === undefined ? [] : source.#nodes);
    this.#byName = new Map(
      source === undefined ? [] : [...source.#byName].map(([name, keys]) => [name, new Set(keys)]),
    );
  }

  /** `undefined` for a model that is not in it. */
  get(key: ModelKey): GraphNode | undefined {
    return this.#nodes.get(key);
  }

  /** Adds the model, or replaces what it needs. */
  set(node: GraphNode): void {
    const key = modelKey(node.id);
    this.#nodes.set(key, node);
    const keys = this.#byName.get(node.id.name) ?? new Set<ModelKey>();
    this.#byName.set(node.id.name, keys.add(key));
  }

  /** Takes the model out; ensembles that need it stay, without it. Does nothing for one that is not there. */
  remove(key: ModelKey): void {
    const node = this.#nodes.get(key);
    if (node === undefined) return;
    this.#nodes.delete(key);
    const keys = this.#byName.get(node.id.name);
    keys?.delete(key);
    if (keys?.size === 0) this.#byName.delete(node.id.name);
  }

  /** Keys of all models with this name. */
  named(name: string): readonly ModelKey[] {
    return [...(this.#byName.get(name) ?? [])];
  }

  /** Same namespace first, else the single candidate of any namespace. */
  resolve(key: ModelKey): ResolvedNeeds {
    const node = this.#nodes.get(key);
    if (node === undefined || node.needs.length === 0) return NO_NEEDS;
    const found = new Map<string, ModelKey>();
    const missing: string[] = [];
    for (const name of node.needs) {
      const candidates = this.#byName.get(name);
      const own = modelKey({ namespace: node.id.namespace, name });
      const [only] = candidates?.size === 1 ? candidates : [];
      const answer = candidates?.has(own) === true ? own : only;
      if (answer === undefined) missing.push(name);
      else found.set(name, answer);
    }
    return { found, missing };
  }

  /** Models this one needs directly, those that exist. */
  dependencies(key: ModelKey): readonly ModelKey[] {
    return [...new Set(this.resolve(key).found.values())];
  }

  /** Ensembles that use this model directly. */
  dependents(key: ModelKey): readonly ModelKey[] {
    const name = this.#nodes.get(key)?.id.name;
    if (name === undefined) return [];
    return this.#ensembles().filter((ensemble) => this.dependencies(ensemble).includes(key));
  }

  /** The models and everything they need, transitively. */
  withDependencies(keys: Iterable<ModelKey>): Set<ModelKey> {
    return closure(keys, (key) => this.dependencies(key));
  }

  /** The models and every ensemble above them, transitively. */
  withDependents(keys: Iterable<ModelKey>): Set<ModelKey> {
    return closure(keys, (key) => this.dependents(key));
  }

  /** Ensembles that resolve to other models than in `before`, or did not exist there. */
  changedSince(before: DependencyGraph): readonly ModelKey[] {
    return this.#ensembles().filter((key) => {
      const now = this.resolve(key);
      const then = before.resolve(key);
      return (
        now.missing.join('\n') !== then.missing.join('\n') ||
        [...now.found].join('\n') !== [...then.found].join('\n')
      );
    });
  }

  /** Keys along a circle that starts and ends at this ensemble; undefined when there is none. */
  circleThrough(key: ModelKey): readonly ModelKey[] | undefined {
    const path: ModelKey[] = [];
    const visited = new Set<ModelKey>();
    const walk = (at: ModelKey): boolean => {
      path.push(at);
      for (const next of this.dependencies(at)) {
        if (next === key) return true;
        if (visited.has(next)) continue;
        visited.add(next);
        if (walk(next)) return true;
      }
      path.pop();
      return false;
    };
    if (!walk(key)) return undefined;
    return [...path, key];
  }

  /** Those of `pending` that wait for no other of them; all of them when only circles are left. */
  nextWave(pending: ReadonlySet<ModelKey>): readonly ModelKey[] {
    const free = [...pending].filter((key) => !this.dependencies(key).some((other) => pending.has(other)));
    return free.length > 0 ? free : [...pending];
  }

  #ensembles(): ModelKey[] {
    return [...this.#nodes].filter(([, node]) => node.needs.length > 0).map(([key]) => key);
  }
}

function closure(keys: Iterable<ModelKey>, next: (key: ModelKey) => readonly ModelKey[]): Set<ModelKey> {
  const reached = new Set(keys);
  for (const key of reached) for (const other of next(key)) reached.add(other);
  return reached;
}
