// Places nodes in layers along the flow of data and routes the lines between them. Pure and slow for large graphs, so
// it runs in a worker.

import { Graph, layout } from '@dagrejs/dagre';

/** Size in pixels at zoom 1. */
export interface LayoutNode {
  readonly id: string;
  readonly width: number;
  readonly height: number;
}

/** A line between two nodes, named by their ids. */
export interface LayoutEdge {
  readonly id: string;
  readonly from: string;
  readonly to: string;
  /** Room that is kept free on the line for what is written there. */
  readonly label?: { readonly width: number; readonly height: number } | undefined;
}

/** What is laid out; sizes are px. */
export interface LayoutInput {
  readonly nodes: readonly LayoutNode[];
  readonly edges: readonly LayoutEdge[];
  /** Top to bottom, or left to right. */
  readonly direction: 'TB' | 'LR';
  /** "close" where labels keep the nodes apart. */
  readonly gaps?: 'wide' | 'close';
}

/** A place in the drawing, in pixels at zoom 1, from its top left corner. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** Where everything lies, in px from the top left corner of the drawing, by the ids that were given. */
export interface GraphLayout {
  /** Top left corners. */
  readonly nodes: Readonly<Record<string, Point>>;
  readonly edges: Readonly<Record<string, readonly Point[]>>;
  /** Middles of the labels that were given. */
  readonly labels: Readonly<Record<string, Point>>;
  readonly width: number;
  readonly height: number;
}

const GAPS = {
  wide: { nodesep: 24, ranksep: 36, edgesep: 12 },
  close: { nodesep: 28, ranksep: 30, edgesep: 16 },
} as const;

/** Edges between nodes that are not there are left out. Same input, same layout. */
export function layOut({ nodes, edges, direction, gaps = 'wide' }: LayoutInput): GraphLayout {
  const graph = new Graph({ multigraph: true });
  graph.setGraph({
    rankdir: direction,
    ranker: 'network-simplex',
    marginx: 16,
    marginy: 16,
    ...GAPS[gaps],
  });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const { id, width, height } of nodes) graph.setNode(id, { width, height });
  const drawn = edges.filter(({ from, to }) => graph.hasNode(from) && graph.hasNode(to));
  for (const { id, from, to, label } of drawn) {
    graph.setEdge(from, to, label === undefined ? {} : { ...label, labelpos: 'c' }, id);
  }
  layout(graph);
  if (isReversed(graph, nodes, direction)) mirror(graph, direction);
  const { width = 0, height = 0 } = graph.graph() as { readonly width?: number; readonly height?: number };
  return {
    nodes: Object.fromEntries(
      nodes.map(({ id, width: w, height: h }) => {
        const { x = 0, y = 0 } = graph.node(id) as Partial<Point>;
        return [id, { x: x - w / 2, y: y - h / 2 }];
      }),
    ),
    edges: Object.fromEntries(
      drawn.map(({ id, from, to }) => {
        const { points = [] } = graph.edge(from, to, id) as { readonly points?: readonly Point[] };
        return [id, points.map(({ x, y }) => ({ x, y }))];
      }),
    ),
    labels: Object.fromEntries(
      drawn.flatMap(({ id, from, to, label }) => {
        if (label === undefined) return [];
        const { x = 0, y = 0 } = graph.edge(from, to, id) as Partial<Point>;
        return [[id, { x, y }]];
      }),
    ),
    width,
    height,
  };
}

/** Across the flow: nodes beside each other stand the other way round than they were given, more often than not. */
function isReversed(
  graph: Graph,
  nodes: readonly LayoutNode[],
  direction: LayoutInput['direction'],
): boolean {
  const [along, across] = direction === 'TB' ? (['y', 'x'] as const) : (['x', 'y'] as const);
  const placeOf = (id: string): Point => graph.node(id) as Point;
  const layers = Map.groupBy(
    nodes.map(({ id }) => placeOf(id)),
    (place) => Math.round(place[along]),
  );
  let inOrder = 0;
  for (const layer of layers.values()) {
    for (const [at, place] of layer.entries()) {
      const next = layer[at + 1];
      if (next !== undefined) inOrder += Math.sign(next[across] - place[across]);
    }
  }
  return inOrder < 0;
}

/** Crosses no more lines than before. */
function mirror(graph: Graph, direction: LayoutInput['direction']): void {
  const { width = 0, height = 0 } = graph.graph() as { readonly width?: number; readonly height?: number };
  const flip = (place: { x: number; y: number }): void => {
    if (direction === 'TB') place.x = width - place.x;
    else place.y = height - place.y;
  };
  for (const id of graph.nodes()) flip(graph.node(id) as { x: number; y: number });
  for (const edge of graph.edges()) {
    const drawn = graph.edge(edge) as { x?: number; y?: number; points?: { x: number; y: number }[] };
    for (const point of drawn.points ?? []) flip(point);
    if (drawn.x !== undefined && drawn.y !== undefined) flip(drawn as { x: number; y: number });
  }
}
