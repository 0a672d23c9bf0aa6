// A model's tab that closes takes its drawing along: what runs is ended, how it was looked at is forgotten. Started once,
// with the first Graph tab.

import { modelAddress, tabIdOf } from '../../lib/address.ts';
import { workspace } from '../../lib/workspace-store.ts';
import { forgetView, graphViews } from './graph-views.ts';
import { layouts, modelOf } from './layouts.ts';

let isStarted = false;

/** Safe to call again. */
export function startGraphSession(): void {
  if (isStarted) return;
  isStarted = true;
  workspace.subscribe(({ tabs }, before) => {
    if (tabs === before.tabs) return;
    const open = new Set(tabs.map(({ id }) => id));
    const isOpen = (model: string): boolean => open.has(tabIdOf(modelAddress(model)));
    layouts.forget((place) => !isOpen(modelOf(place)));
    for (const model of Object.keys(graphViews.getState().byModel)) if (!isOpen(model)) forgetView(model);
  });
}
