// The panel below the main area: logs, problems, tasks, requests. Its content is mounted only while it is shown.

import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { Suspense } from 'react';
import { useStore } from 'zustand';

import { useEngine, useModels } from '../engine/engine-context.tsx';
import { useLiveModels } from '../engine/use-live-models.ts';
import type { PanelDefinition } from '../lib/feature.ts';
import { formatCount } from '../lib/format.ts';
import { displayShortcut } from '../lib/keys.ts';
import { shortcutFor } from '../lib/keymap.ts';
import { problemCount } from '../lib/problem-count.ts';
import { showBottom, useWorkspace, workspace } from '../lib/workspace-store.ts';
import { t } from '../texts/translate.ts';
import { Badge } from '../ui/badge.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { Tabs } from '../ui/tabs.tsx';
import { ErrorBoundary } from './error-boundary.tsx';

/** The panels at the bottom, one in front. */
export function BottomPanel({ panels }: { readonly panels: readonly PanelDefinition[] }) {
  const chosen = useWorkspace((state) => state.bottomTab);
  const panel = panels.find(({ id }) => id === chosen) ?? panels[0];
  if (panel === undefined) return null;
  return (
    <section
      data-region="bottom"
      data-testid="bottom-panel"
      aria-label={t('region.bottom')}
      className="flex min-h-0 flex-1 flex-col bg-surface"
    >
      <Tabs
        label={t('region.bottom')}
        items={panels.map(({ id, title, icon }) => ({
          id,
          title: t(title),
          icon,
          testId: `bottom-${id}`,
          mark: <PanelMark id={id} />,
        }))}
        value={panel.id}
        onChange={showBottom}
        trailing={
          <IconButton
            label={t('bottom.close')}
            icon={X}
            shortcut={displayShortcut(shortcutFor('view.toggleBottomPanel'))}
            tooltipSide="left"
            onClick={() => workspace.setState({ isBottomOpen: false })}
          />
        }
      >
        <ErrorBoundary resetKey={panel.id}>
          <Suspense fallback={<Skeleton />}>
            <panel.View />
          </Suspense>
        </ErrorBoundary>
      </Tabs>
    </section>
  );
}

function PanelMark({ id }: { readonly id: string }): ReactNode {
  const repositories = useModels((state) => state.repositories);
  const problems = problemCount(useLiveModels(), repositories);
  const running = useStore(
    useEngine().state.tasks,
    ({ tasks }) => tasks.filter(({ state }) => state === 'running').length,
  );
  const count = id === 'problems' ? problems : id === 'tasks' ? running : 0;
  return count === 0 ? null : <Badge tone={id === 'problems' ? 'warn' : 'info'}>{formatCount(count)}</Badge>;
}
