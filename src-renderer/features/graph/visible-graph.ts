// What of a graph is drawn: operators of open scopes, closed scopes as one node, or the neighbourhood of one operator.
// Edges are merged, so that two nodes have one line between them. Pure.

import type { GraphIndex } from './graph-index.ts';
import { operatorName, predecessors, successors, typeText } from './graph-index.ts';
import type { Scope, ScopeTree } from './graph-scopes.ts';
import { scopesAround } from './graph-scopes.ts';

/** What a node of the drawing stands for. */
export type GraphNodeKind = 'operator' | 'scope' | 'input' | 'output';

/** One node of the drawing, with what it stands for. */
export interface VisibleNode {
  /** "op:12", "scope:encoder/layer.0", "in:x", "out:y". */
  readonly id: string;
  readonly kind: GraphNodeKind;
  readonly title: string;
  readonly subtitle: string;
  readonly operator: number | undefined;
  readonly scope: string | undefined;
  readonly tensor: string | undefined;
}

/** A line between two nodes for all tensors that pass from one to the other. */
export interface VisibleEdge {
  readonly id: string;
  readonly from: string;
  readonly to: string;
  readonly tensors: readonly string[];
}

/** What is drawn of a graph. */
export interface VisibleGraph {
  readonly nodes: readonly VisibleNode[];
  readonly edges: readonly VisibleEdge[];
  /** Neighbours that were left out because there are too many. */
  readonly hiddenCount: number;
}

/** Id of the node of the operator at this place of the file. */
export const operatorId = (at: number): string => `op:${at}`;
/** Id of the node of a closed scope. */
export const scopeId = (path: string): string => `scope:${path}`;
/** Id of the node of an input of the graph. */
export const inputId = (tensor: string): string => `in:${tensor}`;
/** Id of the node of an output of the graph. */
export const outputId = (tensor: string): string => `out:${tensor}`;

/** The graph, and which of its scopes and operators are to be seen. */
export interface VisibleOptions {
  readonly index: GraphIndex;
  readonly tree: ScopeTree;
  readonly open: ReadonlySet<string>;
  /** Of an operator's index in the file: false = it is left out, with its lines. */
  readonly drawn: (operator: number) => boolean;
  /** "34 operators" */
  readonly countText: (count: number) => string;
}

/** Inputs, operators of open scopes with closed scopes between them, outputs; nothing is hidden. */
export function visibleGraph(options: VisibleOptions): VisibleGraph {
  const { index, tree, open, drawn } = options;
  const closedAround = new Map<string, string | undefined>();
  const closedScope = (path: string): string | undefined => {
    if (!closedAround.has(path)) {
      closedAround.set(path, scopesAround(tree, path).find((scope) => !open.has(scope.path))?.path);
    }
    return closedAround.get(path);
  };
  const nodeOf = (at: number): string | undefined => {
    if (!drawn(at)) return undefined;
    const closed = closedScope(tree.scopeOf[at] ?? '');
    return closed === undefined ? operatorId(at) : scopeId(closed);
  };
  const nodes: VisibleNode[] = [];
  const visit = (scope: Scope): void => {
    for (const at of scope.operators) nodes.push(operatorNode(index, at));
    for (const inner of scope.scopes) {
      if (open.has(inner.path)) visit(inner);
      else nodes.push(scopeNode(inner, options.countText));
    }
  };
  visit(tree.root);
  const graph = joined(index, nodeOf);
  return { nodes: [...graph.inputs, ...nodes, ...graph.outputs], edges: graph.edges, hiddenCount: 0 };
}

/** How much of the surroundings of an operator is drawn. */
export interface Reach {
  /** Lines to go in both directions. */
  readonly hops: number;
  /** Whether an operator is drawn at all. */
  readonly drawn: (operator: number) => boolean;
  /** Operators at most; the others are counted. */
  readonly limit: number;
}

