// The icon of a tab: a screen's own, or the state of a model, so that a failing model shows in its tab, and one that is
// gone. A further folder of a name has no state.

import { Box, Copy, SearchX } from 'lucide-react';

import { useModel, useModels } from '../engine/engine-context.tsx';
import { repositoryOf } from '../lib/address.ts';
import type { FeatureDefinition } from '../lib/feature.ts';
import { shownState } from '../lib/model-state.ts';
import type { WorkspaceTab } from '../lib/workspace-store.ts';
import { Icon } from '../ui/icon.tsx';
import { StateIcon } from '../ui/state-chip.tsx';

/** The state of a tab's model, or the icon of its screen. */
export function TabIcon({
  tab,
  features,
}: {
  readonly tab: WorkspaceTab;
  readonly features: readonly FeatureDefinition[];
}) {
  const model = useModel(tab.address.model);
  const isLoadedOnce = useModels((state) => state.isLoaded);
  if (repositoryOf(tab.address) !== undefined) return <Icon of={Copy} size={14} className="shrink-0" />;
  if (tab.address.model !== '') {
    if (model !== undefined) return <StateIcon state={shownState(model)} />;
    return <Icon of={isLoadedOnce ? SearchX : Box} size={14} className="shrink-0 text-faint" />;
  }
  const feature = features.find(({ area }) => area === tab.address.area);
  return <Icon of={feature?.icon ?? Box} size={14} className="shrink-0" />;
}
