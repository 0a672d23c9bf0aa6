// Calls about the settings of the app, and what the window remembers of itself.

import { z } from 'zod';

import { defineCall } from './define.ts';
import type { ImportedCommand, SettingsView } from './observe-views.ts';

/** Keys that are no setting are refused with INVALID_ARG. */
export const settingsCalls = [
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
