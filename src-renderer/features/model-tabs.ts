// The only list of a model's sub-tabs, in their order. A new one is a feature folder and one entry here.

import type { ModelTabDefinition } from '../lib/feature.ts';
import { lazyView } from '../lib/lazy-view.ts';

/** The tabs of a model, in the order they are shown. */
export const modelTabs: readonly ModelTabDefinition[] = [
  {
    id: 'overview',
    title: 'model.tab.overview',
    View: lazyView(async () => (await import('./model/overview-tab.tsx')).OverviewTab),
  },
  {
    id: 'code',
    title: 'model.tab.code',
    isFor: ({ format }) => format === 'source',
    View: lazyView(async () => (await import('./code/code-tab.tsx')).CodeTab),
  },
  {
    id: 'config',
    title: 'model.tab.config',
    View: lazyView(async () => (await import('./config-editor/config-tab.tsx')).ConfigTab),
  },
  {
    id: 'versions',
    title: 'model.tab.versions',
    View: lazyView(async () => (await import('./model/versions/versions-tab.tsx')).VersionsTab),
  },
  {
    id: 'warmup',
    title: 'model.tab.warmup',
    View: lazyView(async () => (await import('./warmup/warmup-tab.tsx')).WarmupTab),
  },
  {
    id: 'playground',
    title: 'model.tab.playground',
    View: lazyView(async () => (await import('./playground/playground-view.tsx')).PlaygroundTab),
  },
  {
    id: 'statistics',
    title: 'model.tab.statistics',
    View: lazyView(async () => (await import('./statistics/statistics-tab.tsx')).StatisticsTab),
  },
  {
    id: 'graph',
    title: 'model.tab.graph',
    View: lazyView(async () => (await import('./graph/graph-tab.tsx')).GraphTab),
  },
  {
    id: 'logs',
    title: 'model.tab.logs',
    View: lazyView(async () => (await import('./logs/model-logs-tab.tsx')).ModelLogsTab),
  },
];
