// Calls of the Perf lab. One run goes on at a time, others wait in a queue; what was measured stays when a run is
// stopped. Progress comes as perf/progress, the end as perf/finished.

import { z } from 'zod';

import { defineCall } from './define.ts';
import type { InterfaceTensor } from './inference-calls.ts';
import type { PerfPlan } from './perf-plan.ts';
import { perfPlanSchema } from './perf-plan.ts';
import type {
  PerfApplied,
  PerfComparison,
  PerfProgress,
  PerfRun,
  PerfRunSummary,
  PerfSweepResult,
} from './perf-views.ts';

const run = z.object({ run: z.string() });

/** Values to try; an empty list leaves that field as it is. Every combination is measured. */
const perfSweepSchema = z.object({
  instanceCounts: z.array(z.number().int().positive()),
  maxBatchSizes: z.array(z.number().int().nonnegative()),
  queueDelaysUs: z.array(z.number().int().nonnegative()),
  intraOpThreads: z.array(z.number().int().positive()),
});
/** Values of configuration fields that are tried one after the other. */
export type PerfSweep = z.infer<typeof perfSweepSchema>;

/** What the form of a new run begins with: a plan that suits the model, and what the model is. */
export interface PerfDefaults {
  readonly plan: PerfPlan;
  readonly inputs: readonly (InterfaceTensor & { readonly optional: boolean })[];
  readonly maxBatchSize: number;
  readonly isSequence: boolean;
  readonly isDecoupled: boolean;
  /** Inputs whose variable dimensions must be given in `plan.data.shapes`; prefilled with 1. */
  readonly openShapes: readonly string[];
  readonly presets: readonly { readonly name: string; readonly about: string; readonly plan: PerfPlan }[];
  /** Configuration the model runs with now, for the override field: its file as it is, comments and all, where that is it. */
  readonly configText: string;
}

/** Of runs by their id; NOT_FOUND for one that is not kept. */
export const perfCalls = [
  defineCall('perf/plan', z.object({ model: z.string() }))<PerfDefaults>(),
  /** Starts or queues; with a sweep one run per combination, in order. Answers at once. */
  defineCall(
    'perf/start',
    z.object({
      plan: perfPlanSchema,
      name: z.string(),
      /** Load this configuration for the run; files are left alone. undefined = as served. */
      configText: z.string().optional(),
      sweep: perfSweepSchema.optional(),
    }),
  )<{ readonly runs: readonly string[]; readonly sweep: string }>(),
  /** Ends the run and keeps what is measured; a queued run is dropped. For a sweep its id ends the rest too. */
  defineCall('perf/stop', run)<void>(),
  defineCall('perf/skip', run)<void>(),
  defineCall('perf/pause', z.object({ run: z.string(), isPaused: z.boolean() }))<void>(),
  /** Newest first. `model` "" = all. */
  defineCall('perf/runs', z.object({ model: z.string() }))<readonly PerfRunSummary[]>(),
  defineCall('perf/run', run)<PerfRun>(),
  /** Snapshot for pages that connect during a run; undefined = nothing runs. */
  defineCall('perf/current', z.object({}))<{ readonly progress: PerfProgress | undefined }>(),
  defineCall('perf/delete', run)<void>(),
  defineCall(
    'perf/note',
    z.object({
      run: z.string(),
      name: z.string().optional(),
      note: z.string().optional(),
      isStarred: z.boolean().optional(),
    }),
  )<PerfRunSummary>(),
  /** 2 to 4 runs; differences are against the first. */
  defineCall('perf/compare', z.object({ runs: z.array(z.string()).min(2).max(4) }))<PerfComparison>(),
  defineCall('perf/sweep', z.object({ sweep: z.string() }))<PerfSweepResult>(),
  defineCall(
    'perf/export',
    z.object({ run: z.string(), format: z.enum(['csv', 'json', 'markdown', 'issue']) }),
  )<{
    readonly fileName: string;
    readonly text: string;
  }>(),
  /** Every request of a run that kept them, in perf_analyzer's profile-export form, as a blob. NOT_FOUND without. */
  defineCall('perf/exportRequests', run)<{
    readonly fileName: string;
    readonly blob: string;
    readonly byteSize: number;
  }>(),
  /**
   * Writes the configuration of a run into the model's file and reloads. `verifyMs` > 0 measures before and after for
   * that long. ALREADY_EXISTS when the file changed since `expectedHash` was read (undefined = there was none).
   */
  defineCall(
    'perf/apply',
    z.object({
      run: z.string(),
      expectedHash: z.string().optional(),
      verifyMs: z.number().nonnegative().max(120_000),
    }),
  )<PerfApplied>(),
  /** Puts the previous text back and reloads. */
  defineCall('perf/undoApply', z.object({ applyId: z.string() }))<{ readonly text: string }>(),
  /**
   * A perf_analyzer command line as a plan; unknown flags are listed, not refused. Without a server in the line, or with
   * this one's address, the plan's `url` is "".
   */
  defineCall('perf/parseCommand', z.object({ command: z.string() }))<{
    readonly plan: PerfPlan;
    readonly unknown: readonly string[];
    /** Why it cannot be used; empty = it can. */
    readonly problems: readonly string[];
    /** What was understood but has no effect, or is old. */
    readonly warnings: readonly string[];
  }>(),
  defineCall('perf/toCommand', z.object({ plan: perfPlanSchema }))<{
    readonly command: string;
    /** Parts of the plan that perf_analyzer cannot express. */
    readonly missing: readonly string[];
  }>(),
] as const;
