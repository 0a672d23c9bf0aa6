// What was chosen last: it is there again when the dialog is opened anew.

import { createStore } from 'zustand/vanilla';

import type { HandoverChoices, HandoverPlan } from '../../../src-shared/contract/handover-calls.ts';

/** `plan` undefined = nothing was chosen yet. */
export const keptPlan = createStore<{ readonly plan: HandoverPlan | undefined }>(() => ({ plan: undefined }));

/** The plan to begin with: places belong to the repositories that are open now. */
export function firstPlan({ usual, repositories }: HandoverChoices): HandoverPlan {
  const { plan = usual } = keptPlan.getState();
  return { ...plan, locations: repositories.map((_repository, at) => plan.locations[at] ?? '') };
}
