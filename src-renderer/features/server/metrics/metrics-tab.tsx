// What the server's metrics say: every family with its value and two minutes of it, and one family in full.

import { Search } from 'lucide-react';
import { useMemo } from 'react';
import { useStore } from 'zustand';

import type { MetricFamilyView } from '../../../../src-shared/contract/metrics-calls.ts';
import type { ServerView } from '../../../../src-shared/contract/observe-views.ts';
import { endpointOf, endpointUrl } from '../../../actions/server-actions.ts';
import { formatCount } from '../../../lib/format.ts';
import { setSizes, useWorkspace } from '../../../lib/workspace-store.ts';
import { t } from '../../../texts/translate.ts';
import { Button } from '../../../ui/button.tsx';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { DataTable } from '../../../ui/data-table.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { TextInput } from '../../../ui/inputs.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { Sparkline } from '../../../ui/sparkline.tsx';
import { Split } from '../../../ui/split.tsx';
import type { Column } from '../../../ui/table-model.ts';
import { FamilyDetails } from './family-details.tsx';
import { groupOfFamily } from './metric-groups.ts';
import type { MetricTrack } from './metric-history.ts';
import { familyTrack, metricsStore } from './metric-history.ts';
import { formatMetric, formatPoint } from './metric-units.ts';
import { useMetrics } from './use-metrics.ts';

const SPLIT = 'server-metrics';

interface FamilyRow {
  readonly family: MetricFamilyView;
  readonly track: MetricTrack | undefined;
}

/** Read while it is shown; numbers of the last reading stay while the server cannot be asked. */
export function MetricsTab({ server }: { readonly server: ServerView }) {
  const error = useMetrics();
  const view = useStore(metricsStore, (state) => state.view);
  const sizes = useWorkspace((state) => state.sizes[SPLIT]);
  const family = useStore(metricsStore, (state) => state.family);
  const chosen = view?.families.find(({ name }) => name === family);
  if (view === undefined) {
    if (error === undefined) return <Skeleton rows={8} />;
    return <EmptyState testId="metrics-failed" title={t('metrics.failed')} text={error} />;
  }
  if (!view.isOn) {
    return <EmptyState testId="metrics-off" title={t('metrics.off')} text={t('metrics.offText')} />;
  }
  return (
    <div className="flex min-h-0 flex-1 flex-col" data-testid="metrics-view">
      <MetricsBar server={server} error={error} />
      <Split
        id={SPLIT}
        label={t('metrics.split')}
        sizes={sizes}
        onSizes={(next) => setSizes(SPLIT, next)}
        panels={[
          { id: 'families', minSize: 340, content: <FamilyList /> },
          {
            id: 'family',
            defaultSize: '46%',
            minSize: 300,
            content:
              chosen === undefined ? (
                <EmptyState title={t('metrics.choose')} text={t('metrics.chooseText')} />
              ) : (
                <FamilyDetails family={chosen} url={endpointUrl(endpointOf(server, 'metrics'))} />
              ),
          },
        ]}
      />
    </div>
  );
}

function MetricsBar({ server, error }: { readonly server: ServerView; readonly error: string | undefined }) {
  const filter = useStore(metricsStore, (state) => state.filter);
  const endpoint = endpointOf(server, 'metrics');
  const url = endpointUrl(endpoint);
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-line px-3 py-1.5">
      <TextInput
        icon={Search}
        value={filter}
        onChange={(next) => metricsStore.setState({ filter: next })}
        placeholder={t('metrics.filter')}
        aria-label={t('metrics.filter')}
        data-testid="metrics-filter"
        className="w-64"
      />
      <span className="text-sm text-faint">{t('metrics.every')}</span>
      {error !== undefined && <span className="text-sm text-bad">{error}</span>}
      <span className="ml-auto flex items-center gap-2">
        {url !== undefined && endpoint?.isListening === true ? (
          <>
            <code className="text-soft">{url}</code>
            <CopyButton
              text={url}
              label={t('server.endpoint.copy', { name: t('server.endpoint.metrics') })}
              isIconOnly
            />
          </>
        ) : (
          <span className="text-soft" data-testid="metrics-closed">
            {t('metrics.closed')}
          </span>
        )}
      </span>
    </div>
  );
}

