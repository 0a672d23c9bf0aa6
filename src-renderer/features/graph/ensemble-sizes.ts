// How large the parts of an ensemble's drawing are, and where a step's tensors sit: at its sides when data flows to the
// right, at its top and bottom when it flows down. Pure; what draws them keeps to these numbers.

import { Position } from '@xyflow/react';

import type { DagEdge, DagNode, DagStep } from './ensemble-dag.ts';
import type { GraphLayout } from './graph-layout.ts';

/** The way the data flows: left to right, or top to bottom. */
export type Direction = 'LR' | 'TB';
type Size = Pick<GraphLayout, 'width' | 'height'>;

/** Where data comes in and goes out. */
export const SIDES = {
  LR: { input: Position.Left, output: Position.Right },
  TB: { input: Position.Top, output: Position.Bottom },
} as const;

const STEP_WIDTH = 208;
/** Height of the title of a step. */
export const HEADER_PX = 34;
/** Height of one tensor of a step, where data flows to the right. */
export const PORT_PX = 24;
const FOOTER_PX = 26;
/** Of an input or output of the ensemble, in px of the drawing at 100 %. */
export const TENSOR_SIZE = { width: 136, height: 44 } as const;

/** Width of a letter in the monospace font at the 12 px of these drawings, and of what stands around a text. */
const LETTER_PX = 7.3;
const LABEL_FRAME_PX = 12;
const CODE_PX = 42;
const LINE_PX = 16;
/** Longer labels are cut; the tooltip has them whole. */
export const MAX_LABEL_PX: Readonly<Record<Direction, number>> = { LR: 144, TB: 280 };
/** A column of a step that is drawn downwards has room for a name of that length. */
const MIN_COLUMN_PX = 64;
const MAX_COLUMN_PX = 132;

/** In px at zoom 1. */
export function sizeOfNode(node: DagNode, direction: Direction): Size {
  return node.kind === 'step' ? stepSize(node, direction) : TENSOR_SIZE;
}

type Ports = Pick<DagStep, 'inputs' | 'outputs'>;

/** To the right: one row for each pair of tensors. Downwards: as wide as its columns of tensors. In px at zoom 1. */
export function stepSize({ inputs, outputs }: Ports, direction: Direction): Size {
  if (direction === 'LR') {
    const rows = Math.max(1, inputs.length, outputs.length);
    return { width: STEP_WIDTH, height: HEADER_PX + rows * PORT_PX + FOOTER_PX };
  }
  const widest = Math.max(widthOfColumns(inputs), widthOfColumns(outputs));
  return { width: Math.max(STEP_WIDTH, widest), height: HEADER_PX + 2 * PORT_PX + FOOTER_PX };
}

function widthOfColumns(ports: DagStep['inputs']): number {
  const longest = Math.max(0, ...ports.map(({ name }) => name.length));
  return (
    ports.length * Math.min(MAX_COLUMN_PX, Math.max(MIN_COLUMN_PX, longest * LETTER_PX + LABEL_FRAME_PX))
  );
}

/** Where the line of a tensor starts or ends, from the top left corner of its step. */
export function portPlace(
  step: Ports,
  side: 'input' | 'output',
  at: number,
  direction: Direction,
): { readonly x: number; readonly y: number } {
  const { width, height } = stepSize(step, direction);
  if (direction === 'LR') {
    return { x: side === 'input' ? 0 : width, y: HEADER_PX + at * PORT_PX + PORT_PX / 2 - 1 };
  }
  const count = (side === 'input' ? step.inputs : step.outputs).length;
  return { x: ((at + 0.5) * width) / count, y: side === 'input' ? 0 : height };
}

/** Undefined where the label would only repeat the input or output at an end of the line. */
export function labelSize(
  edge: DagEdge,
  nodes: ReadonlyMap<string, DagNode>,
  direction: Direction,
): Size | undefined {
  const repeats = [edge.from.node, edge.to.node].some((id) => {
    const node = nodes.get(id);
    return (
      (node?.kind === 'input' || node?.kind === 'output') &&
      node.tensor === edge.tensor &&
      node.value === edge.value
    );
  });
  if (repeats && edge.issues.length === 0) return undefined;
  const codes = new Set(edge.issues.map(({ code }) => code)).size * CODE_PX;
  const { tensor, value = '' } = edge;
  const letters =
    direction === 'LR' ? Math.max(tensor.length, value.length) : tensor.length + value.length + 1;
  const lines = direction === 'LR' && value !== '' ? 2 : 1;
  return {
    width: Math.min(MAX_LABEL_PX[direction], Math.ceil(letters * LETTER_PX + LABEL_FRAME_PX + codes)),
    height: lines * LINE_PX + 2,
  };
}
