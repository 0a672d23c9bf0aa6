// When enough was measured: the last three windows agree in throughput and in the latency that was chosen.

import type { PerfMeasured } from '../../../src-shared/contract/perf-views.ts';

/** The latest windows that have to agree, and that a result is merged of. */
export const COMPARED_WINDOWS = 3;

/** The reference lets time windows run a fifth longer than asked. */
export const TIME_STRETCH = 1.2;

/** When windows are alike enough. */
export interface StabilityRules {
  readonly stabilityPercent: number;
  /** 0 = the mean. */
  readonly percentile: number;
  /** 0 = none. */
  readonly latencyLimitMs: number;
  /** Latency may drift: only throughput has to agree. */
  readonly isAsync: boolean;
}

/** Whether a level is stable, or needs further windows; spreads are percent of the mean. */
export type StabilityVerdict =
  | { readonly kind: 'more'; readonly spreadPercent: number | undefined }
  | { readonly kind: 'stable'; readonly spreadPercent: number; readonly isLatencyDrifting: boolean }
  | { readonly kind: 'over-limit' };

/** The latency that has to be stable and within the limit, in us. */
export function stabilizingLatencyUs(measured: PerfMeasured, percentile: number): number {
  return percentile === 0 ? measured.meanUs : (measured.percentilesUs[String(percentile)] ?? 0);
}

/**
 * How many times the asked length the next window has, after so many that did not agree: in a short window one pause of
 * the machine is a tenth of it, so every three windows that did not help are followed by twice as long ones.
 */
export function windowStretch(windowCount: number, growsWindows: boolean): number {
  return growsWindows ? 2 ** Math.floor(windowCount / COMPARED_WINDOWS) : 1;
}

function spread(values: readonly number[]): number {
  const low = Math.min(...values);
  return low <= 0 ? Infinity : (Math.max(...values) / low - 1) * 100;
}

/** Whether the last three windows agree, and by how many percent they differ. */
export function judgeStability(windows: readonly PerfMeasured[], rules: StabilityRules): StabilityVerdict {
  if (windows.length < COMPARED_WINDOWS) return { kind: 'more', spreadPercent: undefined };
  const last = windows.slice(-COMPARED_WINDOWS);
  const latencies = last.map((window) => stabilizingLatencyUs(window, rules.percentile));
  const limitUs = rules.latencyLimitMs * 1000;
  if (limitUs > 0 && latencies.every((latency) => latency > limitUs)) return { kind: 'over-limit' };
  const throughputSpread = spread(last.map(({ inferPerSecond }) => inferPerSecond));
  const latencySpread = spread(latencies);
  const allowed = rules.stabilityPercent;
  const isLatencyStable = latencySpread <= allowed;
  if (throughputSpread <= allowed && (isLatencyStable || rules.isAsync)) {
    return { kind: 'stable', spreadPercent: throughputSpread, isLatencyDrifting: !isLatencyStable };
  }
  return { kind: 'more', spreadPercent: Math.max(throughputSpread, latencySpread) };
}

/** "Window 4: +-3.1 % over the last 3, limit 10 %: stable" */
export function stabilityText(windowCount: number, verdict: StabilityVerdict, rules: StabilityRules): string {
  if (verdict.kind === 'over-limit')
    return `Window ${windowCount}: latency above the limit of ${rules.latencyLimitMs} ms`;
  const { spreadPercent } = verdict;
  if (spreadPercent === undefined)
    return `Window ${windowCount} of at least ${COMPARED_WINDOWS}: stability is judged over ${COMPARED_WINDOWS} windows`;
  const shown = Number.isFinite(spreadPercent) ? `${spreadPercent.toFixed(1)} %` : 'no bound';
  const end = verdict.kind === 'stable' ? 'stable' : 'not stable yet';
  return `Window ${windowCount}: ${shown} over the last ${COMPARED_WINDOWS}, limit ${rules.stabilityPercent} %: ${end}`;
}
