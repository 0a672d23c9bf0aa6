// A dialog with a short form: Cancel, and one act that Enter in a field carries out as well, when nothing stands against
// it.

import type { ReactNode } from 'react';

import { ActFooter } from './act-footer.tsx';
import type { DialogProps } from './dialog.tsx';
import { Dialog } from './dialog.tsx';

/** What the main button of the dialog does. */
export interface FormAct {
  readonly label: string;
  readonly testId: string;
  readonly isRunning: boolean;
  /** Why it cannot be done now; undefined = it can. */
  readonly reason: string | undefined;
  /** Not called while there is a `reason`, or while it runs. */
  readonly run: () => void;
}

interface FormDialogProps extends Omit<DialogProps, 'footer' | 'children'> {
  readonly act: FormAct;
  /** Left of the buttons. */
  readonly aside?: ReactNode;
  /** Undefined = as `onClose`. */
  readonly onCancel?: () => void;
  readonly cancelTestId?: string;
  readonly children: ReactNode;
}

/** A dialog with one act and Cancel; Enter in a field does the act. */
export function FormDialog({ act, aside, onCancel, cancelTestId, children, ...dialog }: FormDialogProps) {
  const { label, testId, isRunning, reason, run } = act;
  return (
    <Dialog
      {...dialog}
      footer={
        <>
          {aside}
          <ActFooter
            onCancel={onCancel ?? dialog.onClose}
            cancelTestId={cancelTestId}
            data-testid={testId}
            isBusy={isRunning}
            disabledReason={reason}
            onClick={run}
          >
            {label}
          </ActFooter>
        </>
      }
    >
      <form
        className="flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          if (reason === undefined && !isRunning) run();
        }}
      >
        {children}
        {/* The act's own button stands in the footer. Without one inside, Enter does nothing in a form of several fields. */}
        <button type="submit" hidden aria-hidden tabIndex={-1} />
      </form>
    </Dialog>
  );
}
