// Menus from data: a button that opens one, and one on a right click. An entry that cannot be used shows its reason.

import { ContextMenu as BaseContext } from '@base-ui/react/context-menu';
import { Menu as Base } from '@base-ui/react/menu';
import type { ReactElement, ReactNode } from 'react';
import { useMemo, useRef } from 'react';

import { spokenShortcut } from '../lib/keys.ts';
import { cx } from './cx.ts';
import type { IconType } from './icon.tsx';
import { Icon } from './icon.tsx';
import { KeyHint } from './key-hint.tsx';
import { wasLastInputKey } from './last-input.ts';

/** One line of a menu. */
export interface MenuEntry {
  readonly id: string;
  readonly label: string;
  readonly icon?: IconType | undefined;
  readonly shortcut?: string | undefined;
  readonly disabledReason?: string | undefined;
  readonly isDanger?: boolean | undefined;
  /** A line above this entry. */
  readonly startsGroup?: boolean | undefined;
  /** Never called while there is a `disabledReason`. */
  readonly onSelect: () => void;
}

const POPUP =
  'z-50 max-h-[var(--available-height)] min-w-52 overflow-y-auto rounded-md border border-line bg-surface py-1 text-strong shadow-float outline-none';

/**
 * For a menu whose opening the library does not see, or takes for a click: by key its first entry has the focus at once.
 */
function useFirstEntry() {
  const popup = useRef<HTMLDivElement>(null);
  const initialFocus = (): HTMLElement | true =>
    (wasLastInputKey() ? popup.current?.querySelector<HTMLElement>('[role="menuitem"]') : null) ?? true;
  return { ref: popup, initialFocus };
}

/** `children` is the button that opens the menu. */
export function MenuButton({
  entries,
  children,
  align = 'end',
}: {
  readonly entries: readonly MenuEntry[];
  readonly children: ReactElement<Record<string, unknown>>;
  readonly align?: 'start' | 'end';
}) {
  return (
    <Base.Root>
      <Base.Trigger render={children} />
      <Base.Portal>
        <Base.Positioner align={align} sideOffset={4} className="z-50">
          <Base.Popup className={POPUP}>
            <MenuEntries entries={entries} />
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

/** A place in the window, in CSS pixels. */
export interface MenuPoint {
  readonly x: number;
  readonly y: number;
}

/**
 * One menu for many buttons: it stands at the one that was pressed last. A list needs it once, where a MenuButton per
 * row would be most of what a row costs.
 */
export function AnchoredMenu({
  anchor,
  at,
  onClose,
  children,
}: {
  /** The button; undefined = closed. The focus goes back to it. */
  readonly anchor: HTMLElement | undefined;
  /** Where a right click asked for it; undefined = at the button. Another right click then opens the next at once. */
  readonly at?: MenuPoint | undefined;
  readonly onClose: () => void;
  readonly children: ReactNode;
}) {
  const point = useMemo(
    () => (at === undefined ? undefined : { getBoundingClientRect: () => new DOMRect(at.x, at.y, 0, 0) }),
    [at],
  );
  const first = useFirstEntry();
  if (anchor === undefined) return null;
  return (
    <Base.Root open modal={point === undefined} onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Base.Portal>
        <Base.Positioner
          anchor={point ?? anchor}
          align={point === undefined ? 'end' : 'start'}
          sideOffset={point === undefined ? 4 : 0}
          className="z-50"
        >
          <Base.Popup {...first} className={POPUP} finalFocus={() => anchor}>
            {children}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

/** Right click or the context-menu key on `children` opens the menu. */
export function ContextMenu({
  entries,
  children,
}: {
  readonly entries: readonly MenuEntry[];
  readonly children: ReactElement<Record<string, unknown>>;
}) {
  const first = useFirstEntry();
  return (
    <BaseContext.Root>
      <BaseContext.Trigger render={children} />
      <BaseContext.Portal>
        <BaseContext.Positioner className="z-50">
          <BaseContext.Popup {...first} className={POPUP}>
            <MenuEntries entries={entries} />
          </BaseContext.Popup>
        </BaseContext.Positioner>
      </BaseContext.Portal>
    </BaseContext.Root>
  );
}

/** The lines, inside a menu. */
export function MenuEntries({ entries }: { readonly entries: readonly MenuEntry[] }): ReactNode {
  return entries.map((entry) => (
    <div key={entry.id} role="presentation">
      {entry.startsGroup === true && (
        <Base.Separator className="my-1 h-px bg-line forced-color-adjust-none" />
      )}
      <Base.Item
        disabled={entry.disabledReason !== undefined}
        aria-keyshortcuts={spokenShortcut(entry.shortcut ?? '')}
        data-testid={`menu-${entry.id}`}
        onClick={entry.onSelect}
        className={cx(
          'focus-inset mx-1 flex min-h-7 items-center gap-2 rounded px-2 py-1 data-[highlighted]:bg-hover',
          entry.isDanger === true && 'text-bad',
          entry.disabledReason !== undefined && 'text-faint',
        )}
      >
        <span className="flex w-4 justify-center">
          {entry.icon !== undefined && <Icon of={entry.icon} size={14} />}
        </span>
        <span className="flex-1">
          {entry.label}
          {entry.disabledReason !== undefined && (
            <span className="block max-w-64 text-sm text-faint">{entry.disabledReason}</span>
          )}
        </span>
        {entry.shortcut !== undefined && <KeyHint keys={entry.shortcut} />}
      </Base.Item>
    </div>
  ));
}
