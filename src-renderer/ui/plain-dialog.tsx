// A modal frame without title bar, near the top of the window: for the command palette. Focus is trapped and given
// back; Escape closes.

import { Dialog as Base } from '@base-ui/react/dialog';
import type { ReactNode } from 'react';

/** A modal dialog without title and buttons, such as the palette. */
export function PlainDialog({
  isOpen,
  onClose,
  label,
  testId,
  focusAfter,
  children,
}: {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly label: string;
  readonly testId: string;
  /** Where the focus goes afterwards; undefined = back to where it was, false = it stays where it is. */
  readonly focusAfter?: (() => HTMLElement | false | undefined) | undefined;
  readonly children: ReactNode;
}) {
  return (
    <Base.Root open={isOpen} onOpenChange={(next) => (next ? undefined : onClose())}>
      <Base.Portal>
        <Base.Backdrop className="fixed inset-0 z-40 bg-scrim/60" />
        <Base.Popup
          data-testid={testId}
          aria-label={label}
          finalFocus={() => focusAfter?.() ?? true}
          className="fixed inset-x-0 top-[10vh] z-40 mx-auto flex max-h-[70vh] w-[42rem] max-w-[calc(100vw-2rem)] flex-col overflow-hidden rounded-lg border border-line bg-surface shadow-float outline-none"
        >
          {children}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}
