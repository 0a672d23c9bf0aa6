// Which screens and model sub-tabs this build has, so that a button to one appears only when it leads somewhere.

import { createStore } from 'zustand/vanilla';

export const areas = createStore<{
  readonly screens: ReadonlySet<string>;
  readonly modelTabs: ReadonlySet<string>;
}>(() => ({ screens: new Set(), modelTabs: new Set() }));

export function hasScreen(area: string): boolean {
  return areas.getState().screens.has(area);
}

export function hasModelTab(id: string): boolean {
  return areas.getState().modelTabs.has(id);
}
