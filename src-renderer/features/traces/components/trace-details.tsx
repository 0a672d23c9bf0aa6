// One request or one execution in full, beside the list.

import { t } from '../../../texts/translate.ts';
import { EmptyState } from '../../../ui/empty-state.tsx';
import type { TraceViewData } from '../use-trace-view.ts';
import { ExecutionDetails } from './execution-details.tsx';
import { RequestDetails } from './request-details.tsx';

/** Scrolls by itself. */
export function TraceDetails({ view }: { readonly view: TraceViewData }) {
  const { choice, byId, layout } = view;
  const row = choice?.kind === 'request' ? byId.get(choice.id) : undefined;
  const block = choice?.kind === 'execution' ? layout.blockById.get(choice.id) : undefined;
  return (
    <div className="flex min-h-0 flex-1 flex-col overflow-auto bg-canvas p-3" data-testid="trace-details">
      {row !== undefined && <RequestDetails view={view} row={row} />}
      {block !== undefined && <ExecutionDetails block={block} />}
      {row === undefined && block === undefined && (
        <EmptyState title={t('traces.choose.title')} text={t('traces.choose.text')} />
      )}
    </div>
  );
}
