// What the user does in a file's graph: open and close scopes within what can be drawn, go to an operator. Each returns
// the change of the view. Pure.

import type { Scope, ScopeTree } from './graph-scopes.ts';
import { MAX_VISIBLE, scopesAround, visibleCount } from './graph-scopes.ts';
import type { GraphView } from './graph-views.ts';
import { operatorId, scopeId } from './visible-graph.ts';

/** The change of the view, or how many nodes it would draw where that is too many. */
export type Step =
  | { readonly change: Partial<GraphView>; readonly tooMany?: never }
  /** It would draw this many nodes. */
  | { readonly change?: never; readonly tooMany: number };

/** Opens `path`; when that would draw too much, the scopes beside it are closed first. */
export function openScope(tree: ScopeTree, open: ReadonlySet<string>, path: string, withAll = false): Step {
  const around = scopesAround(tree, path).map((scope) => scope.path);
  const scope = tree.byPath.get(path);
  const wanted = [...around, ...(withAll && scope !== undefined ? pathsBelow(scope) : [])];
  const beside = new Set([...open, ...wanted]);
  if (visibleCount(tree.root, beside) <= MAX_VISIBLE) return { change: { open: beside } };
  const alone = new Set(wanted);
  const count = visibleCount(tree.root, alone);
  return count <= MAX_VISIBLE ? { change: { open: alone } } : { tooMany: count };
}

function pathsBelow({ scopes }: Scope): readonly string[] {
  return scopes.flatMap((scope) => [scope.path, ...pathsBelow(scope)]);
}

/** Closes `path` and selects what stands for it now. */
export function closeScope(open: ReadonlySet<string>, path: string): Partial<GraphView> {
  const next = [...open].filter((other) => other !== path && !other.startsWith(`${path}/`));
  return { open: new Set(next), selected: scopeId(path) };
}

/** Everything that can be drawn at once is open. */
export function openAll(tree: ScopeTree): Step {
  const all = new Set([...tree.byPath.keys()].filter((path) => path !== ''));
  const count = visibleCount(tree.root, all);
  return count <= MAX_VISIBLE ? { change: { open: all } } : { tooMany: count };
}

/** Selects an operator and sees to it that it is drawn, around itself where its scope is too large. */
export function goToOperator(
  tree: ScopeTree,
  open: ReadonlySet<string>,
  mode: 'scopes' | 'around',
  at: number,
): Partial<GraphView> {
  const selected = operatorId(at);
  if (mode === 'around') return { selected, center: at };
  const { change } = openScope(tree, open, tree.scopeOf[at] ?? '');
  return change === undefined ? { selected, center: at, mode: 'around' } : { ...change, selected };
}
