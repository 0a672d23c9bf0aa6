// Where a model that is made in a dialog is written, said before it is.

import { t } from '../../../texts/translate.ts';

/** `repository`: its path; nothing is said where there is none. */
export function TargetLine({ repository }: { readonly repository: string | undefined }) {
  if (repository === undefined) return null;
  return (
    <p className="text-sm text-faint" data-testid="target-repository">
      {t('code.new.repository')}: <code className="break-all">{repository}</code>
    </p>
  );
}
