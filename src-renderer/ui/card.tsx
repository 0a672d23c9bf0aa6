// A titled box, and a list of label and value pairs: the two shapes that overviews are made of.

import type { ReactNode } from 'react';

import { cx } from './cx.ts';

/** A box with a title and controls beside it. */
export function Card({
  title,
  actions,
  children,
  className,
  testId,
}: {
  readonly title?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
  readonly className?: string;
  readonly testId?: string | undefined;
}) {
  return (
    <section
      data-testid={testId}
      className={cx('min-w-0 rounded-md border border-line bg-surface', className)}
    >
      {title !== undefined && (
        <header className="flex min-h-9 flex-wrap items-center gap-x-2 gap-y-1 border-b border-line px-3 py-1">
          <h3 className="min-w-24 flex-1 truncate font-semibold text-strong">{title}</h3>
          {actions}
        </header>
      )}
      <div className="p-3">{children}</div>
    </section>
  );
}

/** Names and values in two columns. */
export function Facts({
  items,
}: {
  readonly items: readonly (readonly [label: string, value: ReactNode])[];
}) {
  return (
    <dl className="grid grid-cols-[max-content_minmax(0,1fr)] items-baseline gap-x-4 gap-y-1.5">
      {items.map(([label, value]) => (
        <div key={label} className="contents">
          <dt className="text-faint">{label}</dt>
          <dd className="min-w-0 break-words text-strong">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
