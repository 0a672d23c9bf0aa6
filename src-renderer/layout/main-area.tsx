// The view of the active tab. Only that one is mounted: charts of hidden tabs cost nothing, and what must survive lives
// in stores.

import { Suspense, useRef } from 'react';

import type { FeatureDefinition } from '../lib/feature.ts';
import { activeTab, useWorkspace } from '../lib/workspace-store.ts';
import { t } from '../texts/translate.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { ErrorBoundary } from './error-boundary.tsx';
import { tabName, TabStrip } from './tab-strip.tsx';
import { useKeptFocus } from './use-kept-focus.ts';
import { useSpokenView } from './use-spoken-view.ts';

/** The screen or model of the active tab. */
export function MainArea({
  features,
  modelView,
}: {
  readonly features: readonly FeatureDefinition[];
  readonly modelView: FeatureDefinition;
}) {
  const main = useRef<HTMLElement>(null);
  const tab = useWorkspace((state) => activeTab(state));
  const panels = useWorkspace(({ isBottomOpen, isInspectorOpen }) => `${isBottomOpen} ${isInspectorOpen}`);
  useKeptFocus(main, tab?.id ?? '', panels);
  const name = tab === undefined ? t('region.main') : tabName(tab, features);
  useSpokenView(main, tab?.id ?? '', name);
  const feature =
    tab === undefined || tab.address.model !== ''
      ? modelView
      : features.find(({ area }) => area === tab.address.area);
  return (
    <main
      ref={main}
      data-region="main"
      aria-label={name}
      tabIndex={-1}
      className="flex min-h-0 min-w-0 flex-1 flex-col bg-surface focus-inset"
    >
      <TabStrip features={features} />
      {/* A model and the Welcome page show their names. Screens of the rail are named there, which is not in here. */}
      {feature !== undefined && feature.rail !== 'none' && <h1 className="sr-only">{t(feature.title)}</h1>}
      <ErrorBoundary resetKey={tab?.id ?? ''}>
        <Suspense fallback={<Skeleton rows={6} />}>
          {tab !== undefined && feature !== undefined ? (
            <feature.View key={tab.id} address={tab.address} />
          ) : (
            <EmptyState title={t('command.notInRelease')} />
          )}
        </Suspense>
      </ErrorBoundary>
    </main>
  );
}
