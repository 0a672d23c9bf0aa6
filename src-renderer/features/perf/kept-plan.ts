// The plan of each model as it was left, kept with the app's own data: a reload of the page or a restart of the app
// brings it back. A plan that no longer has the right form is left out.

import { perfPlanSchema } from '../../../src-shared/contract/perf-plan.ts';
import type { PerfPlan } from '../../../src-shared/contract/perf-plan.ts';
import type { EngineClient } from '../../engine/engine-client.ts';

/** Texts that are pasted into a plan can be long; those stay in the window. */
const MAX_JSON = 50_000;

function keyOf(model: string): string {
  return `perf plan ${model}`;
}

/** Whether it is short enough to be kept. */
export function isKept(plan: PerfPlan): boolean {
  return JSON.stringify(plan).length <= MAX_JSON;
}

/** The plan of a model as it was left; undefined without one. Never throws. */
export async function readPlan(client: EngineClient, model: string): Promise<PerfPlan | undefined> {
  try {
    const { json } = await client.call('settings/readLayout', { key: keyOf(model) });
    const parsed = json === '' ? undefined : perfPlanSchema.safeParse(JSON.parse(json));
    return parsed?.success === true && parsed.data.model === model ? parsed.data : undefined;
  } catch {
    return undefined;
  }
}

/** Never throws: a plan that is not kept is still in the form. */
export async function keepPlan(client: EngineClient, plan: PerfPlan): Promise<void> {
  if (!isKept(plan)) return;
  const json = JSON.stringify(plan);
  await client.call('settings/writeLayout', { key: keyOf(plan.model), json }).catch(() => undefined);
}
