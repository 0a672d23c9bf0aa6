// The page of a model that is no longer there.

import { SearchX } from 'lucide-react';

import { address } from '../../../lib/address.ts';
import { open } from '../../../lib/workspace-store.ts';
import { t } from '../../../texts/translate.ts';
import { Button } from '../../../ui/button.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';

/** Offers the way back to the list. */
export function ModelGone({ name }: { readonly name: string }) {
  return (
    <EmptyState
      icon={SearchX}
      testId="model-gone"
      title={t('model.gone.title', { name })}
      text={t('model.gone.text')}
      actions={<Button onClick={() => open(address('models'))}>{t('model.gone.back')}</Button>}
    />
  );
}
