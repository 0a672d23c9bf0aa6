// The only list of features: screens, panels, and the view of a model. A new screen is a folder and one entry here.

import {
  Activity,
  Box,
  Gauge,
  House,
  ListChecks,
  ScrollText,
  Server,
  Settings,
  TriangleAlert,
} from 'lucide-react';
import { lazy } from 'react';

import type { FeatureDefinition, PanelDefinition } from '../lib/feature.ts';

export const features: readonly FeatureDefinition[] = [
  {
    area: 'models',
    title: 'rail.models',
    icon: Box,
    rail: 'top',
    View: lazy(async () => ({ default: (await import('./repository/repository-view.tsx')).RepositoryView })),
  },
  {
    area: 'perf',
    title: 'rail.perf',
    icon: Gauge,
    rail: 'top',
    View: lazy(async () => ({ default: (await import('./perf/perf-view.tsx')).PerfScreen })),
  },
  {
    area: 'server',
    title: 'rail.server',
    icon: Server,
    rail: 'top',
    View: lazy(async () => ({ default: (await import('./server/server-view.tsx')).ServerScreen })),
  },
  {
    area: 'settings',
    title: 'rail.settings',
    icon: Settings,
    rail: 'bottom',
    View: lazy(async () => ({ default: (await import('./settings/settings-view.tsx')).SettingsScreen })),
  },
  {
    area: 'first-run',
    title: 'rail.firstRun',
    icon: House,
    rail: 'none',
    View: lazy(async () => ({ default: (await import('./first-run/first-run-view.tsx')).FirstRunView })),
  },
];

export const modelView: FeatureDefinition = {
  area: 'models',
  title: 'rail.models',
  icon: Box,
  rail: 'none',
  View: lazy(async () => ({ default: (await import('./model/model-view.tsx')).ModelScreen })),
};

export const bottomPanels: readonly PanelDefinition[] = [
  {
    id: 'logs',
    title: 'bottom.logs',
    icon: ScrollText,
    View: lazy(async () => ({ default: (await import('./logs/log-view.tsx')).LogsPanel })),
  },
  {
    id: 'problems',
    title: 'bottom.problems',
    icon: TriangleAlert,
    View: lazy(async () => ({ default: (await import('./problems/problems-panel.tsx')).ProblemsPanel })),
  },
  {
    id: 'tasks',
    title: 'bottom.tasks',
    icon: ListChecks,
    View: lazy(async () => ({ default: (await import('./tasks/tasks-panel.tsx')).TasksPanel })),
  },
  {
    id: 'requests',
    title: 'bottom.requests',
    icon: Activity,
    View: lazy(async () => ({ default: (await import('./requests/requests-panel.tsx')).RequestsPanel })),
  },
];
