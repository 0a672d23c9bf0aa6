// What the Analyzer keeps while its tab is not shown: what is in the form. Results live in the engine.

import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';

import type { AnalyzeRequest } from '../../../src-shared/contract/analyze-calls.ts';

/** undefined = not touched: the default holds. */
export type FormChanges = Partial<AnalyzeRequest>;

const analyzerForm = createStore<{ readonly changes: FormChanges }>(() => ({ changes: {} }));

/** Puts values into the form. */
export function changeForm(changes: FormChanges): void {
  analyzerForm.setState({ changes: { ...analyzerForm.getState().changes, ...changes } });
}

/** Defaults of the reference; more instances than processors only wait for each other. */
export function useRequest(model: string, cpuCount: number): AnalyzeRequest {
  const changes = useStore(analyzerForm, (state) => state.changes);
  return {
    model,
    mode: 'brute',
    maxInstances: Math.max(1, Math.min(5, cpuCount)),
    maxBatchSize: 128,
    maxConcurrency: 1024,
    latencyLimitMs: 0,
    seconds: 0,
    windowMs: 1000,
    ...changes,
    ...(model !== '' && { model }),
  };
}

/** A measurement takes three windows at least, each a fifth longer than asked for, and a moment to start. */
const WINDOWS = 3;
const STRETCH = 1.2;
const START_MS = 700;

/** What a search may take at most, as long as every measurement is stable at once. */
export function estimateOf(request: AnalyzeRequest): {
  readonly configs: number;
  readonly loads: number;
  readonly durationMs: number;
} {
  const sizes = Math.floor(Math.log2(request.maxBatchSize)) + 1;
  const configs = 1 + request.maxInstances * sizes;
  const loads = Math.floor(Math.log2(request.maxConcurrency)) + 1;
  const durationMs = configs * loads * (WINDOWS * STRETCH * request.windowMs + START_MS);
  const limitMs = request.seconds === 0 ? Infinity : request.seconds * 1000;
  return { configs, loads, durationMs: Math.min(durationMs, limitMs) };
}
