// From what is visible and where it lies to nodes and lines of the drawing, and to a picture of it. Pure.

import type { Edge } from '@xyflow/react';
import { Position } from '@xyflow/react';

import type { CanvasNode } from './canvas-node.ts';
import { NODE_SIZE } from './components/operator-node.tsx';
import type { GraphIndex } from './graph-index.ts';
import type { GraphLayout } from './graph-layout.ts';
import type { Picture } from './graph-picture.ts';
import type { Drawing } from './use-drawing.ts';
import type { VisibleGraph, VisibleNode } from './visible-graph.ts';

const { width, height } = NODE_SIZE;
const PORTS = [
  { type: 'target' as const, position: Position.Top, x: width / 2, y: 0, width: 1, height: 1 },
  { type: 'source' as const, position: Position.Bottom, x: width / 2, y: height, width: 1, height: 1 },
];
/** Shapes are written on the lines of small drawings only. */
const MAX_LABELLED = 150;

type Configured = ReadonlyMap<string, string> | undefined;

/**
 * The nodes where the layout put them. `configured`: name of a tensor to "TYPE_FP32 [4]"; undefined = not known
 * yet.
 */
export function onnxNodes(
  { nodes }: VisibleGraph,
  layout: GraphLayout,
  configured: Configured,
): readonly CanvasNode[] {
  return nodes.map((node) => {
    const subtitle = subtitleOf(node, configured);
    const { id, kind, title } = node;
    return {
      id,
      type: 'operator',
      position: layout.nodes[id] ?? { x: 0, y: 0 },
      width,
      height,
      measured: { width, height },
      handles: PORTS,
      data: { kind, title, subtitle, label: `${title} ${subtitle}` },
    };
  });
}

/** An input or output carries what the config says where that is known. */
function subtitleOf({ kind, subtitle, tensor }: VisibleNode, configured: Configured): string {
  if (kind !== 'input' && kind !== 'output') return subtitle;
  return configured?.get(tensor ?? '')?.replace(/^TYPE_/, '') ?? subtitle;
}

/** The lines along the ways of the layout. */
export function onnxEdges({ edges }: VisibleGraph, layout: GraphLayout, index: GraphIndex): readonly Edge[] {
  const isLabelled = edges.length <= MAX_LABELLED;
  return edges.map(({ id, from, to, tensors }) => {
    const [first = ''] = tensors;
    const label = tensors.length > 1 ? `× ${tensors.length}` : (index.valueOf(first)?.shape ?? '');
    return {
      id,
      type: 'routed',
      source: from,
      target: to,
      ariaLabel: tensors.join(', '),
      data: { points: layout.edges[id] ?? [], label: isLabelled ? label : '' },
    };
  });
}

/** Undefined while nothing is laid out. */
export function drawnPicture(title: string, drawing: Drawing, configured: Configured): Picture | undefined {
  const layout = drawing.job?.layout;
  if (layout === undefined) return undefined;
  return {
    title,
    width: layout.width,
    height: layout.height,
    nodes: drawing.visible.nodes.map((node) => ({
      ...(layout.nodes[node.id] ?? { x: 0, y: 0 }),
      ...NODE_SIZE,
      id: node.id,
      kind: node.kind,
      title: node.title,
      subtitle: subtitleOf(node, configured),
    })),
    edges: drawing.visible.edges.map(({ id }) => ({ points: layout.edges[id] ?? [], label: '' })),
  };
}
