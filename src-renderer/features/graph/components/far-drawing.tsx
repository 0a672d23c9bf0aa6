// A large drawing seen from far away, where nothing could be read: all nodes as one shape and all lines as another, which
// pan and zoom without a thousand elements having to follow.

import { ViewportPortal } from '@xyflow/react';
import type { Edge } from '@xyflow/react';
import { memo } from 'react';

import type { CanvasNode } from '../canvas-node.ts';
import type { Point } from '../graph-layout.ts';
import { smoothPath } from '../graph-picture.ts';

/** Sizes and places are those of the canvas, before its zoom. */
export const FarDrawing = memo(function FarDrawing({
  nodes,
  edges,
  size,
  selected,
}: {
  readonly nodes: readonly CanvasNode[];
  readonly edges: readonly Edge[];
  readonly size: { readonly width: number; readonly height: number };
  readonly selected: string | undefined;
}) {
  const chosen = nodes.find(({ id }) => id === selected);
  return (
    <ViewportPortal>
      <svg
        aria-hidden
        width={size.width}
        height={size.height}
        data-testid="graph-far"
        className="pointer-events-none absolute top-0 left-0 overflow-visible"
      >
        <path
          d={edges.map(({ data }) => smoothPath((data?.['points'] ?? []) as readonly Point[])).join('')}
          className="fill-none stroke-line-strong"
          strokeWidth={4}
        />
        <path d={nodes.map(boxPath).join('')} className="fill-line-strong" />
        {chosen !== undefined && (
          <path d={boxPath(chosen)} className="fill-accent stroke-accent" strokeWidth={24} />
        )}
      </svg>
    </ViewportPortal>
  );
});

function boxPath({ position: { x, y }, width, height }: CanvasNode): string {
  return `M${x} ${y}h${width}v${height}h${-width}z`;
}

/** The node at a place of the drawing. */
export function nodeAt(nodes: readonly CanvasNode[], { x, y }: Point): string | undefined {
  return nodes.find(
    ({ position, width, height }) =>
      x >= position.x && x <= position.x + width && y >= position.y && y <= position.y + height,
  )?.id;
}
