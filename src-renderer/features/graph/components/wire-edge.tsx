// A tensor between two steps of an ensemble: its name, type and shape on the line, a mark where something is wrong with
// it. The line is never told apart by colour alone: what is wrong is dashed and has a sign, the critical path is thick.

import type { Edge, EdgeProps } from '@xyflow/react';
import { EdgeLabelRenderer, Position } from '@xyflow/react';
import { TriangleAlert } from 'lucide-react';
import { memo } from 'react';

import { cx } from '../../../ui/cx.ts';
import { Icon } from '../../../ui/icon.tsx';
import type { Direction } from '../ensemble-sizes.ts';
import { MAX_LABEL_PX } from '../ensemble-sizes.ts';
import type { Point } from '../graph-layout.ts';
import { wirePath } from '../wire-path.ts';

/** One line with what is written on it; points are px of the drawing. */
export type WireEdgeData = {
  readonly tensor: string;
  /** "FP32 [3,32,32]"; undefined = not known. */
  readonly value: string | undefined;
  readonly bends: readonly Point[];
  /** Undefined where an end of the line says the same. */
  readonly labelAt: Point | undefined;
  /** Codes of findings about it, "D50". */
  readonly codes: readonly string[];
  readonly title: string;
  readonly isCritical: boolean;
  readonly isNear?: boolean;
};

/** Draws nothing without data: its bends are those of the layout. */
export const WireEdge = memo(function WireEdge(props: EdgeProps<Edge<WireEdgeData>>) {
  const { data, selected, sourceX, sourceY, targetX, targetY, sourcePosition } = props;
  if (data === undefined) return null;
  const direction = sourcePosition === Position.Bottom ? 'TB' : 'LR';
  const path = wirePath({ x: sourceX, y: sourceY }, data.bends, { x: targetX, y: targetY }, direction);
  const isBad = data.codes.length > 0;
  const tone = isBad
    ? 'bad'
    : data.isCritical
      ? 'critical'
      : data.isNear === true || selected === true
        ? 'near'
        : undefined;
  return (
    <>
      <path d={path} fill="none" data-tone={tone} className="react-flow__edge-path graph-edge-path" />
      <path
        d={path}
        fill="none"
        strokeWidth={18}
        stroke="transparent"
        className="react-flow__edge-interaction"
      />
      {data.labelAt !== undefined && (
        <WireLabel data={data} at={data.labelAt} isSelected={selected === true} direction={direction} />
      )}
    </>
  );
});

function WireLabel({
  data,
  at,
  isSelected,
  direction,
}: {
  readonly data: WireEdgeData;
  readonly at: Point;
  readonly isSelected: boolean;
  readonly direction: Direction;
}) {
  const isBad = data.codes.length > 0;
  return (
    <EdgeLabelRenderer>
      <div
        title={data.title}
        data-testid={`graph-edge-${data.tensor}`}
        data-codes={data.codes.join(' ')}
        data-critical={data.isCritical}
        style={{
          transform: `translate(-50%, -50%) translate(${at.x}px, ${at.y}px)`,
          maxWidth: MAX_LABEL_PX[direction],
        }}
        className={cx(
          'absolute flex rounded border bg-surface px-1 text-sm leading-4',
          direction === 'LR' ? 'flex-col' : 'gap-1.5',
          isBad ? 'border-bad text-bad' : 'border-line text-soft',
          isSelected && 'outline-2 outline-focus',
        )}
      >
        <span className="flex min-w-0 items-center gap-1">
          {isBad && <Icon of={TriangleAlert} size={12} className="shrink-0" />}
          <span className="truncate font-mono font-medium">{data.tensor}</span>
          {data.codes.map((code) => (
            <b key={code}>{code}</b>
          ))}
        </span>
        {data.value !== undefined && <span className="truncate font-mono text-faint">{data.value}</span>}
      </div>
    </EdgeLabelRenderer>
  );
}
