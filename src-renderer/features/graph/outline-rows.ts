// The graph as a list: inputs, scopes with what is in them, operators, outputs. Closed scopes are one row; a search
// shows the operators it found, flat. Pure.

import type { GraphIndex } from './graph-index.ts';
import { operatorName, typeText } from './graph-index.ts';
import type { Scope, ScopeTree } from './graph-scopes.ts';
import { inputId, operatorId, outputId, scopeId } from './visible-graph.ts';
import type { GraphNodeKind } from './visible-graph.ts';

/** One row of the list, as deep as `level` says. */
export interface OutlineRow {
  /** Same ids as the nodes of the drawing. */
  readonly id: string;
  readonly kind: GraphNodeKind;
  /** 1 = outermost. */
  readonly level: number;
  readonly title: string;
  readonly detail: string;
  /** Only for scopes. */
  readonly isOpen: boolean | undefined;
  readonly count: number;
}

/** The graph and what of it is listed. */
export interface OutlineOptions {
  readonly index: GraphIndex;
  readonly tree: ScopeTree;
  /** Scopes whose content is listed. */
  readonly open: ReadonlySet<string>;
  /** Operators that a search found; undefined = no search. */
  readonly found: readonly number[] | undefined;
}

/** The rows from top to bottom. */
export function outlineRows({ index, tree, open, found }: OutlineOptions): readonly OutlineRow[] {
  if (found !== undefined) return found.map((at) => operatorRow(index, at, 1));
  const rows: OutlineRow[] = index.inputs.map(({ name }) => tensorRow(index, 'input', name));
  const visit = (scope: Scope, level: number): void => {
    for (const entry of inFileOrder(scope)) {
      if (typeof entry === 'number') {
        rows.push(operatorRow(index, entry, level));
        continue;
      }
      const isOpen = open.has(entry.path);
      rows.push({
        id: scopeId(entry.path),
        kind: 'scope',
        level,
        title: entry.title,
        detail: entry.note ?? '',
        isOpen,
        count: entry.operatorCount,
      });
      if (isOpen) visit(entry, level + 1);
    }
  };
  visit(tree.root, 1);
  for (const { name } of index.data.outputs) rows.push(tensorRow(index, 'output', name));
  return rows;
}

/** Operators and scopes of one scope by the place of their first operator in the file. */
function inFileOrder(scope: Scope): readonly (number | Scope)[] {
  const first = (entry: number | Scope): number =>
    typeof entry === 'number'
      ? entry
      : Math.min(...[...entry.operators.slice(0, 1), ...entry.scopes.map(first)]);
  return [...scope.operators, ...scope.scopes]
    .map((entry) => ({ entry, at: first(entry) }))
    .sort((a, b) => a.at - b.at)
    .map(({ entry }) => entry);
}

function operatorRow({ data }: GraphIndex, at: number, level: number): OutlineRow {
  const operator = data.operators[at];
  return {
    id: operatorId(at),
    kind: 'operator',
    level,
    title: operator?.opType ?? '',
    detail: operator === undefined ? '' : operatorName(operator),
    isOpen: undefined,
    count: 0,
  };
}

function tensorRow(index: GraphIndex, kind: 'input' | 'output', name: string): OutlineRow {
  return {
    id: kind === 'input' ? inputId(name) : outputId(name),
    kind,
    level: 1,
    title: name,
    detail: typeText(index.valueOf(name)),
    isOpen: undefined,
    count: 0,
  };
}
