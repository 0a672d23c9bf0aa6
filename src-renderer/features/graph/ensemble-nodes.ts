// From an ensemble's graph to what is laid out and drawn. Pure.

import type { Edge } from '@xyflow/react';
import { Position } from '@xyflow/react';

import { t } from '../../texts/translate.ts';
import type { CanvasNode } from './canvas-node.ts';
import { STEP_WIDTH, TENSOR_SIZE, portY, stepHeight } from './components/step-node.tsx';
import type { DagEdge, DagNode, DagStep, EnsembleDag } from './ensemble-dag.ts';
import type { StepLoad } from './ensemble-load.ts';
import type { GraphLayout, LayoutInput } from './graph-layout.ts';
import type { Picture } from './graph-picture.ts';

function sizeOf(node: DagNode): { readonly width: number; readonly height: number } {
  return node.kind === 'step' ? { width: STEP_WIDTH, height: stepHeight(node) } : TENSOR_SIZE;
}

export function ensembleLayoutInput({ nodes, edges }: EnsembleDag): LayoutInput {
  return {
    direction: 'LR',
    nodes: nodes.map((node) => ({ id: node.id, ...sizeOf(node) })),
    edges: edges.map(({ id, from, to }) => ({ id, from: from.node, to: to.node })),
  };
}

export function ensembleNodes(
  dag: EnsembleDag,
  loads: readonly StepLoad[],
  layout: GraphLayout,
): readonly CanvasNode[] {
  return dag.nodes.map((node) => {
    const size = sizeOf(node);
    const place = { id: node.id, position: layout.nodes[node.id] ?? { x: 0, y: 0 }, ...size, measured: size };
    if (node.kind !== 'step') {
      return {
        ...place,
        type: 'tensor',
        handles: tensorHandles(node.kind),
        data: { tensor: node, label: labelOf(node) },
      };
    }
    const load = loads[node.index];
    return {
      ...place,
      type: 'step',
      handles: stepHandles(node),
      data: { step: node, load, label: labelOf(node, load) },
    };
  });
}

function labelOf(node: DagNode, load?: StepLoad): string {
  if (node.kind !== 'step') return `${node.tensor} ${node.value}`;
  const state = load === undefined ? '' : t(`graph.step.${load.state}`);
  return [
    t('graph.step.label', { step: node.index + 1, model: node.model, state }),
    ...node.issues.map(({ code, message }) => `${code}: ${message}`),
  ].join('. ');
}

const DOT = { width: 1, height: 1 };

function stepHandles({ inputs, outputs }: DagStep) {
  return [
    ...inputs.map(({ name }, row) => ({
      id: name,
      type: 'target' as const,
      position: Position.Left,
      x: 0,
      y: portY(row),
      ...DOT,
    })),
    ...outputs.map(({ name }, row) => ({
      id: name,
      type: 'source' as const,
      position: Position.Right,
      x: STEP_WIDTH,
      y: portY(row),
      ...DOT,
    })),
  ];
}

function tensorHandles(kind: 'input' | 'output' | 'loose') {
  const { width, height } = TENSOR_SIZE;
  return kind === 'output'
    ? [{ type: 'target' as const, position: Position.Left, x: 0, y: height / 2, ...DOT }]
    : [{ type: 'source' as const, position: Position.Right, x: width, y: height / 2, ...DOT }];
}

export function ensembleEdges(
  { edges, nodes }: EnsembleDag,
  loads: readonly StepLoad[],
  selected: string,
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
      codes: [...new Set(edge.issues.map(({ code }) => code))],
      title: [edgeText(edge), ...edge.issues.map(({ message }) => message)].join('\n'),
      isCritical: critical.has(edge.from.node) && critical.has(edge.to.node),
    },
  }));
}

/** "prepared_image FP32 [3,32,32]" */
function edgeText({ tensor, value }: DagEdge): string {
  return value === '' ? tensor : `${tensor} ${value}`;
}

export function ensemblePicture(title: string, dag: EnsembleDag, layout: GraphLayout): Picture {
  return {
    title,
    width: layout.width,
    height: layout.height,
    nodes: dag.nodes.map((node) => ({
      id: node.id,
      ...(layout.nodes[node.id] ?? { x: 0, y: 0 }),
      ...sizeOf(node),
      kind: node.kind === 'step' ? 'operator' : node.kind === 'output' ? 'output' : 'input',
      title:
        node.kind === 'step'
          ? t('graph.step.title', { step: node.index + 1, model: node.model })
          : node.tensor,
      subtitle: node.kind === 'step' ? '' : node.value,
    })),
    edges: dag.edges.map((edge) => ({ points: layout.edges[edge.id] ?? [], label: edgeText(edge) })),
  };
}
