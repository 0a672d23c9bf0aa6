// Copies a text and says so for a moment. Where the clipboard is not allowed it says that instead.

import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';

import { t } from '../texts/translate.ts';
import { announce } from './announcer.tsx';
import { Button } from './button.tsx';
import { IconButton } from './icon-button.tsx';
import { toastError, toastSuccess } from './toast.tsx';

const SHOWN_MS = 1500;
/** A name or an address is said; a longer text is not. */
const LONGEST_SHOWN = 100;

/**
 * True when the text is on the clipboard. Never rejects; the user is told either way. `isShown`: the caller shows by itself
 * that it was copied.
 */
export async function copyText(text: string, { isShown = false } = {}): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    if (isShown) announce(t('common.copied'));
    else toastSuccess(text.length > LONGEST_SHOWN ? t('common.copied') : t('common.copiedText', { text }));
    return true;
  } catch {
    toastError(t('common.copyFailed'));
    return false;
  }
}

/** Copies a text and says so. */
export function CopyButton({
  text,
  label = t('common.copy'),
  what,
  isIconOnly = false,
  testId,
}: {
  readonly text: string;
  readonly label?: string;
  /** Said to ears after the label, where several can be copied: "Copy: Is it ready?". */
  readonly what?: string | undefined;
  readonly isIconOnly?: boolean;
  readonly testId?: string;
}) {
  const [copies, setCopies] = useState(0);
  const [shownUntil, setShownUntil] = useState(0);
  useEffect(() => {
    if (copies === 0) return undefined;
    const timer = setTimeout(() => setShownUntil(copies), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [copies]);
  const isShown = copies > shownUntil;
  const onClick = (): void => {
    void copyText(text, { isShown: true }).then((isDone) => {
      if (isDone) setCopies((count) => count + 1);
    });
  };
  const icon = isShown ? Check : Copy;
  const named = what === undefined || isShown ? {} : { 'aria-label': t('common.copyOf', { what }) };
  return isIconOnly ? (
    <IconButton
      label={isShown ? t('common.copied') : label}
      icon={icon}
      onClick={onClick}
      data-testid={testId}
      {...named}
    />
  ) : (
    <Button size="sm" worksOffline icon={icon} onClick={onClick} data-testid={testId} {...named}>
      {isShown ? t('common.copied') : label}
    </Button>
  );
}
