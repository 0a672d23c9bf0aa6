// From an ensemble's graph to what is laid out and drawn. Pure.

import type { Edge } from '@xyflow/react';

import { t } from '../../texts/translate.ts';
import type { CanvasNode } from './canvas-node.ts';
import type { DagEdge, DagNode, DagStep, EnsembleDag } from './ensemble-dag.ts';
import type { StepLoad } from './ensemble-load.ts';
import type { Direction } from './ensemble-sizes.ts';
import { SIDES, TENSOR_SIZE, labelSize, portPlace, sizeOfNode } from './ensemble-sizes.ts';
import type { GraphLayout, LayoutInput, Point } from './graph-layout.ts';
import type { Picture } from './graph-picture.ts';

/** No step has as many. */
const PORTS_OF_A_STEP = 10_000;

/** Nodes and lines with the room that they need when data flows that way. */
export function ensembleLayoutInput({ nodes, edges }: EnsembleDag, direction: Direction): LayoutInput {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  return {
    direction,
    gaps: 'close',
    nodes: inOrderOfPorts(nodes, edges).map((node) => ({ id: node.id, ...sizeOfNode(node, direction) })),
    edges: edges.map((edge) => {
      const label = labelSize(edge, byId, direction);
      const line = { id: edge.id, from: edge.from.node, to: edge.to.node };
      return label === undefined ? line : { ...line, label };
    }),
  };
}

/** What goes in and what comes out stands as the places of the steps do that it is connected to, so that lines do not cross. */
function inOrderOfPorts(nodes: readonly DagNode[], edges: readonly DagEdge[]): readonly DagNode[] {
  const steps = new Map(nodes.flatMap((node) => (node.kind === 'step' ? [[node.id, node] as const] : [])));
  const placeOf = (node: DagNode): number => {
    const edge = edges.find(({ from, to }) => (node.kind === 'output' ? to : from).node === node.id);
    const end = node.kind === 'output' ? edge?.from : edge?.to;
    const step = steps.get(end?.node ?? '');
    const ports = (node.kind === 'output' ? step?.outputs : step?.inputs) ?? [];
    return (step?.index ?? 0) * PORTS_OF_A_STEP + ports.findIndex(({ name }) => name === end?.port);
  };
  const sorted = (kind: DagNode['kind']): readonly DagNode[] =>
    nodes.filter((node) => node.kind === kind).toSorted((a, b) => placeOf(a) - placeOf(b));
  const others = nodes.filter(({ kind }) => kind !== 'input' && kind !== 'output');
  return [...sorted('input'), ...others, ...sorted('output')];
}

/** The nodes where the layout put them. `loads` is by step index. */
export function ensembleNodes(
  dag: EnsembleDag,
  loads: readonly StepLoad[],
  layout: GraphLayout,
  direction: Direction,
): readonly CanvasNode[] {
  return dag.nodes.map((node) => {
    const size = sizeOfNode(node, direction);
    const place = { id: node.id, position: layout.nodes[node.id] ?? { x: 0, y: 0 }, ...size, measured: size };
    if (node.kind !== 'step') {
      return {
        ...place,
        type: 'tensor',
        handles: tensorHandles(node.kind, direction),
        data: { tensor: node, direction, label: labelOf(node) },
      };
    }
    const load = loads[node.index];
    return {
      ...place,
      type: 'step',
      handles: stepHandles(node, direction),
      data: { step: node, load, direction, label: labelOf(node, load) },
    };
  });
}

function labelOf(node: DagNode, load?: StepLoad): string {
  if (node.kind !== 'step') return [node.tensor, node.value ?? ''].join(' ');
  const state = load === undefined ? '' : t(`graph.step.${load.state}`);
  return [
    t('graph.step.label', { step: node.index + 1, model: node.model, state }),
    ...node.issues.map(({ code, message }) => `${code}: ${message}`),
  ].join('. ');
}

const DOT = { width: 1, height: 1 };

function stepHandles(step: DagStep, direction: Direction) {
  const handle = (side: 'input' | 'output', name: string, at: number) => ({
    id: name,
    type: side === 'input' ? ('target' as const) : ('source' as const),
    position: SIDES[direction][side],
    ...portPlace(step, side, at, direction),
    ...DOT,
  });
  return [
    ...step.inputs.map(({ name }, at) => handle('input', name, at)),
    ...step.outputs.map(({ name }, at) => handle('output', name, at)),
  ];
}

function tensorHandles(kind: 'input' | 'output' | 'loose', direction: Direction) {
  const { width, height } = TENSOR_SIZE;
  const isTarget = kind === 'output';
  const place =
    direction === 'LR'
      ? { x: isTarget ? 0 : width, y: height / 2 }
      : { x: width / 2, y: isTarget ? 0 : height };
  return [
    {
      type: isTarget ? ('target' as const) : ('source' as const),
      position: SIDES[direction][isTarget ? 'input' : 'output'],
      ...place,
      ...DOT,
    },
  ];
}

/**
 * The lines between tensors; `selected` is the id of a node, or "edge:" and that of a line. `loads` is by step
 * index.
 */
export function ensembleEdges(
  { edges, nodes }: EnsembleDag,
  loads: readonly StepLoad[],
  selected: string | undefined,
  layout: GraphLayout,
): readonly Edge[] {
  const critical = new Set(
    nodes
      .filter((node) => node.kind === 'step' && loads[node.index]?.isCritical === true)
      .map(({ id }) => id),
  );
  return edges.map((edge) => ({
    id: edge.id,
    type: 'wire',
    source: edge.from.node,
    target: edge.to.node,
    sourceHandle: edge.from.port === '' ? null : edge.from.port,
    targetHandle: edge.to.port === '' ? null : edge.to.port,
    ariaLabel: edgeText(edge),
    selected: selected === `edge:${edge.id}`,
    data: {
      tensor: edge.tensor,
      value: edge.value,
      bends: bendsOf(layout.edges[edge.id] ?? [], layout.labels[edge.id] !== undefined),
      labelAt: layout.labels[edge.id],
      codes: [...new Set(edge.issues.map(({ code }) => code))],
      title: [edgeText(edge), ...edge.issues.map(({ message }) => message)].join('\n'),
      isCritical: critical.has(edge.from.node) && critical.has(edge.to.node),
    },
  }));
}

/** Where the line turns between its ends: around steps that it passes, and under its label. */
function bendsOf(points: readonly Point[], hasLabel: boolean): readonly Point[] {
  const inner = points.slice(1, -1);
  return inner.length === 1 && !hasLabel ? [] : inner;
}

/** "prepared_image FP32 [3,32,32]" */
function edgeText({ tensor, value }: DagEdge): string {
  return value === undefined ? tensor : `${tensor} ${value}`;
}

/** `layout`: the one to the right. */
export function ensemblePicture(title: string, dag: EnsembleDag, layout: GraphLayout): Picture {
  return {
    title,
    width: layout.width,
    height: layout.height,
    nodes: dag.nodes.map((node) => ({
      id: node.id,
      ...(layout.nodes[node.id] ?? { x: 0, y: 0 }),
      ...sizeOfNode(node, 'LR'),
      kind: node.kind === 'step' ? 'operator' : node.kind === 'output' ? 'output' : 'input',
      title:
        node.kind === 'step'
          ? t('graph.step.title', { step: node.index + 1, model: node.model })
          : node.tensor,
      subtitle: node.kind === 'step' ? '' : (node.value ?? ''),
    })),
    edges: dag.edges.map((edge) => ({ points: layout.edges[edge.id] ?? [], label: edgeText(edge) })),
  };
}
