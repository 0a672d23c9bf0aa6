// Says in a toolbar that a text has changes which are not saved.

import { t } from '../../texts/translate.ts';

/** Empty, and quiet for readers, while there is nothing to save. */
export function DirtyMark({ isDirty, testId }: { readonly isDirty: boolean; readonly testId: string }) {
  return (
    <span
      role="status"
      aria-live="polite"
      data-testid={testId}
      data-dirty={isDirty}
      className="text-sm text-soft"
    >
      {isDirty && (
        <>
          <span aria-hidden="true" className="mr-1 text-accent">
            ●
          </span>
          {t('config.dirty')}
        </>
      )}
    </span>
  );
}
