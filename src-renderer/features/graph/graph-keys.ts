// Arrow keys in a drawing: along the flow they follow edges, across it they go to the nearest node beside. Pure.

import type { Point } from './graph-layout.ts';

/** Top left corner and size, in pixels at zoom 1. */
export interface PlacedNode extends Point {
  readonly id: string;
  readonly width: number;
  readonly height: number;
}

/** What the keys walk through; data flows downwards (TB) or to the right (LR). */
export interface KeyGraph {
  readonly nodes: readonly PlacedNode[];
  readonly edges: readonly { readonly from: string; readonly to: string }[];
  readonly direction: 'TB' | 'LR';
}

type Step = 'next' | 'previous' | 'before' | 'after' | 'first' | 'last';

const STEPS: Readonly<Record<KeyGraph['direction'], Readonly<Record<string, Step>>>> = {
  TB: {
    ArrowDown: 'next',
    ArrowUp: 'previous',
    ArrowLeft: 'before',
    ArrowRight: 'after',
    Home: 'first',
    End: 'last',
  },
  LR: {
    ArrowRight: 'next',
    ArrowLeft: 'previous',
    ArrowUp: 'before',
    ArrowDown: 'after',
    Home: 'first',
    End: 'last',
  },
};

/** Id of the node to go to from `selected`; the same when there is none in that direction; undefined for other keys. */
export function nodeByKey(graph: KeyGraph, selected: string | undefined, key: string): string | undefined {
  const step = STEPS[graph.direction][key];
  if (step === undefined) return undefined;
  const current = graph.nodes.find(({ id }) => id === selected);
  if (current === undefined || step === 'first' || step === 'last') return edgeOf(graph, step) ?? selected;
  if (step === 'next' || step === 'previous') return alongEdge(graph, current, step) ?? selected;
  return beside(graph, current, step) ?? selected;
}

/** Place along the flow, and across it, of a node's middle. */
function middle({ direction }: KeyGraph, { x, y, width, height }: PlacedNode) {
  const centre = { x: x + width / 2, y: y + height / 2 };
  return direction === 'TB' ? { along: centre.y, across: centre.x } : { along: centre.x, across: centre.y };
}

function edgeOf(graph: KeyGraph, step: Step): string | undefined {
  const sorted = graph.nodes
    .map((node) => ({ id: node.id, ...middle(graph, node) }))
    .sort((a, b) => a.along - b.along || a.across - b.across);
  return (step === 'last' ? sorted.at(-1) : sorted[0])?.id;
}

/** Of several edges, the one that bends least. */
function alongEdge(graph: KeyGraph, current: PlacedNode, step: 'next' | 'previous'): string | undefined {
  const ids = new Set(
    graph.edges.flatMap(({ from, to }) => {
      if (step === 'next') return from === current.id ? [to] : [];
      return to === current.id ? [from] : [];
    }),
  );
  const { across } = middle(graph, current);
  return nearest(
    graph.nodes.filter(({ id }) => ids.has(id)),
    (node) => Math.abs(middle(graph, node).across - across),
  );
}

function beside(graph: KeyGraph, current: PlacedNode, step: Step): string | undefined {
  const here = middle(graph, current);
  const reach = graph.direction === 'TB' ? current.height : current.width;
  const candidates = graph.nodes.filter((node) => {
    const { along, across } = middle(graph, node);
    const isThere = step === 'before' ? across < here.across : across > here.across;
    return node.id !== current.id && isThere && Math.abs(along - here.along) <= reach;
  });
  return nearest(candidates, (node) => Math.abs(middle(graph, node).across - here.across));
}

function nearest(nodes: readonly PlacedNode[], distance: (node: PlacedNode) => number): string | undefined {
  const [first, ...rest] = nodes;
  if (first === undefined) return undefined;
  return rest.reduce((best, node) => (distance(node) < distance(best) ? node : best), first).id;
}
