// Calls about what takes long in the engine.

import { z } from 'zod';

import { defineCall } from './define.ts';
import type { TaskView } from './observe-views.ts';

/** Cancelling a task that is over does nothing. */
export const taskCalls = [
  defineCall('observe/tasks', z.object({}))<readonly TaskView[]>(),
  defineCall('observe/cancelTask', z.object({ id: z.string() }))<void>(),
] as const;
