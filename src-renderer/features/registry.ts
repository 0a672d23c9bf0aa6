// The only list of features: screens, panels, and the view of a model. A new screen is a folder and one entry here.

import { Box } from 'lucide-react';
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
];

export const modelView: FeatureDefinition = {
  area: 'models',
  title: 'rail.models',
  icon: Box,
  rail: 'none',
  View: lazy(async () => ({ default: (await import('./model/model-view.tsx')).ModelScreen })),
};

export const bottomPanels: readonly PanelDefinition[] = [];
