// The foot of a dialog with one thing to do: Cancel, and that.

import { t } from '../texts/translate.ts';
import type { ButtonProps } from './button.tsx';
import { Button } from './button.tsx';

interface ActFooterProps extends ButtonProps {
  readonly onCancel: () => void;
  readonly cancelTestId?: string | undefined;
}

/** The properties are those of the button that acts; Cancel works without a connection too. */
export function ActFooter({ onCancel, cancelTestId, ...act }: ActFooterProps) {
  return (
    <>
      <Button worksOffline data-testid={cancelTestId} onClick={onCancel}>
        {t('common.cancel')}
      </Button>
      <Button variant="primary" {...act} />
    </>
  );
}
