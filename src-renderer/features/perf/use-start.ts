// Starting and stopping from the form, the palette and the keyboard, with the reason when a start is not possible.

import { useEffect } from 'react';
import { useShallow } from 'zustand/react/shallow';

import type { PerfPlan } from '../../../src-shared/contract/perf-plan.ts';
import { useClient, useEngine, useModels } from '../../engine/engine-context.tsx';
import { useAction } from '../../engine/use-action.ts';
import { useCall } from '../../engine/use-call.ts';
import type { Address } from '../../lib/address.ts';
import { useCommand } from '../../lib/command-registry.ts';
import { shortcutOf } from '../../lib/keys.ts';
import { workspace } from '../../lib/workspace-store.ts';
import { t } from '../../texts/translate.ts';
import { likelyModel } from './likely-model.ts';
import { keepPlan, readPlan } from './kept-plan.ts';
import { startRun, stopRun } from './perf-actions.ts';
import { changePlan, chooseModel, perfUi, usePerf } from './perf-store.ts';
import { planProblem, sweepCount } from './plan-edit.ts';
import type { RunsState } from './use-perf.ts';

const STOP_KEYS = 'Mod+.';

/** The model of the address, else the likeliest one (`likelyModel`). */
export function useChosenModel(wanted: string, { runs, isLoading }: RunsState): void {
  const latest = runs[0]?.model;
  const { samples } = useEngine().state;
  const ready = useModels(
    useShallow(({ models }) => models.filter(({ state }) => state === 'ready').map(({ name }) => name)),
  );
  useEffect(() => {
    if (wanted !== '') chooseModel(wanted);
  }, [wanted]);
  useEffect(() => {
    if (isLoading || perfUi.getState().model !== undefined) return;
    const { byModel } = samples.getState();
    const likely = likelyModel({
      ready,
      measured: latest,
      opened: workspace.getState().tabs.map(({ address: { model } }) => model),
      inferPerSecond: (name) => byModel.get(name)?.inferPerSecond ?? 0,
    });
    if (likely !== undefined) chooseModel(likely);
  }, [ready, latest, isLoading, samples]);
}

/** Addresses whose preset was taken: what is changed in the form since stays. */
const followed = new WeakSet<Address>();

/** An address may name a preset: it is put into the form once. */
export function usePreset(address: Address): void {
  const wanted = address.query['preset'] ?? '';
  const model = usePerf((state) => state.model);
  const hasPlan = usePerf((state) => state.plan !== undefined);
  const defaults = useCall('perf/plan', model === undefined ? undefined : { model });
  const preset = defaults.data?.presets.find(({ name }) => name.toLowerCase() === wanted.toLowerCase());
  useEffect(() => {
    if (!hasPlan || preset === undefined || followed.has(address)) return;
    followed.add(address);
    const { load, measurement } = preset.plan;
    changePlan({ load, measurement });
  }, [address, hasPlan, preset]);
}

/** Whether a run goes on, and what the start button does. */
export interface StartState {
  readonly isRunning: boolean;
  /** Starts what is in the form; does nothing while a start is under way. */
  readonly run: () => void;
  /** Why it cannot start now; undefined = it can. */
  readonly reason: string | undefined;
}

/** Starting what is in the form, with its commands and keys. Mounted once by the screen. */
export function useStart(): StartState {
  const client = useClient();
  const model = usePerf((state) => state.model);
  const plan = usePerf((state) => state.plan);
  const sweep = usePerf((state) => state.sweep);
  // Only whose run goes on: its progress comes four times a second, and the form is not to be drawn that often.
  const runId = usePerf((state) => state.live?.runId);
  const defaults = useCall('perf/plan', model === undefined ? undefined : { model });
  useKeptPlan(model, defaults.data?.plan);
  const { isRunning, run } = useAction(() => startRun(client));
  const isEmptySweep = sweep !== undefined && sweepCount(sweep) === 0;
  const problem =
    plan === undefined ? t('perf.problem.noPlan') : planProblem(plan, defaults.data?.openShapes ?? []);
  const reason = isEmptySweep ? t('perf.problem.sweep') : problem;
  useCommand('perf.start', run, () => reason);
  useCommand('screen.main', run, () => reason);
  const stop = useAction(() => stopRun(client, runId ?? ''));
  useCommand('perf.stop', stop.run, () => (runId === undefined ? t('perf.nothingRuns') : undefined));
  useStopKeys(runId === undefined ? undefined : stop.run);
  return { isRunning, run, reason };
}

const KEEP_DELAY_MS = 500;

/** A model's plan begins as it was left, else with the defaults; what is changed is kept. */
function useKeptPlan(model: string | undefined, initial: PerfPlan | undefined): void {
  const client = useClient();
  const plan = usePerf((state) => state.plan);
  useEffect(() => {
    if (model === undefined || initial === undefined || plan !== undefined) return undefined;
    let isCurrent = true;
    void readPlan(client, model).then((kept) => {
      if (isCurrent && perfUi.getState().plan === undefined) perfUi.setState({ plan: kept ?? initial });
    });
    return () => {
      isCurrent = false;
    };
  }, [client, model, initial, plan]);
  useEffect(() => {
    if (plan === undefined || plan === initial) return undefined;
    const timer = setTimeout(() => void keepPlan(client, plan), KEEP_DELAY_MS);
    return () => {
      clearTimeout(timer);
      // Another model was chosen right after the change.
      if (perfUi.getState().model !== plan.model) void keepPlan(client, plan);
    };
  }, [client, plan, initial]);
}

/** Ends the run before any other use of the keys; without a run they keep it. */
function useStopKeys(stop: (() => void) | undefined): void {
  useEffect(() => {
    if (stop === undefined) return undefined;
    const onKeyDown = (event: KeyboardEvent): void => {
      if (shortcutOf(event) !== STOP_KEYS) return;
      event.preventDefault();
      stop();
    };
    window.addEventListener('keydown', onKeyDown, { capture: true });
    return () => window.removeEventListener('keydown', onKeyDown, { capture: true });
  }, [stop]);
}
