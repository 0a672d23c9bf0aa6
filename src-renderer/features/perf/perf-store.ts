// What the Perf lab keeps while its tab is not shown: the plan in the form, what is looked at, the run that goes on.
// Results live in the engine; nothing here is needed to find them again.

import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';

import type { PerfSweep } from '../../../src-shared/contract/perf-calls.ts';
import type { PerfPlan } from '../../../src-shared/contract/perf-plan.ts';
import type { PerfApplied, PerfProgress } from '../../../src-shared/contract/perf-views.ts';
import type { LiveRun } from './live-run.ts';
import { withProgress } from './live-run.ts';
import { NO_SWEEP } from './plan-edit.ts';

/** What is shown at the right. */
export type PerfPane = 'run' | 'history' | 'compare' | 'sweep';

/** The Perf lab of this window; there is one for all models. */
export interface PerfState {
  /** Model in the form; undefined = none chosen yet. */
  readonly model: string | undefined;
  readonly plan: PerfPlan | undefined;
  /** Name for the next run. */
  readonly name: string;
  /** Configuration for the next run; undefined = as served. */
  readonly override: string | undefined;
  /** Values of a sweep; undefined = one run. */
  readonly sweep: PerfSweep | undefined;
  readonly pane: PerfPane;
  /** Run that is shown; undefined = the newest. */
  readonly runId: string | undefined;
  readonly levelIndex: number | undefined;
  /** At most four, in the order they were chosen. */
  readonly compared: readonly string[];
  readonly sweepId: string;
  readonly live: LiveRun | undefined;
  /** Grows when a run started, ended, or was changed: lists are read again. */
  readonly turn: number;
  /** Name of the model whose configuration is being written and checked; undefined = none. */
  readonly applying: string | undefined;
  readonly applied: (PerfApplied & { readonly model: string }) | undefined;
}

/** Nothing chosen, no run; tests put it back between them. */
export const INITIAL_PERF: PerfState = {
  model: undefined,
  plan: undefined,
  name: '',
  override: undefined,
  sweep: undefined,
  pane: 'run',
  runId: undefined,
  levelIndex: undefined,
  compared: [],
  sweepId: '',
  live: undefined,
  turn: 0,
  applying: undefined,
  applied: undefined,
};

/** Changed by the functions below. */
export const perfUi = createStore<PerfState>(() => INITIAL_PERF);

/** A part of what the Perf lab keeps. */
export function usePerf<T>(select: (state: PerfState) => T): T {
  return useStore(perfUi, select);
}

/** Puts another model into the form; its plan comes as it was left. Nothing when it is there already. */
export function chooseModel(model: string): void {
  if (perfUi.getState().model === model) return;
  perfUi.setState({ model, plan: undefined, override: undefined, sweep: undefined });
}

/** Changes fields of the plan in the form; nothing without a plan. */
export function changePlan(changes: Partial<PerfPlan>): void {
  const { plan } = perfUi.getState();
  if (plan !== undefined) perfUi.setState({ plan: { ...plan, ...changes } });
}

/** The same for how it is measured. */
export function changeMeasurement(changes: Partial<PerfPlan['measurement']>): void {
  const { plan } = perfUi.getState();
  if (plan !== undefined) changePlan({ measurement: { ...plan.measurement, ...changes } });
}

/** Changes values of the sweep, which begins with this when there was none. */
export function changeSweep(changes: Partial<PerfSweep>): void {
  perfUi.setState({ sweep: { ...(perfUi.getState().sweep ?? NO_SWEEP), ...changes } });
}

/** Takes news of the run that goes on. */
export function applyProgress(progress: PerfProgress): void {
  perfUi.setState({ live: withProgress(perfUi.getState().live, progress) });
}

/** Shows a run; its levels are looked at from the best one. */
export function showRun(runId: string): void {
  perfUi.setState({ runId, levelIndex: undefined, pane: 'run' });
}

/** Has the lists of runs read again. */
export function refreshRuns(): void {
  perfUi.setState({ turn: perfUi.getState().turn + 1 });
}

/** Runs that are compared at a time, each in a colour of its own. */
export const MAX_COMPARED = 4;

/** Puts a run into the comparison or takes it out; a fifth takes the place of the oldest. */
export function toggleCompared(runId: string): void {
  const { compared } = perfUi.getState();
  const next = compared.includes(runId)
    ? compared.filter((other) => other !== runId)
    : [...compared, runId].slice(-MAX_COMPARED);
  perfUi.setState({ compared: next });
}
