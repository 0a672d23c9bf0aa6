// How many operators of each type a scope holds, most frequent first. Pure.

import type { GraphIndex } from './graph-index.ts';
import type { Scope } from './graph-scopes.ts';

/** Operators of the scope and of those below it, by type. */
export function countTypes(
  { data }: GraphIndex,
  scope: Scope,
): readonly { readonly type: string; readonly count: number }[] {
  const counts = new Map<string, number>();
  const visit = ({ operators, scopes }: Scope): void => {
    for (const at of operators) {
      const type = data.operators[at]?.opType ?? '';
      counts.set(type, (counts.get(type) ?? 0) + 1);
    }
    scopes.forEach(visit);
  };
  visit(scope);
  return [...counts]
    .map(([type, count]) => ({ type, count }))
    .sort((a, b) => b.count - a.count || (a.type < b.type ? -1 : 1));
}
