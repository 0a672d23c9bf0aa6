// Two or more panels with separators that are dragged or moved by arrow keys. Sizes in percent by panel id; whoever
// shows the split keeps them.

import type { ReactNode } from 'react';
import { Fragment } from 'react';
import { Group, Panel, Separator } from 'react-resizable-panels';

import { cx } from './cx.ts';

/** One side of a split. */
export interface SplitPanel {
  readonly id: string;
  readonly content: ReactNode;
  /** Pixels or "30%". */
  readonly defaultSize?: number | string | undefined;
  readonly minSize?: number | string | undefined;
  readonly maxSize?: number | string | undefined;
  /** Keeps its pixels when the window changes. */
  readonly isFixed?: boolean;
}

/** Percent by panel. */
export type SplitSizes = Readonly<Record<string, number>>;

/** Panels beside or above each other, with edges that can be moved by pointer and keys. */
export function Split({
  id,
  panels,
  label,
  orientation = 'horizontal',
  sizes,
  onSizes,
}: {
  readonly id: string;
  /** Left to right, or top to bottom. */
  readonly panels: readonly SplitPanel[];
  /** Names the separators for screen readers. */
  readonly label: string;
  readonly orientation?: 'horizontal' | 'vertical';
  readonly sizes?: SplitSizes | undefined;
  readonly onSizes?: (sizes: SplitSizes) => void;
}) {
  const known =
    sizes !== undefined && panels.every((panel) => sizes[panel.id] !== undefined) ? { ...sizes } : undefined;
  return (
    <Group
      id={id}
      orientation={orientation}
      defaultLayout={known}
      onLayoutChanged={(layout, meta) => {
        if (meta.isUserInteraction) onSizes?.(layout);
      }}
      className="min-h-0 min-w-0 flex-1"
    >
      {panels.map((panel, index) => (
        <Fragment key={panel.id}>
          {index > 0 && (
            <Separator
              aria-label={label}
              className={cx(
                'relative z-10 bg-line outline-offset-0 transition-colors hover:bg-accent data-[separator=active]:bg-accent',
                orientation === 'horizontal' ? 'w-px' : 'h-px',
              )}
            />
          )}
          <Panel
            id={panel.id}
            defaultSize={panel.defaultSize}
            minSize={panel.minSize ?? 80}
            maxSize={panel.maxSize}
            groupResizeBehavior={panel.isFixed === true ? 'preserve-pixel-size' : 'preserve-relative-size'}
            className="flex min-h-0 min-w-0 flex-col"
          >
            {panel.content}
          </Panel>
        </Fragment>
      ))}
    </Group>
  );
}