/** The operator, what lies within reach of it, and inputs and outputs that these touch. */
export function neighbourhood(
  index: GraphIndex,
  center: number,
  { hops, drawn, limit }: Reach,
): VisibleGraph {
  const near = new Set([center]);
  const hidden = new Set<number>();
  let ring: readonly number[] = [center];
  for (let hop = 0; hop < hops; hop += 1) {
    const next: number[] = [];
    for (const at of ring) {
      for (const other of [...predecessors(index, at), ...successors(index, at)]) {
        if (near.has(other) || !drawn(other)) continue;
        if (near.size >= limit) {
          hidden.add(other);
          continue;
        }
        near.add(other);
        next.push(other);
      }
    }
    ring = next;
  }
  const { inputs, outputs, edges } = joined(index, (at) => (near.has(at) ? operatorId(at) : undefined));
  const used = new Set(edges.flatMap(({ from, to }) => [from, to]));
  const nodes = [...near].sort((a, b) => a - b).map((at) => operatorNode(index, at));
  const touched = (node: VisibleNode): boolean => used.has(node.id);
  return {
    nodes: [...inputs.filter(touched), ...nodes, ...outputs.filter(touched)],
    edges,
    hiddenCount: hidden.size,
  };
}

interface Joined {
  readonly inputs: readonly VisibleNode[];
  readonly outputs: readonly VisibleNode[];
  readonly edges: readonly VisibleEdge[];
}

/** Inputs, outputs, and the lines between nodes that `nodeOf` gives for operators. */
function joined(index: GraphIndex, nodeOf: (operator: number) => string | undefined): Joined {
  const edges = new Map<string, { from: string; to: string; tensors: Set<string> }>();
  const join = (from: string | undefined, to: string | undefined, tensor: string): void => {
    if (from === undefined || to === undefined || from === to) return;
    const id = `${from} ${to}`;
    const known = edges.get(id);
    if (known === undefined) edges.set(id, { from, to, tensors: new Set([tensor]) });
    else known.tensors.add(tensor);
  };
  const inputs = new Set(index.inputs.map(({ name }) => name));
  index.data.operators.forEach((operator, at) => {
    const to = nodeOf(at);
    if (to === undefined) return;
    for (const tensor of operator.inputs) {
      const producer = index.producers.get(tensor);
      if (producer !== undefined) join(nodeOf(producer), to, tensor);
      else if (inputs.has(tensor)) join(inputId(tensor), to, tensor);
    }
  });
  for (const { name } of index.data.outputs) {
    const producer = index.producers.get(name);
    if (producer !== undefined) join(nodeOf(producer), outputId(name), name);
    else if (inputs.has(name)) join(inputId(name), outputId(name), name);
  }
  const tensorNode = (kind: 'input' | 'output', name: string): VisibleNode => ({
    id: kind === 'input' ? inputId(name) : outputId(name),
    kind,
    title: name,
    subtitle: typeText(index.valueOf(name)),
    operator: undefined,
    scope: undefined,
    tensor: name,
  });
  return {
    inputs: index.inputs.map(({ name }) => tensorNode('input', name)),
    outputs: index.data.outputs.map(({ name }) => tensorNode('output', name)),
    edges: [...edges].map(([id, { from, to, tensors }]) => ({ id, from, to, tensors: [...tensors] })),
  };
}

function operatorNode({ data }: GraphIndex, at: number): VisibleNode {
  const operator = data.operators[at];
  return {
    id: operatorId(at),
    kind: 'operator',
    title: operator?.opType ?? '',
    subtitle: operator === undefined ? '' : operatorName(operator),
    operator: at,
    scope: undefined,
    tensor: undefined,
  };
}

function scopeNode(scope: Scope, countText: (count: number) => string): VisibleNode {
  const count = countText(scope.operatorCount);
  return {
    id: scopeId(scope.path),
    kind: 'scope',
    title: scope.title,
    subtitle: scope.note === undefined ? count : `${scope.note}, ${count}`,
    operator: undefined,
    scope: scope.path,
    tensor: undefined,
  };
}
