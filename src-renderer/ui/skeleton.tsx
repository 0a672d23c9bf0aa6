// Grey bars in place of content that is about to come. Shown after 300 ms only, so that quick answers do not flicker.

import { useEffect, useState } from 'react';

import { t } from '../texts/translate.ts';
import { cx } from './cx.ts';

const PATIENCE_MS = 300;

/** Grey lines in place of what is on its way; they come after a moment only. */
export function Skeleton({ rows = 4, className }: { readonly rows?: number; readonly className?: string }) {
  const [isVisible, setIsVisible] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setIsVisible(true), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div
      role="status"
      aria-live="polite"
      aria-label={t('common.loading')}
      className={cx('flex flex-col gap-3 p-4', className)}
    >
      {isVisible &&
        Array.from({ length: rows }, (_, index) => (
          <div
            key={index}
            className="h-4 animate-shimmer rounded bg-hover forced-color-adjust-none"
            style={{ width: `${92 - ((index * 17) % 40)}%` }}
          />
        ))}
    </div>
  );
}
