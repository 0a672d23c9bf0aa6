// Nodes of a file's graph: operators, closed scopes, inputs and outputs. Fixed size; shape and border tell them apart.

import type { Node, NodeProps } from '@xyflow/react';
import { Handle, Position } from '@xyflow/react';
import { Boxes } from 'lucide-react';
import { memo } from 'react';

import type { GraphNodeKind } from '../visible-graph.ts';
import { cx } from '../../../ui/cx.ts';
import { Icon } from '../../../ui/icon.tsx';
import { operatorFamily } from '../operator-family.ts';

/** The texts of one node; `label` is what screen readers say. */
export type OperatorNodeData = {
  readonly kind: GraphNodeKind;
  readonly title: string;
  readonly subtitle: string;
  readonly label: string;
};

/** In px of the drawing at 100 %; the layout relies on it. */
export const NODE_SIZE = { width: 168, height: 40 } as const;

const STRIPES = {
  matrix: 'border-l-c1',
  activation: 'border-l-c3',
  normalisation: 'border-l-c4',
  shape: 'border-l-c5',
  other: 'border-l-line-strong',
} as const;

const KINDS = {
  operator: 'rounded border-l-4',
  scope: 'rounded-md border-dashed bg-sunken',
  input: 'rounded-full border-accent',
  output: 'rounded-full border-accent',
} as const;

/** A node of a drawing of a model file, of NODE_SIZE. */
export const OperatorNode = memo(function OperatorNode({
  data,
  selected,
}: NodeProps<Node<OperatorNodeData>>) {
  const { kind, title, subtitle } = data;
  return (
    <div
      style={NODE_SIZE}
      data-kind={kind}
      className={cx(
        'flex flex-col items-center justify-center border border-line-strong bg-surface px-2 text-center leading-4',
        KINDS[kind],
        kind === 'operator' && STRIPES[operatorFamily(title)],
        selected && 'outline-2 outline-offset-2 outline-focus',
      )}
    >
      <Handle type="target" position={Position.Top} isConnectable={false} className="graph-hidden-handle" />
      <span className="flex max-w-full items-center gap-1 text-sm font-semibold text-strong">
        {kind === 'scope' && <Icon of={Boxes} size={12} className="shrink-0 text-soft" />}
        <span className="truncate">{title}</span>
      </span>
      <span className="max-w-full truncate text-sm text-soft">{subtitle}</span>
      <Handle
        type="source"
        position={Position.Bottom}
        isConnectable={false}
        className="graph-hidden-handle"
      />
    </div>
  );
});
