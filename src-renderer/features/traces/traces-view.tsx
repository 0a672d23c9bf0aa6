// Traces: what is traced, the timeline of instances, the requests, and one of them or one execution in full.

import type { FeatureViewProps } from '../../lib/feature.ts';
import { setSizes, useWorkspace } from '../../lib/workspace-store.ts';
import { t } from '../../texts/translate.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Split } from '../../ui/split.tsx';
import { TraceBanners } from './components/trace-banners.tsx';
import { TraceDetails } from './components/trace-details.tsx';
import { TraceEmpty } from './components/trace-empty.tsx';
import { TraceList } from './components/trace-list.tsx';
import { TraceToolbar } from './components/trace-toolbar.tsx';
import { Timeline } from './components/timeline.tsx';
import { useFollowTraces } from './follow-traces.ts';
import { useTraces } from './trace-store.ts';
import { useRunTraces } from './use-run-traces.ts';
import type { TraceViewData } from './use-trace-view.ts';
import { useTraceView } from './use-trace-view.ts';

const ROWS_SPLIT = 'traces-rows';
const COLUMNS_SPLIT = 'traces-columns';

/** Rows are fetched while it is shown; what was fetched stays. */
export function TracesScreen({ address }: FeatureViewProps) {
  useFollowTraces();
  useRunTraces(address);
  const view = useTraceView();
  const isKnown = useTraces(({ state, file }) => state !== undefined || file !== undefined);
  return (
    <div className="flex min-h-0 flex-1 flex-col" data-testid="trace-view">
      <TraceToolbar view={view} />
      <TraceBanners />
      {!isKnown && <Skeleton rows={6} />}
      {isKnown && view.rows.length === 0 && <TraceEmpty />}
      {view.rows.length > 0 && <Panels view={view} />}
    </div>
  );
}

function Panels({ view }: { readonly view: TraceViewData }) {
  const rowSizes = useWorkspace((state) => state.sizes[ROWS_SPLIT]);
  const columnSizes = useWorkspace((state) => state.sizes[COLUMNS_SPLIT]);
  return (
    <Split
      id={ROWS_SPLIT}
      label={t('traces.split')}
      orientation="vertical"
      sizes={rowSizes}
      onSizes={(next) => setSizes(ROWS_SPLIT, next)}
      panels={[
        { id: 'timeline', defaultSize: '38%', minSize: 110, content: <Timeline view={view} /> },
        {
          id: 'requests',
          minSize: 140,
          content: (
            <Split
              id={COLUMNS_SPLIT}
              label={t('traces.split')}
              sizes={columnSizes}
              onSizes={(next) => setSizes(COLUMNS_SPLIT, next)}
              panels={[
                { id: 'list', minSize: 320, content: <TraceList view={view} /> },
                { id: 'details', defaultSize: '42%', minSize: 280, content: <TraceDetails view={view} /> },
              ]}
            />
          ),
        },
      ]}
    />
  );
}
