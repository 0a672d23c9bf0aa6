// Which screens and model sub-tabs this build has: told once when the window is put together, so that a button to one
// appears only when it leads somewhere, and no screen has to know another.

import type { ComponentType } from 'react';
import { createStore } from 'zustand/vanilla';

import type { ModelTabDefinition } from './feature.ts';

/** Which screens, tabs and samples this build has; filled once, when the window starts. */
export const areas = createStore<{
  readonly screens: ReadonlySet<string>;
  /** In the order they are shown. */
  readonly modelTabs: readonly ModelTabDefinition[];
  /** An example of what goes into a model and what comes out; undefined in a build without a playground. */
  readonly modelSample: ComponentType<{ readonly model: string; readonly version: string }> | undefined;
}>(() => ({ screens: new Set(), modelTabs: [], modelSample: undefined }));

/** Whether this build has the screen of an area. */
export function hasScreen(area: string): boolean {
  return areas.getState().screens.has(area);
}

/** Whether this build has the sub-tab; whether a model has it, its definition says. */
export function hasModelTab(id: string): boolean {
  return areas.getState().modelTabs.some((tab) => tab.id === id);
}
