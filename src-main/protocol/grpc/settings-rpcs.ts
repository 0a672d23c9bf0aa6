// TraceSetting and LogSettings: an empty settings map reads, anything else updates and answers like a read.

import type { InferenceService } from '../../service/inference-service.ts';
import type { TraceSettingsView } from '../../service/settings.ts';
import type { PlainMessage } from '../../grpc-wire/messages.ts';
import { requestErrors } from '../../service/request-errors.ts';
import { grpcErrors } from './grpc-errors.ts';

const SCALAR_TRACE_KEYS = new Set(['trace_file', 'trace_rate', 'trace_count', 'log_frequency']);

interface TraceValue {
  readonly value: readonly string[];
}

/** Trace settings of a model, or of all with an empty name. Throws INVALID_ARG for values that do not fit. */
export function traceSettingRpc(service: InferenceService, request: PlainMessage): PlainMessage {
  const modelName = request['model_name'] as string;
  const settings = Object.entries(request['settings'] as Readonly<Record<string, TraceValue>>);
  // A model that is not known is told before anything about the settings.
  const before = service.traceSettings.get(modelName);
  if (settings.length === 0) return traceMessage(before);
  const change = new Map<string, readonly string[] | undefined>();
  for (const [key, { value }] of settings) {
    if (SCALAR_TRACE_KEYS.has(key) && value.length > 1) throw grpcErrors.oneTraceValue({ key });
    change.set(key, value.length === 0 ? undefined : value);
  }
  return traceMessage(service.traceSettings.update(modelName, change));
}

function traceMessage(view: TraceSettingsView): PlainMessage {
  const settings: Record<string, TraceValue> = {
    trace_level: { value: view.traceLevel },
    trace_rate: { value: [view.traceRate] },
    trace_count: { value: [view.traceCount] },
    trace_mode: { value: [view.traceMode] },
  };
  if (view.traceMode === 'triton') {
    settings['log_frequency'] = { value: [view.logFrequency] };
    settings['trace_file'] = { value: [view.traceFile] };
  }
  for (const [key, value] of view.modeSettings)
    settings[key] = { value: [...(settings[key]?.value ?? []), value] };
  return { settings };
}

interface LogValue {
  readonly parameter_choice?: 'bool_param' | 'uint32_param' | 'string_param';
  readonly bool_param?: boolean;
  readonly uint32_param?: number;
  readonly string_param?: string;
}

/** Log settings of the server. Throws INVALID_ARG for values that do not fit, UNSUPPORTED for the file. */
export function logSettingsRpc(service: InferenceService, request: PlainMessage): PlainMessage {
  const settings = Object.entries(request['settings'] as Readonly<Record<string, LogValue>>);
  const change = new Map<string, string | number | boolean>();
  for (const [key, value] of settings) readLogSetting(change, key, value);
  const view = change.size === 0 ? service.logSettings.get() : service.logSettings.update(change);
  return {
    settings: {
      log_file: { string_param: view.logFile },
      log_info: { bool_param: view.logInfo },
      log_warning: { bool_param: view.logWarning },
      log_error: { bool_param: view.logError },
      log_verbose_level: { uint32_param: view.logVerboseLevel },
      log_format: { string_param: view.logFormat },
    },
  };
}

function readLogSetting(change: Map<string, string | number | boolean>, key: string, value: LogValue): void {
  switch (key) {
    case 'log_file':
      throw requestErrors.logFile();
    case 'log_info':
    case 'log_warning':
    case 'log_error':
      if (value.parameter_choice !== 'bool_param') throw grpcErrors.logFlag({ key });
      change.set(key, value.bool_param === true);
      return;
    case 'log_verbose_level':
      if (value.parameter_choice !== 'uint32_param') throw grpcErrors.logLevel({ key });
      change.set(key, value.uint32_param ?? 0);
      return;
    case 'log_format':
      if (value.parameter_choice !== 'string_param') throw grpcErrors.logText({ key });
      if (!['default', 'ISO8601'].includes(value.string_param ?? '')) {
        throw grpcErrors.logFormat({ format: value.string_param ?? '' });
      }
      change.set(key, value.string_param ?? '');
      return;
    default:
  }
}
