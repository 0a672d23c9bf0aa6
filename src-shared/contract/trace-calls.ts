// Calls about traces in the window: where the time of requests went, and which of them ran together. They are taken beside
// the trace setting of the protocol, which they neither read nor change. Off by default.

import { z } from 'zod';

import { defineCall } from './define.ts';
import type { PackedTraces } from './trace-pack.ts';

/** Which requests are traced from now on. `next` ends after so many, `all` after so many seconds. */
const traceMode = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('next'), count: z.number().int().min(1).max(50_000) }),
  z.object({ kind: z.literal('sampled'), rate: z.number().int().min(1).max(1_000_000) }),
  z.object({ kind: z.literal('all'), seconds: z.number().int().min(1).max(600) }),
]);

/** Which requests are traced. */
export type TraceMode = z.infer<typeof traceMode>;

/** What is traced now, and what of it is kept. Rows are numbered from 0 in the order in which they ended. */
export interface TraceState {
  /** undefined = off. */
  readonly mode: TraceMode | undefined;
  /** Requests that mode `next` still takes; else 0. */
  readonly remainingCount: number;
  /** Wall clock at which mode `all` ends; else 0. */
  readonly endsAtMs: number;
  /** Traced requests that have not ended. */
  readonly openCount: number;
  /** Number of the oldest row that is kept. */
  readonly firstRow: number;
  /** Number of the row that comes next. */
  readonly nextRow: number;
  /** Rows that went because newer ones needed their place. */
  readonly droppedCount: number;
  /** Rows that are kept at most. */
  readonly capacity: number;
  /** Another after each clearing, so that a page knows that the rows it has are gone. */
  readonly generation: number;
}

/** Those that change something answer with the state behind it. */
export const traceCalls = [
  defineCall('traces/state', z.object({}))<TraceState>(),
  /** What was traced before stays. */
  defineCall('traces/start', z.object({ mode: traceMode }))<TraceState>(),
  /** Requests that are under way are still recorded. */
  defineCall('traces/stop', z.object({}))<TraceState>(),
  defineCall('traces/clear', z.object({}))<TraceState>(),
  /** Rows from this number on, in order, as many as one message takes. */
  defineCall('traces/read', z.object({ fromRow: z.number().int().min(0) }))<PackedTraces>(),
] as const;
