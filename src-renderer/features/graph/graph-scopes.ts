// Scopes of a graph as a tree. They come from operator names, functions and control flow; a large graph without any is
// cut into parts in file order, so that there is something to open and close. Pure.

import type { GraphIndex } from './graph-index.ts';

/** Part of a graph that can be opened and closed. */
export interface Scope {
  /** "" = the whole graph. */
  readonly path: string;
  readonly title: string;
  /** "function Gelu", "body of If", or undefined. */
  readonly note: string | undefined;
  readonly parent: Scope | undefined;
  readonly scopes: readonly Scope[];
  /** Operators directly in it. */
  readonly operators: readonly number[];
  /** Operators in it and below, those that are drawn. */
  readonly operatorCount: number;
}

/** The scopes of one graph; each operator is in exactly one. */
export interface ScopeTree {
  readonly root: Scope;
  readonly byPath: ReadonlyMap<string, Scope>;
  /** Scope of each operator. */
  readonly scopeOf: readonly string[];
  /** Some scopes are parts made here, not the file's. */
  readonly isCut: boolean;
}

type Draft = { -readonly [K in keyof Omit<Scope, 'scopes' | 'operators'>]: Scope[K] } & {
  scopes: Draft[];
  operators: number[];
};

/** At most this many nodes are drawn at once. */
export const MAX_VISIBLE = 800;
const PART_SIZE = 100;

/** `drawn` says which operators count; the others are constants that are folded away. */
export function scopeTree({ data }: GraphIndex, drawn: (operator: number) => boolean): ScopeTree {
  const shown = data.operators.map((_, at) => at).filter(drawn);
  const named = data.operators.map(({ scope }) => scope);
  const { scopeOf, isCut } = cutIntoParts(named, shown);
  const root: Draft = newScope('', '', undefined);
  const byPath = new Map<string, Draft>([['', root]]);
  for (const at of shown) {
    const scope = scopeAt(byPath, scopeOf[at] ?? '', data.scopeNotes);
    scope.operators.push(at);
    for (let up: Draft | undefined = scope; up !== undefined; up = up.parent as Draft | undefined) {
      up.operatorCount += 1;
    }
  }
  return { root, byPath, scopeOf, isCut };
}

/** Scopes that could not be opened get parts of the same size: "1-100", "101-200" and so on, in file order. */
function cutIntoParts(
  named: readonly string[],
  shown: readonly number[],
): { readonly scopeOf: readonly string[]; readonly isCut: boolean } {
  if (shown.length <= MAX_VISIBLE) return { scopeOf: named, isCut: false };
  const scopeOf = [...named];
  let isCut = false;
  for (const [path, members] of Map.groupBy(shown, (at) => named[at] ?? '')) {
    if (members.length <= (path === '' ? MAX_VISIBLE / 2 : MAX_VISIBLE - PART_SIZE)) continue;
    isCut = true;
    for (let start = 0; start < members.length; start += PART_SIZE) {
      const part = members.slice(start, start + PART_SIZE);
      const title = `${start + 1}-${start + part.length}`;
      for (const at of part) scopeOf[at] = path === '' ? title : `${path}/${title}`;
    }
  }
  return { scopeOf, isCut };
}

function newScope(path: string, title: string, parent: Draft | undefined, note?: string): Draft {
  return { path, title, note, parent, scopes: [], operators: [], operatorCount: 0 };
}

function scopeAt(byPath: Map<string, Draft>, path: string, notes: Readonly<Record<string, string>>): Draft {
  const known = byPath.get(path);
  if (known !== undefined) return known;
  const cut = path.lastIndexOf('/');
  const parent = scopeAt(byPath, cut < 0 ? '' : path.slice(0, cut), notes);
  const made = newScope(path, path.slice(cut + 1), parent, notes[path]);
  parent.scopes.push(made);
  byPath.set(path, made);
  return made;
}

/** Scopes around `path` from the outermost on, itself included; without the whole graph. */
export function scopesAround({ byPath }: ScopeTree, path: string): readonly Scope[] {
  const found: Scope[] = [];
  for (let scope = byPath.get(path); scope !== undefined && scope.path !== ''; scope = scope.parent) {
    found.unshift(scope);
  }
  return found;
}

/** Nodes that are drawn when the scopes in `open` are open, without inputs and outputs. */
export function visibleCount(root: Scope, open: ReadonlySet<string>): number {
  return root.scopes.reduce(
    (count, scope) => count + (open.has(scope.path) ? visibleCount(scope, open) : 1),
    root.operators.length,
  );
}

/** Everything open while that fits, else everything closed. */
export function initiallyOpen({ root, byPath }: ScopeTree): ReadonlySet<string> {
  if (root.operatorCount > MAX_VISIBLE) return new Set();
  return new Set([...byPath.keys()].filter((path) => path !== ''));
}
