// What the live numbers say about an ensemble's steps: state, time, share, and the chain of steps that a request waits
// for longest. Pure.

import type { EnsembleActivity } from '../../../src-shared/contract/graph-calls.ts';
import type { ModelView } from '../../../src-shared/contract/model-view.ts';
import type { DagStep, EnsembleDag } from './ensemble-dag.ts';

/** "failed" = it broke the newest request, or keeps the ensemble from running. */
export type StepState = 'ready' | 'loading' | 'unloaded' | 'failed' | 'missing';

/** One step now; times are microseconds. */
export interface StepLoad {
  readonly state: StepState;
  /** Why it is not ready, or how it failed; undefined = nothing to say. */
  readonly reason: string | undefined;
  readonly meanUs: number | undefined;
  /** Of the ensemble's mean, 0..1. */
  readonly share: number | undefined;
  /** Newest requests that the mean is of. */
  readonly runCount: number;
  readonly failureCount: number;
  readonly isCritical: boolean;
}

/** The drawing, the models it is of, and what was measured; `activity` is undefined until the engine told it. */
export interface EnsembleLoadInput {
  readonly dag: EnsembleDag;
  readonly ensemble: ModelView;
  readonly models: ReadonlyMap<string, ModelView>;
  readonly activity: EnsembleActivity | undefined;
}

/** By step index. */
export function ensembleLoad({ dag, ensemble, models, activity }: EnsembleLoadInput): readonly StepLoad[] {
  const steps = dag.nodes.filter((node) => node.kind === 'step');
  const meanOf = ({ index }: DagStep): number =>
    activity?.steps.find(({ stepIndex }) => stepIndex === index)?.meanUs ?? 0;
  const path = criticalSteps(dag, meanOf);
  // A mark that every step has tells nothing.
  const critical = path.size < steps.length ? path : new Set<number>();
  const isAnyReady = steps.some(({ model }) => models.get(model)?.state === 'ready');
  return steps.map((step) => {
    const own = activity?.steps.find(({ stepIndex }) => stepIndex === step.index);
    const meanUs = own === undefined || own.meanUs === 0 ? undefined : own.meanUs;
    const view = models.get(step.model);
    const hasBroken = own?.hasFailedLast === true;
    return {
      ...(hasBroken && view?.state === 'ready'
        ? { state: 'failed' as const, reason: activity?.lastError || undefined }
        : stepState(step, view, ensemble, isAnyReady)),
      meanUs,
      share:
        meanUs === undefined || activity === undefined || activity.meanUs === 0
          ? undefined
          : Math.min(1, meanUs / activity.meanUs),
      runCount: own?.runCount ?? 0,
      failureCount: own?.failureCount ?? 0,
      isCritical: critical.has(step.index),
    };
  });
}

/**
 * A step that is not loaded while others are keeps the ensemble from running, so it counts as failed; where nothing is
 * loaded, nothing is wrong.
 */
function stepState(
  step: DagStep,
  view: ModelView | undefined,
  ensemble: ModelView,
  isAnyReady: boolean,
): Pick<StepLoad, 'state' | 'reason'> {
  if (view === undefined)
    return step.isMissing
      ? { state: 'missing', reason: undefined }
      : { state: 'unloaded', reason: undefined };
  switch (view.state) {
    case 'ready':
    case 'unloading':
      return { state: 'ready', reason: undefined };
    case 'loading':
      return { state: 'loading', reason: view.phase };
    case 'failed':
      return { state: 'failed', reason: (view.failure?.original ?? view.reason) || undefined };
    case 'unloaded':
    case 'not-runnable': {
      const isBlocking = ensemble.state !== 'ready' && ensemble.state !== 'loading' && isAnyReady;
      return { state: isBlocking ? 'failed' : 'unloaded', reason: view.reason || undefined };
    }
  }
}

/** Steps on the chain with the greatest sum of means. Empty while nothing was measured. */
export function criticalSteps(dag: EnsembleDag, meanOf: (step: DagStep) => number): ReadonlySet<number> {
  const steps = new Map(
    dag.nodes.flatMap((node) => (node.kind === 'step' ? [[node.id, node] as const] : [])),
  );
  const best = new Map<string, { readonly total: number; readonly before: string | undefined }>();
  const visit = (id: string, above: ReadonlySet<string>): { total: number; before: string | undefined } => {
    const known = best.get(id);
    if (known !== undefined) return known;
    const step = steps.get(id);
    if (step === undefined || above.has(id)) return { total: 0, before: undefined };
    const inner = new Set([...above, id]);
    let longest: { total: number; before: string | undefined } = { total: 0, before: undefined };
    for (const { from, to } of dag.edges) {
      if (to.node !== id || !steps.has(from.node)) continue;
      const { total } = visit(from.node, inner);
      if (total > longest.total) longest = { total, before: from.node };
    }
    const result = { total: longest.total + meanOf(step), before: longest.before };
    best.set(id, result);
    return result;
  };
  let end: string | undefined;
  let most = 0;
  for (const id of steps.keys()) {
    const { total } = visit(id, new Set());
    if (total > most) [end, most] = [id, total];
  }
  const found = new Set<number>();
  for (let id = end; id !== undefined; id = best.get(id)?.before) {
    const index = steps.get(id)?.index;
    if (index !== undefined) found.add(index);
  }
  return found;
}
