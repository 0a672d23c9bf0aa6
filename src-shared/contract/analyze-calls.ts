// Calls of the Analyzer: one search for the fastest configuration of a model at a time, which is kept over restarts of
// the engine. Every change comes as analyze/changed.

import { z } from 'zod';

import { defineCall } from './define.ts';

const analyzeRequestSchema = z.object({
  model: z.string().min(1),
  mode: z.enum(['brute', 'quick']),
  maxInstances: z.number().int().min(1).max(64),
  /** Powers of two up to this. */
  maxBatchSize: z.number().int().min(1).max(4096),
  maxConcurrency: z.number().int().min(1).max(4096),
  /** p99 may be this at most; 0 = no limit. */
  latencyLimitMs: z.number().nonnegative(),
  /** Nothing new is begun after so long; 0 = no limit. */
  seconds: z.number().nonnegative(),
  /** Length of one of the windows of a measurement. */
  windowMs: z.number().int().min(20),
});
/** What a search may try, and what it must keep to. */
export type AnalyzeRequest = z.infer<typeof analyzeRequestSchema>;

/** One configuration at its best load; without a load where it could not be measured. */
export interface AnalyzeTrial {
  readonly variant: string;
  readonly isDefault: boolean;
  /** "2:CPU" */
  readonly instanceGroup: string;
  readonly maxBatchSize: number;
  readonly load: number;
  readonly inferPerSecond: number;
  readonly p99Us: number;
  /** Its windows agreed; other numbers are only a hint. */
  readonly isStable: boolean;
  readonly isPassing: boolean;
  /** No other one that keeps to the limit has both more throughput and less latency. */
  readonly isPareto: boolean;
  /** undefined = it was measured. */
  readonly failure: string | undefined;
}

/** A search with everything that was found so far. */
export interface AnalyzeView {
  readonly request: AnalyzeRequest;
  /** stopped: can be gone on with. */
  readonly state: 'running' | 'stopped' | 'done' | 'failed';
  /** Why it failed, undefined otherwise. */
  readonly error: string | undefined;
  /** The last line that it said. */
  readonly said: string;
  /** Measured so far. */
  readonly measurementCount: number;
  /** The best first. */
  readonly trials: readonly AnalyzeTrial[];
  /** Name of the best of them that keeps to the limit, the default among them; undefined = none. */
  readonly best: string | undefined;
  /** What was found, and whether it is more than noise. */
  readonly sentence: string;
  /** That the machine changed meanwhile; undefined = it did not. */
  readonly driftSentence: string | undefined;
  /** Text of config.pbtxt with what the best one changes; undefined when nothing is clearly better than what there is. */
  readonly bestConfigText: string | undefined;
}

/** Answered at once; measuring goes on behind the answers. */
export const analyzeCalls = [
  /** The search that goes on, or the last one; undefined = there was none. */
  defineCall('analyze/view', z.object({}))<{ readonly view: AnalyzeView | undefined }>(),
  /** Replaces what is kept of an earlier search. UNAVAILABLE while something is measured. */
  defineCall('analyze/start', analyzeRequestSchema)<void>(),
  /** Goes on with what is kept; nothing is measured twice. */
  defineCall('analyze/resume', z.object({}))<void>(),
  /** After the measurement that goes on. Answers at once. */
  defineCall('analyze/stop', z.object({}))<void>(),
  defineCall('analyze/export', z.object({ format: z.enum(['html', 'csv']) }))<{
    readonly fileName: string;
    readonly text: string;
  }>(),
] as const;
