// The only list of a model's sub-tabs, in their order. A new one is a feature folder and one entry here.

import { lazy } from 'react';

import type { ModelTabDefinition } from '../lib/feature.ts';

export const modelTabs: readonly ModelTabDefinition[] = [
  {
    id: 'overview',
    title: 'model.tab.overview',
    View: lazy(async () => ({ default: (await import('./model/overview-tab.tsx')).OverviewTab })),
  },
  {
    id: 'code',
    title: 'model.tab.code',
    isFor: ({ format }) => format === 'source',
    View: lazy(async () => ({ default: (await import('./code/code-tab.tsx')).CodeTab })),
  },
  {
    id: 'config',
    title: 'model.tab.config',
    View: lazy(async () => ({ default: (await import('./config-editor/config-tab.tsx')).ConfigTab })),
  },
  {
    id: 'versions',
    title: 'model.tab.versions',
    View: lazy(async () => ({ default: (await import('./model/versions/versions-tab.tsx')).VersionsTab })),
  },
  {
    id: 'warmup',
    title: 'model.tab.warmup',
    View: lazy(async () => ({ default: (await import('./warmup/warmup-tab.tsx')).WarmupTab })),
  },
  {
    id: 'playground',
    title: 'model.tab.playground',
    View: lazy(async () => ({ default: (await import('./playground/playground-view.tsx')).PlaygroundTab })),
  },
  {
    id: 'statistics',
    title: 'model.tab.statistics',
    View: lazy(async () => ({ default: (await import('./statistics/statistics-tab.tsx')).StatisticsTab })),
  },
  {
    id: 'graph',
    title: 'model.tab.graph',
    View: lazy(async () => ({ default: (await import('./graph/graph-tab.tsx')).GraphTab })),
  },
  {
    id: 'logs',
    title: 'model.tab.logs',
    View: lazy(async () => ({ default: (await import('./logs/model-logs-tab.tsx')).ModelLogsTab })),
  },
];