/** The row with the focus is the family that is looked at. */
function FamilyList() {
  const view = useStore(metricsStore, (state) => state.view);
  const tracks = useStore(metricsStore, (state) => state.tracks);
  const filter = useStore(metricsStore, (state) => state.filter);
  const family = useStore(metricsStore, (state) => state.family);
  const rows = useMemo(() => {
    const wanted = filter.trim().toLowerCase();
    return (view?.families ?? [])
      .filter(({ name, help = '' }) => `${name} ${help}`.toLowerCase().includes(wanted))
      .map((one): FamilyRow => ({ family: one, track: familyTrack(tracks, one) }));
  }, [view, tracks, filter]);
  const selected = useMemo(() => new Set(family === undefined ? [] : [family]), [family]);
  return (
    <DataTable<FamilyRow>
      label={t('metrics.families')}
      testId="metrics-families"
      rows={rows}
      columns={COLUMNS}
      keyOf={keyOf}
      groupOf={groupOf}
      viewKey={filter}
      testIdOf={(row) => `metric-${row.family.name}`}
      selected={selected}
      onSelected={(keys) => choose([...keys].at(-1))}
      onOpen={(row) => choose(row.family.name)}
      empty={
        <EmptyState
          testId="metrics-none"
          title={t('metrics.none')}
          text={t('metrics.noneText', { count: view?.families.length ?? 0 })}
          actions={
            <Button worksOffline onClick={() => metricsStore.setState({ filter: '' })}>
              {t('metrics.showAll')}
            </Button>
          }
        />
      }
    />
  );
}

const keyOf = ({ family }: FamilyRow): string => family.name;
const groupOf = ({ family }: FamilyRow): string => groupOfFamily(family.name);

function choose(family: string | undefined): void {
  if (family !== metricsStore.getState().family) metricsStore.setState({ family, match: '' });
}

const COLUMNS: readonly Column<FamilyRow>[] = [
  {
    id: 'name',
    title: t('metrics.col.name'),
    // Of the longest name of the server's own; the kind, which the details repeat, gives way to it.
    width: 304,
    isGrowing: true,
    sortValue: keyOf,
    cell: ({ family: { name, help } }) => (
      <code className="truncate text-strong" title={help}>
        {name}
      </code>
    ),
  },
  {
    id: 'kind',
    title: t('metrics.col.kind'),
    width: 90,
    dropOrder: 1,
    sortValue: ({ family }) => family.kind,
    cell: ({ family }) => <span className="text-soft">{t(`metrics.kind.${family.kind}`)}</span>,
  },
  {
    id: 'series',
    title: t('metrics.col.series'),
    help: t('metrics.col.seriesHelp'),
    width: 70,
    align: 'end',
    dropOrder: 2,
    sortValue: ({ family }) => family.seriesCount,
    cell: ({ family }) => formatCount(family.seriesCount),
  },
  {
    id: 'value',
    title: t('metrics.col.value'),
    help: t('metrics.col.valueHelp'),
    width: 90,
    align: 'end',
    sortValue: ({ family }) => family.value ?? NaN,
    cell: ({ family: { name, kind, value } }) => (
      <span className="text-strong tabular-nums" title={value === undefined ? undefined : String(value)}>
        {formatMetric(kind === 'counter' || kind === 'gauge' ? name : `${name}_count`, value)}
      </span>
    ),
  },
  {
    id: 'trend',
    title: t('metrics.col.trend'),
    help: t('metrics.col.trendHelp'),
    width: 160,
    align: 'end',
    dropOrder: 3,
    sortValue: ({ track }) => track?.points.at(-1) ?? NaN,
    cell: ({ family, track }) => <Trend name={family.name} kind={family.kind} track={track} />,
  },
];

function Trend({
  name,
  kind,
  track,
}: {
  readonly name: string;
  readonly kind: MetricFamilyView['kind'];
  readonly track: MetricTrack | undefined;
}) {
  const counted = kind === 'counter' || kind === 'gauge' ? name : `${name}_count`;
  const now = formatPoint(counted, kind, track?.points.at(-1));
  return (
    <span className="flex items-center gap-2">
      {/* Of a gauge the column beside says it. */}
      {kind !== 'gauge' && <span className="text-soft tabular-nums">{now}</span>}
      <Sparkline points={track?.points ?? []} label={t('metrics.trendOf', { name, value: now })} />
    </span>
  );
}
