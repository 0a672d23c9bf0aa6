// Dynamic settings as both protocols see them (docs/reference/management.md#settings). Implementations validate and
// replace whole settings; wire forms live in the protocol rooms.

import type { LogSettingsChange, LogSettingsState } from '../logging/log-settings.ts';
import type { TraceSettingsState } from '../tracing/trace-settings.ts';

/** Clients' trace settings are checked in this order, each whole before the next. */
export const TRACE_KEYS = [
  'trace_file',
  'trace_level',
  'trace_rate',
  'trace_count',
  'log_frequency',
] as const;

/**
 * Changes in the order in which they are checked; undefined clears the setting back to the global value (JSON null). A
 * value that cannot be read may throw when it is its turn.
 */
export type TraceSettingChange = Iterable<readonly [key: string, values: readonly string[] | undefined]>;

/** Reads and changes trace settings. */
export interface TraceSettingsService {
  /** `modelName` "" = global. Throws INVALID_ARG for unknown models or settings. */
  get(modelName: string): TraceSettingsState;
  /** All changes or none: throws INVALID_ARG for one that cannot be. The state after the change. */
  update(modelName: string, change: TraceSettingChange): TraceSettingsState;
}

/** Reads and changes log settings. */
export interface LogSettingsService {
  /** The state now. */
  get(): LogSettingsState;
  /** The state after the change. */
  update(change: LogSettingsChange): LogSettingsState;
}
