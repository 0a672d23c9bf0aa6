// Calls about the server itself: its state, its listeners, who calls it.

import { z } from 'zod';

import { defineCall } from './define.ts';
import type { ClientView, EndpointCheck, ServerView } from './observe-views.ts';

/** Answered while the server is stopped too. */
export const serverCalls = [
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
] as const;
