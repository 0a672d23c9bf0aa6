// Tabs inside a view (sub-tabs, panel tabs): arrow keys move, the chosen panel is the only one mounted.

import { Tabs as Base } from '@base-ui/react/tabs';
import type { ReactNode } from 'react';

import { cx } from './cx.ts';
import type { IconType } from './icon.tsx';
import { Icon } from './icon.tsx';

/** One tab. */
export interface TabItem {
  readonly id: string;
  readonly title: string;
  readonly icon?: IconType | undefined;
  /** Small count or mark after the title. */
  readonly mark?: ReactNode;
  readonly testId?: string | undefined;
}

/** A row of tabs with the panel of the chosen one. */
export function Tabs({
  items,
  value,
  onChange,
  label,
  children,
  trailing,
  isTitled = false,
  className,
}: {
  readonly items: readonly TabItem[];
  readonly value: string;
  readonly onChange: (id: string) => void;
  readonly label: string;
  /** Content of the chosen tab. */
  readonly children: ReactNode;
  /** Controls at the right end of the tab row. */
  readonly trailing?: ReactNode;
  /** Whether the panel begins with the tab's name as a heading of level 2, which is heard and not seen. */
  readonly isTitled?: boolean;
  readonly className?: string;
}) {
  return (
    <Base.Root
      value={value}
      onValueChange={(next) => onChange(String(next))}
      className={cx('flex min-h-0 flex-1 flex-col', className)}
    >
      <div className="flex shrink-0 items-stretch border-b border-line">
        <Base.List
          aria-label={label}
          activateOnFocus
          // Positioned: what brings the chosen tab into view measures from here.
          className="relative -mb-px flex min-w-0 flex-1 overflow-x-auto px-2"
        >
          {items.map((item) => (
            <Base.Tab
              key={item.id}
              value={item.id}
              data-testid={item.testId}
              className="focus-inset flex h-9 shrink-0 items-center gap-1.5 border-b-2 border-transparent px-3 whitespace-nowrap text-soft hover:text-strong data-[active]:border-accent data-[active]:font-medium data-[active]:text-strong"
            >
              {item.icon !== undefined && <Icon of={item.icon} size={14} />}
              {item.title}
              {item.mark}
            </Base.Tab>
          ))}
        </Base.List>
        {trailing !== undefined && <div className="flex items-center gap-1 px-2">{trailing}</div>}
      </div>
      <Base.Panel value={value} className="focus-inset flex min-h-0 flex-1 flex-col" tabIndex={-1}>
        {isTitled && <h2 className="sr-only">{items.find(({ id }) => id === value)?.title}</h2>}
        {children}
      </Base.Panel>
    </Base.Root>
  );
}
