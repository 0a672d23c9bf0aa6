// Calls about what the server does, its own state and settings.

import { z } from 'zod';

import { defineCall } from './define.ts';
import type {
  ClientView,
  DoctorVerdict,
  EndpointCheck,
  ExecutionView,
  LogLine,
  ResourcePoint,
  SeriesAnswer,
  ServerSample,
  ServerView,
  ImportedCommand,
  SettingsView,
  StatisticsView,
  TaskView,
} from './observe-views.ts';
import { WINDOWS } from './observe-views.ts';

const target = z.object({ model: z.string(), version: z.string() });

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
  defineCall('observe/tasks', z.object({}))<readonly TaskView[]>(),
  defineCall('observe/cancelTask', z.object({ id: z.string() }))<void>(),
  defineCall('server/view', z.object({}))<ServerView>(),
  /** Closes the listeners; models stay loaded. */
  defineCall('server/stop', z.object({}))<ServerView>(),
  /** Ends a stop that waits for requests: their connections are cut. Without one it does nothing. */
  defineCall('server/stopNow', z.object({}))<void>(),
  /** Asks every endpoint that listens, as a client would. */
  defineCall('server/check', z.object({}))<readonly EndpointCheck[]>(),
  /** Seen last first. */
  defineCall('server/clients', z.object({}))<readonly ClientView[]>(),
  /** The .proto files of the gRPC service, as text. */
  defineCall('server/protoFiles', z.object({}))<
    readonly { readonly name: string; readonly text: string }[]
  >(),
  defineCall(
    'server/start',
    z.object({ ports: z.object({ http: z.number(), grpc: z.number(), metrics: z.number() }).optional() }),
  )<ServerView>(),
  /** A new engine process, for settings that are read at the start. Repositories and loaded models come back. */
  defineCall('server/restart', z.object({}))<void>(),
  defineCall('server/diagnostics', z.object({}))<{ readonly json: string }>(),
  defineCall('settings/read', z.object({}))<SettingsView>(),
  /** Keys to new values; null resets a setting. */
  defineCall(
    'settings/write',
    z.object({ changes: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])) }),
  )<SettingsView>(),
  /** What a tritonserver command line, or a docker run around one, says in terms of settings; changes nothing. */
  defineCall('settings/importCommand', z.object({ text: z.string().max(100_000) }))<ImportedCommand>(),
  /** Free-form state of the window (open tabs, sizes), per repository. */
  defineCall('settings/readLayout', z.object({ key: z.string() }))<{ readonly json: string }>(),
  defineCall('settings/writeLayout', z.object({ key: z.string(), json: z.string().max(60_000) }))<void>(),
] as const;
