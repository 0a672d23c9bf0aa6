// From a traced request to its tensors, where they were captured.

import type { TraceRow } from '../../../../src-shared/contract/trace-row.ts';
import { useCall } from '../../../engine/use-call.ts';
import { modelAddress } from '../../../lib/address.ts';
import { hasModelTab } from '../../../lib/areas.ts';
import { open } from '../../../lib/workspace-store.ts';
import { t } from '../../../texts/translate.ts';
import { Button } from '../../../ui/button.tsx';

/** The request in the playground, to send again or to save; without its tensors one sentence says how to keep them. */
export function CapturedLink({ row: { id, model } }: { readonly row: TraceRow }) {
  const { data } = useCall('capture/ofTrace', { traceId: id });
  if (data === undefined || !hasModelTab('playground')) return null;
  const captured = data.row;
  if (captured?.hasTensors !== true)
    return <p className="mt-2 text-sm text-faint">{t('traces.captured.none')}</p>;
  return (
    <div className="mt-3">
      <Button
        size="sm"
        data-testid="trace-open-captured"
        onClick={() => open(modelAddress(model, 'playground', { captured: String(captured.id) }))}
      >
        {t('traces.captured.open')}
      </Button>
    </div>
  );
}
