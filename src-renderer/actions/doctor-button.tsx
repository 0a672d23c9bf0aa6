// The way to the batch doctor of a model, wherever its batches are told of.

import { Stethoscope } from 'lucide-react';

import { modelAddress } from '../lib/address.ts';
import { hasModelTab } from '../lib/areas.ts';
import { open } from '../lib/workspace-store.ts';
import { t } from '../texts/translate.ts';
import { Button } from '../ui/button.tsx';

/** Nothing in a build without statistics. */
export function DoctorButton({ model }: { readonly model: string }) {
  if (!hasModelTab('statistics')) return null;
  return (
    <Button
      size="sm"
      icon={Stethoscope}
      data-testid="ask-doctor"
      onClick={() => open(modelAddress(model, 'statistics'))}
    >
      {t('model.doctor')}
    </Button>
  );
}
