// A minute of one number as a plain SVG path over its ground line: no axes, no library, cheap enough for every row of a
// list. Where the line begins, the number was first known.

import { memo } from 'react';

/** Path of `points` in a box, newest at the right edge; flat at the bottom when all are zero. Pure. */
function sparkPath(points: readonly number[], width: number, height: number, capacity: number): string {
  if (points.length < 2) return '';
  const top = Math.max(...points, 0);
  const step = width / (capacity - 1);
  const left = width - (points.length - 1) * step;
  return points
    .map((value, index) => {
      const y = top === 0 ? height - 0.5 : height - 0.5 - (value / top) * (height - 1.5);
      return `${index === 0 ? 'M' : 'L'}${(left + index * step).toFixed(1)} ${y.toFixed(1)}`;
    })
    .join('');
}

/** `points` are the latest values, oldest first; sizes are pixels. The label is read out. */
export const Sparkline = memo(function Sparkline({
  points,
  label,
  width = 56,
  height = 16,
  capacity = 60,
}: {
  readonly points: readonly number[];
  readonly label: string;
  readonly width?: number;
  readonly height?: number;
  readonly capacity?: number;
}) {
  return (
    <svg
      role="img"
      aria-label={label}
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      className="shrink-0 text-c1"
    >
      <path d={`M0 ${height - 0.5}H${width}`} className="stroke-line" />
      <path
        d={sparkPath(points, width, height, capacity)}
        fill="none"
        stroke="currentColor"
        strokeWidth="1.25"
      />
    </svg>
  );
});
