// A tensor between two steps of an ensemble: its name, type and shape on the line, a mark where something is wrong with
// it. The line is never told apart by colour alone: what is wrong is dashed and has a sign, the critical path is thick.

import type { Edge, EdgeProps } from '@xyflow/react';
import { EdgeLabelRenderer, getBezierPath } from '@xyflow/react';
import { TriangleAlert } from 'lucide-react';
import { memo } from 'react';

import { cx } from '../../../ui/cx.ts';
import { Icon } from '../../../ui/icon.tsx';

export type WireEdgeData = {
  readonly tensor: string;
  /** "FP32 [3,32,32]"; "" = not known. */
  readonly value: string;
  /** Codes of findings about it, "D50". */
  readonly codes: readonly string[];
  readonly title: string;
  readonly isCritical: boolean;
  readonly isNear?: boolean;
};

export const WireEdge = memo(function WireEdge(props: EdgeProps<Edge<WireEdgeData>>) {
  const { data, selected } = props;
  const [path, x, y] = getBezierPath(props);
  if (data === undefined) return null;
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
      <EdgeLabelRenderer>
        <div
          title={data.title}
          data-testid={`graph-edge-${data.tensor}`}
          data-codes={data.codes.join(' ')}
          data-critical={data.isCritical}
          style={{ transform: `translate(-50%, -50%) translate(${x}px, ${y}px)` }}
          className={cx(
            'absolute max-w-36 rounded border bg-surface px-1 text-xs leading-4',
            isBad ? 'border-bad text-bad' : 'border-line text-soft',
            selected === true && 'outline-2 outline-focus',
          )}
        >
          <span className="flex items-center gap-1">
            {isBad && <Icon of={TriangleAlert} size={12} className="shrink-0" />}
            <span className="truncate font-mono font-medium">{data.tensor}</span>
            {data.codes.map((code) => (
              <b key={code}>{code}</b>
            ))}
          </span>
          {data.value !== '' && <span className="block truncate font-mono text-faint">{data.value}</span>}
        </div>
      </EdgeLabelRenderer>
    </>
  );
});
