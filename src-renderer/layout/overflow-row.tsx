// A row of items of which the last ones move into a "more" pop-up when space is short. Widths are measured when the row
// or an item changes its size, never during drawing.

import { Popover } from '@base-ui/react/popover';
import { Ellipsis } from 'lucide-react';
import type { ReactNode } from 'react';
import { useEffect, useRef, useState } from 'react';

import { cx } from '../ui/cx.ts';
import { Icon } from '../ui/icon.tsx';

/** One item of the row. */
export interface OverflowItem {
  readonly id: string;
  readonly content: ReactNode;
  /** First of those that stand at the right. */
  readonly startsRight?: boolean;
}

const MORE_PX = 36;

/** A row whose last items go into a menu where there is no room. */
export function OverflowRow({
  items,
  moreLabel,
}: {
  readonly items: readonly OverflowItem[];
  readonly moreLabel: string;
}) {
  const row = useRef<HTMLDivElement>(null);
  const [visibleCount, setVisibleCount] = useState(items.length);
  useEffect(() => {
    const element = row.current;
    if (element === null || typeof ResizeObserver === 'undefined') return undefined;
    const measure = (): void => {
      const widths = [...element.querySelectorAll<HTMLElement>('[data-overflow-item]')].map(
        (item) => item.offsetWidth,
      );
      setVisibleCount(fitting(widths, element.clientWidth));
    };
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    for (const item of element.querySelectorAll('[data-overflow-item]')) observer.observe(item);
    return () => observer.disconnect();
  }, [items.length]);
  const hidden = items.slice(visibleCount);
  return (
    <div ref={row} className="relative flex min-w-0 flex-1 items-stretch overflow-hidden">
      {items.map((item, index) => (
        <div
          key={item.id}
          data-overflow-item
          className={cx(
            'flex shrink-0 items-center',
            item.startsRight === true && hidden.length === 0 && 'ml-auto',
            index >= visibleCount && 'invisible absolute right-0',
          )}
        >
          {item.content}
        </div>
      ))}
      {hidden.length > 0 && (
        <Popover.Root>
          <Popover.Trigger
            aria-label={moreLabel}
            data-testid="status-more"
            className="ml-auto flex h-full w-8 items-center justify-center rounded hover:bg-hover"
          >
            <Icon of={Ellipsis} size={14} />
          </Popover.Trigger>
          <Popover.Portal>
            <Popover.Positioner side="top" align="end" sideOffset={4} className="z-50">
              <Popover.Popup className="flex flex-col gap-1 rounded-md border border-line bg-surface p-2 text-sm text-soft shadow-float outline-none">
                {hidden.map((item) => (
                  <div key={item.id} className="flex min-h-6 items-center">
                    {item.content}
                  </div>
                ))}
              </Popover.Popup>
            </Popover.Positioner>
          </Popover.Portal>
        </Popover.Root>
      )}
    </div>
  );
}

/** How many items fit, leaving room for the "more" button when not all do. Pure. */
export function fitting(widths: readonly number[], available: number): number {
  const total = widths.reduce((sum, width) => sum + width, 0);
  if (total <= available || available === 0) return widths.length;
  let used = MORE_PX;
  const index = widths.findIndex((width) => {
    used += width;
    return used > available;
  });
  return index < 0 ? widths.length : index;
}
