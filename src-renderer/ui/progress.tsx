// How far long work is. Without a known share it moves; both have a text for screen readers.

import { cx } from './cx.ts';

/** How far work is. */
export function Progress({
  value,
  label,
  className,
}: {
  /** 0..1; undefined = unknown. */
  readonly value: number | undefined;
  readonly label: string;
  readonly className?: string;
}) {
  const percent = value === undefined ? undefined : Math.round(Math.min(1, Math.max(0, value)) * 100);
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent}
      className={cx('h-1.5 overflow-hidden rounded-full bg-hover', className)}
    >
      {percent === undefined ? (
        <div className="h-full w-2/5 animate-slide rounded-full bg-accent" />
      ) : (
        <div className="h-full rounded-full bg-accent transition-[width]" style={{ width: `${percent}%` }} />
      )}
    </div>
  );
}
