// The Server screen: on or off, and below that its tabs: an overview, what its metrics say, the memory clients registered.

import { useServer } from '../../engine/engine-context.tsx';
import { address as addressOf } from '../../lib/address.ts';
import type { FeatureViewProps } from '../../lib/feature.ts';
import { open } from '../../lib/workspace-store.ts';
import { t } from '../../texts/translate.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { ServerHeader } from './components/server-header.tsx';
import { MetricsTab } from './metrics/metrics-tab.tsx';
import { ServerOverview } from './server-overview.tsx';
import { SharedMemoryTab } from './shared-memory/shared-memory-tab.tsx';

const TABS = ['overview', 'metrics', 'memory'] as const;

/** The address names a tab, or a card of the overview. */
export function ServerScreen({ address }: FeatureViewProps) {
  const view = useServer((server) => server);
  if (view === undefined) return <Skeleton rows={8} />;
  const tab = TABS.find((id) => id === address.tab) ?? 'overview';
  return (
    <div className="flex min-h-0 flex-1 flex-col" data-testid="server-view">
      <div className="mx-auto w-full max-w-[120rem] px-4 pt-3 pb-1">
        <ServerHeader view={view} />
      </div>
      <Tabs
        label={t('server.tabs')}
        items={TABS.map((id) => ({ id, title: t(`server.tab.${id}`), testId: `server-tab-${id}` }))}
        value={tab}
        isTitled
        onChange={(id) => open(addressOf('server', { tab: id }))}
      >
        {tab === 'overview' && <ServerOverview address={address} view={view} />}
        {tab === 'metrics' && <MetricsTab server={view} />}
        {tab === 'memory' && <SharedMemoryTab />}
      </Tabs>
    </div>
  );
}
