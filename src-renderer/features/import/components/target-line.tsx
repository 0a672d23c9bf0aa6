// Where a model that is made in a dialog is written, said before it is, and that a repository is made with it.

import { useModels } from '../../../engine/engine-context.tsx';
import { t } from '../../../texts/translate.ts';

/** `repository`: its path; nothing is said where there is none. */
export function TargetLine({ repository }: { readonly repository: string | undefined }) {
  const isOpen = useModels(({ repositories }) => repositories.some(({ path }) => path === repository));
  if (repository === undefined) return null;
  return (
    <p className="text-sm text-faint" data-testid="target-repository">
      {t('code.new.repository')}: <code className="break-all">{repository}</code>
      {!isOpen && <span className="block">{t('wizard.repository.new')}</span>}
    </p>
  );
}
