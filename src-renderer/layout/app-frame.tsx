// The frame of the window: title bar, rail, main area, inspector, bottom panel, status bar, and what floats above them.

import type { ReactNode } from 'react';
import { useEffect } from 'react';

import type { FeatureDefinition, PanelDefinition } from '../lib/feature.ts';
import { useMedia } from '../lib/use-media.ts';
import { activeTab, setSizes, useWorkspace, workspace } from '../lib/workspace-store.ts';
import { t } from '../texts/translate.ts';
import { Announcer } from '../ui/announcer.tsx';
import { ConfirmHost } from '../ui/confirm.tsx';
import { Split } from '../ui/split.tsx';
import { ToastHost } from '../ui/toast.tsx';
import { BottomPanel } from './bottom-panel.tsx';
import { CommandPalette } from './command-palette.tsx';
import { ConnectionStrip } from './connection-strip.tsx';
import { CrashStrip } from './crash-strip.tsx';
import { ErrorBoundary } from './error-boundary.tsx';
import { FrameCommands } from './frame-commands.tsx';
import { Inspector } from './inspector.tsx';
import { MainArea } from './main-area.tsx';
import { Rail } from './rail.tsx';
import { StatusBar } from './status-bar.tsx';
import { StoppingStrip } from './stopping-strip.tsx';
import { TitleBar } from './title-bar.tsx';
import { useAnnouncements } from './use-announcements.ts';
import { useAppearance, useNumberLocale } from './use-appearance.ts';
import { useGlobalShortcuts } from './use-global-shortcuts.ts';
import { useTaskNotices } from './use-task-notices.ts';
import { useUnsavedGuard } from './use-unsaved-guard.ts';
import { usePersistence } from './use-persistence.ts';

/** What the frame is filled with. */
export interface AppFrameProps {
  readonly features: readonly FeatureDefinition[];
  /** Draws wb://models/<name>. */
  readonly modelView: FeatureDefinition;
  readonly panels: readonly PanelDefinition[];
  /** What features show above or below everything else: dialogs, overlays, strips. */
  readonly hosts: ReactNode;
}

/** Everything around the screens. */
export function AppFrame({ features, modelView, panels, hosts }: AppFrameProps) {
  useAppearance();
  const locale = useNumberLocale();
  usePersistence();
  useAnnouncements();
  useTaskNotices();
  useUnsavedGuard();
  useGlobalShortcuts();
  return (
    <div className="flex h-full flex-col">
      <TitleBar />
      <ConnectionStrip />
      <CrashStrip />
      <StoppingStrip />
      <div className="flex min-h-0 flex-1">
        <ErrorBoundary>
          <Rail features={features} />
        </ErrorBoundary>
        <Workbench features={features} modelView={modelView} panels={panels} locale={locale} />
      </div>
      <ErrorBoundary>{hosts}</ErrorBoundary>
      <ErrorBoundary>
        <StatusBar />
      </ErrorBoundary>
      <FrameCommands features={features} />
      <CommandPalette features={features} />
      <ConfirmHost />
      <ToastHost />
      <Announcer />
    </div>
  );
}

/** `locale`: rows of tables are kept as they are drawn, so panels beside the view are drawn anew when it changes. */
function Workbench({
  features,
  modelView,
  panels,
  locale,
}: Omit<AppFrameProps, 'hosts'> & { readonly locale: string }) {
  const isInspectorOpen = useWorkspace((state) => state.isInspectorOpen);
  const isBottomOpen = useWorkspace((state) => state.isBottomOpen);
  const columns = useWorkspace((state) => state.sizes['columns']);
  const rows = useWorkspace((state) => state.sizes['rows']);
  const main = { id: 'main', minSize: 320, content: <MainArea features={features} modelView={modelView} /> };
  const inspector = {
    id: 'inspector',
    minSize: 220,
    maxSize: '45%',
    defaultSize: 296,
    isFixed: true,
    content: <Inspector key={locale} />,
  };
  const top = (
    <Split
      id="columns"
      label={t('region.resize')}
      panels={isInspectorOpen ? [main, inspector] : [main]}
      sizes={columns}
      onSizes={(sizes) => setSizes('columns', sizes)}
    />
  );
  const bottom = {
    id: 'bottom',
    minSize: 110,
    defaultSize: 220,
    isFixed: true,
    content: <BottomPanel key={locale} panels={panels} />,
  };
  const isLow = useMedia(LOW);
  const isCovered = isLow && isBottomOpen;
  useUncovering(isCovered);
  const upper = {
    id: 'upper',
    minSize: 180,
    content: (
      <div inert={isCovered} className="flex min-h-0 min-w-0 flex-1 flex-col">
        {top}
      </div>
    ),
  };
  return (
    <div className="relative flex min-h-0 min-w-0 flex-1 flex-col">
      <Split
        id="rows"
        orientation="vertical"
        label={t('region.resize')}
        panels={isBottomOpen && !isLow ? [upper, bottom] : [upper]}
        sizes={rows}
        onSizes={(sizes) => setSizes('rows', sizes)}
      />
      {isCovered && <div className="absolute inset-0 z-20 flex flex-col">{bottom.content}</div>}
    </div>
  );
}

/** Of a window this low, such as one at 200 %, a view and the panel below it would both show nothing but their heads. */
const LOW = '(max-height: 559px)';

/** What is opened from the panel, or beside it, is to be seen. */
function useUncovering(isCovered: boolean): void {
  useEffect(() => {
    if (!isCovered) return undefined;
    return workspace.subscribe((now, before) => {
      if (activeTab(now) !== activeTab(before)) workspace.setState({ isBottomOpen: false });
    });
  }, [isCovered]);
}
