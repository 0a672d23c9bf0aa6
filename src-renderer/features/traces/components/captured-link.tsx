// From a traced request to its tensors, where they were captured.

import { useState } from 'react';

import type { TraceRow } from '../../../../src-shared/contract/trace-row.ts';
import { useCall } from '../../../engine/use-call.ts';
import { modelAddress } from '../../../lib/address.ts';
import { hasModelTab } from '../../../lib/areas.ts';
import { open } from '../../../lib/workspace-store.ts';
import { CapturedDialog } from '../../../tensors/captured-dialog.tsx';
import { t } from '../../../texts/translate.ts';
import { Button } from '../../../ui/button.tsx';

/** The request with its tensors, to send again at once, or in the playground to change or save; without its tensors one sentence says how to keep them. */
export function CapturedLink({ row: { id, model } }: { readonly row: TraceRow }) {
  const [isShown, setIsShown] = useState(false);
  const { data } = useCall('capture/ofTrace', { traceId: id });
  if (data === undefined) return null;
  const captured = data.row;
  if (captured?.hasTensors !== true)
    return <p className="mt-2 text-sm text-faint">{t('traces.captured.none')}</p>;
  return (
    <div className="mt-3 flex flex-wrap gap-2">
      <Button size="sm" data-testid="trace-show-captured" onClick={() => setIsShown(true)}>
        {t('traces.captured.show')}
      </Button>
      {hasModelTab('playground') && (
        <Button
          size="sm"
          data-testid="trace-open-captured"
          onClick={() => open(modelAddress(model, 'playground', { captured: String(captured.id) }))}
        >
          {t('traces.captured.open')}
        </Button>
      )}
      {isShown && <CapturedDialog row={captured} onClose={() => setIsShown(false)} />}
    </div>
  );
}
