// Calls about what the server does: samples, series, statistics, executions, logs.

import { z } from 'zod';

import { defineCall } from './define.ts';
import type {
  DoctorVerdict,
  ExecutionView,
  LogLine,
  ResourcePoint,
  SeriesAnswer,
  ServerSample,
  StatisticsView,
} from './observe-views.ts';
import { WINDOWS } from './observe-views.ts';

const target = z.object({ model: z.string(), version: z.string() });

/** Times are wall-clock milliseconds. Nothing is reset for others. */
export const observeCalls = [
  defineCall('observe/sample', z.object({}))<ServerSample>(),
  /** Points that began after `afterMs` (0 = all), so that a page that follows a chart is sent each point once. */
  defineCall(
    'observe/series',
    target.extend({ window: z.enum(WINDOWS), afterMs: z.number() }),
  )<SeriesAnswer>(),
  /** Oldest first, after `afterMs`. `load` = as far back as it is kept. */
  defineCall('observe/resources', z.object({ window: z.enum(WINDOWS), afterMs: z.number() }))<{
    readonly points: readonly ResourcePoint[];
  }>(),
  /** Inferences per second of the last 60 s by model, for sparklines. */
  defineCall('observe/sparklines', z.object({}))<Readonly<Record<string, readonly number[]>>>(),
  /** Since load; with the id of a reset, since that, as long as the same load serves. */
  defineCall('observe/statistics', target.extend({ resetId: z.string().optional() }))<
    readonly StatisticsView[]
  >(),
  /** Remembers where the counters stand now. Nothing of the server changes. */
  defineCall('observe/resetView', target)<{ readonly resetId: string }>(),
  defineCall('observe/executions', target)<readonly ExecutionView[]>(),
  defineCall('observe/doctor', target)<DoctorVerdict>(),
  defineCall('observe/logs', z.object({ afterSequence: z.number(), limit: z.number() }))<
    readonly LogLine[]
  >(),
] as const;
