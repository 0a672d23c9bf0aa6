// A modal dialog: title, content, buttons. Traps focus and gives it back; Escape closes. For decisions and short forms
// only; long work is a task and never sits in a dialog.

import { Dialog as Base } from '@base-ui/react/dialog';
import { X } from 'lucide-react';
import type { ReactNode, RefObject } from 'react';

import { t } from '../texts/translate.ts';
import { cx } from './cx.ts';
import { IconButton } from './icon-button.tsx';
import { OpenDialog } from './open-dialogs.ts';

const WIDTHS = { sm: 'w-[28rem]', md: 'w-[40rem]', lg: 'w-[64rem]', full: 'w-[76rem]' } as const;

/** What the dialog shows; `onClose` is asked for by Escape and the cross. */
export interface DialogProps {
  readonly isOpen: boolean;
  /** The dialog stays until `isOpen` is false. */
  readonly onClose: () => void;
  readonly title: ReactNode;
  readonly description?: ReactNode;
  readonly children?: ReactNode;
  /** Buttons at the bottom right, main one last. */
  readonly footer?: ReactNode;
  readonly width?: keyof typeof WIDTHS;
  readonly testId?: string | undefined;
  readonly initialFocus?: RefObject<HTMLElement | null> | undefined;
  /** For contents that scroll inside themselves. */
  readonly isFlush?: boolean;
}

/** A name that is suggested goes when another one is typed. */
function selected(element: HTMLElement | null): HTMLElement | null {
  if (element instanceof HTMLInputElement) element.select();
  return element;
}

/** A modal dialog. */
export function Dialog(props: DialogProps) {
  const {
    isOpen,
    onClose,
    title,
    description,
    children,
    footer,
    width = 'sm',
    testId,
    initialFocus,
    isFlush = false,
  } = props;
  return (
    <Base.Root open={isOpen} disablePointerDismissal onOpenChange={(next) => (next ? undefined : onClose())}>
      <Base.Portal>
        <Base.Backdrop className="fixed inset-0 z-40 bg-scrim" />
        <Base.Popup
          data-testid={testId}
          initialFocus={initialFocus === undefined ? undefined : () => selected(initialFocus.current)}
          className={cx(
            'fixed inset-0 z-40 m-auto flex h-fit max-h-[calc(100vh-3rem)] max-w-[calc(100vw-2rem)] flex-col rounded-lg border border-line bg-surface shadow-float outline-none',
            WIDTHS[width],
          )}
        >
          <OpenDialog />
          <header className="px-5 pt-4 pb-3">
            <Base.Title className="pr-8 text-lg font-semibold wrap-anywhere text-strong">{title}</Base.Title>
            {description !== undefined && (
              <Base.Description className="mt-1 text-soft" render={<div />}>
                {description}
              </Base.Description>
            )}
          </header>
          {children !== undefined && (
            <div className={cx('min-h-0 flex-1 overflow-auto', !isFlush && 'px-5 pb-4')}>{children}</div>
          )}
          {footer !== undefined && (
            <footer className="flex flex-wrap items-center justify-end gap-2 border-t border-line px-5 py-3">
              {footer}
            </footer>
          )}
          {/* Last, so that focus starts in the dialog's own content. */}
          <Base.Close
            render={<IconButton label={t('common.close')} icon={X} className="absolute top-3 right-3" />}
          />
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}
