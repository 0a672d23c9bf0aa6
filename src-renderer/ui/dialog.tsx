// A modal dialog: title, content, buttons. Traps focus and gives it back; Escape closes, and asks first where something was
// typed that would be lost. For decisions and short forms only; long work is a task and never sits in a dialog.

import { Dialog as Base } from '@base-ui/react/dialog';
import { X } from 'lucide-react';
import type { ReactNode, RefObject } from 'react';
import { useEffect, useId, useRef, useState } from 'react';

import { t } from '../texts/translate.ts';
import { Button } from './button.tsx';
import { cx } from './cx.ts';
import { DialogBody, firstControl } from './dialog-body.tsx';
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
  /** Undefined = the first control of the content; without one, the first button. */
  readonly initialFocus?: RefObject<HTMLElement | null> | undefined;
  /** What gets the focus when it has closed; undefined, or null = what had it before. */
  readonly finalFocus?: () => HTMLElement | null;
  /** The content is still to come: the dialog has the focus itself until then. */
  readonly isLoading?: boolean;
  /** Closing loses what would have to be done again: Escape and the cross ask first. A name alone is no such thing. */
  readonly isTyped?: boolean;
  /** For contents that scroll inside themselves. */
  readonly isFlush?: boolean;
}

/** A name that is suggested goes when another one is typed; what is selected so is not scrolled to by itself. */
function selected(element: HTMLElement | null): HTMLElement | null {
  if (!(element instanceof HTMLInputElement)) return element;
  element.select();
  // Newer browsers give a promise, which nobody waits for.
  void element.scrollIntoView({ block: 'center' });
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
    finalFocus,
    isLoading = false,
    isTyped = false,
    isFlush = false,
  } = props;
  const [isAsking, setIsAsking] = useState(false);
  const popup = useRef<HTMLDivElement>(null);
  const body = useRef<HTMLDivElement>(null);
  const titleId = useId();
  const leave = (): void => (isTyped ? setIsAsking(true) : onClose());
  useEffect(() => {
    // Whoever has moved on meanwhile stays there.
    if (!isLoading && popup.current !== null && document.activeElement === popup.current)
      selected(firstControl(body.current))?.focus();
  }, [isLoading]);
  const first = (): HTMLElement | null =>
    initialFocus?.current ?? (isLoading ? popup.current : firstControl(body.current));
  return (
    <Base.Root open={isOpen} disablePointerDismissal onOpenChange={(next) => (next ? undefined : leave())}>
      <Base.Portal>
        <Base.Backdrop className="fixed inset-0 z-40 bg-scrim" />
        <Base.Popup
          ref={popup}
          data-testid={testId}
          initialFocus={(by) => (by === 'touch' ? popup.current : (selected(first()) ?? true))}
          finalFocus={() => finalFocus?.() ?? true}
          className={cx(
            'fixed inset-0 z-40 m-auto flex h-fit max-h-[calc(100vh-3rem)] max-w-[calc(100vw-2rem)] flex-col rounded-lg border border-line bg-surface shadow-float outline-none',
            WIDTHS[width],
          )}
        >
          <OpenDialog />
          <header className="px-5 pt-4 pb-3">
            <Base.Title id={titleId} className="pr-8 text-lg font-semibold wrap-anywhere text-strong">
              {title}
            </Base.Title>
            {description !== undefined && (
              <Base.Description className="mt-1 wrap-anywhere text-soft" render={<div />}>
                {description}
              </Base.Description>
            )}
          </header>
          {children !== undefined && (
            <DialogBody body={body} titleId={titleId} isFlush={isFlush}>
              {children}
            </DialogBody>
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
          {isAsking && <LeaveQuestion onStay={() => setIsAsking(false)} onLeave={onClose} />}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}

/** Inside the dialog that it is about, so that Escape answers it alone. */
function LeaveQuestion({ onStay, onLeave }: { readonly onStay: () => void; readonly onLeave: () => void }) {
  const safe = useRef<HTMLButtonElement>(null);
  return (
    <Dialog
      isOpen
      onClose={onStay}
      title={t('dialog.leave.title')}
      description={t('dialog.leave.text')}
      testId="dialog-leave"
      initialFocus={safe}
      footer={
        <>
          <Button worksOffline ref={safe} data-testid="dialog-stay" onClick={onStay}>
            {t('dialog.leave.stay')}
          </Button>
          <Button worksOffline variant="danger" data-testid="dialog-discard" onClick={onLeave}>
            {t('dialog.leave.do')}
          </Button>
        </>
      }
    />
  );
}
