// A line along the way that the layout found, with the shape of what passes through it.

import type { Edge, EdgeProps } from '@xyflow/react';
import { memo } from 'react';

import type { Point } from '../graph-layout.ts';
import { smoothPath } from '../graph-picture.ts';

/** Corners of the line in px of the drawing, from its start to its end. */
export type RoutedEdgeData = {
  readonly points: readonly Point[];
  readonly label: string;
  readonly isNear?: boolean;
};

/** Draws nothing without the points of the layout. */
export const RoutedEdge = memo(function RoutedEdge({ data }: EdgeProps<Edge<RoutedEdgeData>>) {
  if (data === undefined) return null;
  const { points, label, isNear } = data;
  const middle = points[Math.floor(points.length / 2)];
  const last = points.at(-1);
  return (
    <>
      <path
        d={smoothPath(points)}
        data-tone={isNear === true ? 'near' : undefined}
        className="react-flow__edge-path graph-edge-path"
        fill="none"
      />
      {last !== undefined && (
        <path
          d={`M${last.x - 3.5} ${last.y - 6}L${last.x} ${last.y}L${last.x + 3.5} ${last.y - 6}z`}
          className={isNear === true ? 'fill-accent' : 'fill-line-strong'}
        />
      )}
      {label !== '' && middle !== undefined && (
        <text
          x={middle.x + 5}
          y={middle.y + 3}
          className="pointer-events-none fill-soft stroke-canvas font-mono text-sm [paint-order:stroke] [stroke-width:3px]"
        >
          {label}
        </text>
      )}
    </>
  );
});
