// The only list of features: screens, panels, and the view of a model. A new screen is a folder and one entry here.

import {
  Activity,
  Box,
  Gauge,
  House,
  ChartGantt,
  ListChecks,
  ScanSearch,
  ScrollText,
  Server,
  Settings,
  TriangleAlert,
} from 'lucide-react';

import type { FeatureDefinition, PanelDefinition } from '../lib/feature.ts';
import { lazyView } from '../lib/lazy-view.ts';

/** In the order in which rail and palette show them. */
export const features: readonly FeatureDefinition[] = [
  {
    area: 'models',
    title: 'rail.models',
    icon: Box,
    rail: 'top',
    View: lazyView(async () => (await import('./repository/repository-view.tsx')).RepositoryView),
  },
  {
    area: 'perf',
    title: 'rail.perf',
    icon: Gauge,
    rail: 'top',
    View: lazyView(async () => (await import('./perf/perf-view.tsx')).PerfScreen),
  },
  {
    area: 'analyzer',
    title: 'rail.analyzer',
    icon: ScanSearch,
    rail: 'top',
    View: lazyView(async () => (await import('./analyzer/analyzer-view.tsx')).AnalyzerScreen),
  },
  {
    area: 'traces',
    title: 'rail.traces',
    icon: ChartGantt,
    rail: 'top',
    View: lazyView(async () => (await import('./traces/traces-view.tsx')).TracesScreen),
  },
  {
    area: 'server',
    title: 'rail.server',
    icon: Server,
    rail: 'top',
    parts: [
      { tab: 'metrics', title: 'rail.server.metrics' },
      { tab: 'memory', title: 'rail.server.memory' },
    ],
    View: lazyView(async () => (await import('./server/server-view.tsx')).ServerScreen),
  },
  {
    area: 'settings',
    title: 'rail.settings',
    icon: Settings,
    rail: 'bottom',
    View: lazyView(async () => (await import('./settings/settings-view.tsx')).SettingsScreen),
  },
  {
    area: 'first-run',
    title: 'rail.firstRun',
    icon: House,
    rail: 'none',
    View: lazyView(async () => (await import('./first-run/first-run-view.tsx')).FirstRunView),
  },
];

/** The screen of one model. */
export const modelView: FeatureDefinition = {
  area: 'models',
  title: 'rail.models',
  icon: Box,
  rail: 'none',
  View: lazyView(async () => (await import('./model/model-view.tsx')).ModelScreen),
};

/** An example of what goes into a model and what comes out, on its overview. */
export const modelSample = lazyView(
  async () => (await import('./playground/components/sample-card.tsx')).SampleCard,
);

/** The panels below the screen, in the order of their tabs. */
export const bottomPanels: readonly PanelDefinition[] = [
  {
    id: 'logs',
    title: 'bottom.logs',
    icon: ScrollText,
    View: lazyView(async () => (await import('./logs/log-view.tsx')).LogsPanel),
  },
  {
    id: 'problems',
    title: 'bottom.problems',
    icon: TriangleAlert,
    View: lazyView(async () => (await import('./problems/problems-panel.tsx')).ProblemsPanel),
  },
  {
    id: 'tasks',
    title: 'bottom.tasks',
    icon: ListChecks,
    View: lazyView(async () => (await import('./tasks/tasks-panel.tsx')).TasksPanel),
  },
  {
    id: 'requests',
    title: 'bottom.requests',
    icon: Activity,
    View: lazyView(async () => (await import('./requests/requests-panel.tsx')).RequestsPanel),
  },
];
