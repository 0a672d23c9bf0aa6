// TraceSetting and LogSettings: an empty settings map reads, anything else updates and answers like a read.

import type { LogSettingsChange } from '../../logging/log-settings.ts';
import type { InferenceService } from '../../service/inference-service.ts';
import { TRACE_KEYS } from '../../service/settings.ts';
import { traceErrors } from '../../tracing/trace-errors.ts';
import type { TraceSettingsState } from '../../tracing/trace-settings.ts';
import type { PlainMessage } from '../../grpc-wire/messages.ts';
import { requestErrors } from '../../service/request-errors.ts';
import { grpcErrors } from './grpc-errors.ts';

interface TraceValue {
  readonly value: readonly string[];
}

/** Trace settings of a model, or of all with an empty name. Throws INVALID_ARG for values that do not fit. */
export function traceSettingRpc(service: InferenceService, request: PlainMessage): PlainMessage {
  const modelName = request['model_name'] as string;
  const settings = request['settings'] as Readonly<Record<string, TraceValue>>;
  // A model that is not known is told before anything about the settings.
  const before = service.traceSettings.get(modelName);
  if (Object.keys(settings).length === 0) return traceMessage(before);
  return traceMessage(service.traceSettings.update(modelName, traceChange(settings)));
}

/** Each value is read when those before it were found to be good. Keys that nobody knows change nothing. */
function* traceChange(
  settings: Readonly<Record<string, TraceValue>>,
): Generator<readonly [string, readonly string[] | undefined]> {
  for (const key of TRACE_KEYS) {
    if (!Object.hasOwn(settings, key)) continue;
    if (key === 'trace_file') throw traceErrors.file();
    const { value } = settings[key] as TraceValue;
    if (key !== 'trace_level' && value.length > 1) throw grpcErrors.oneTraceValue({ key });
    yield [key, value.length === 0 ? undefined : value];
  }
}

function traceMessage(view: TraceSettingsState): PlainMessage {
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

/** Applied one after another, in this order; those before a faulty one stay, and others change nothing. */
const LOG_KEYS = [
  'log_file',
  'log_info',
  'log_warning',
  'log_error',
  'log_verbose_level',
  'log_format',
] as const;

/** Log settings of the server. Throws INVALID_ARG for values that do not fit, UNSUPPORTED for the file. */
export function logSettingsRpc(service: InferenceService, request: PlainMessage): PlainMessage {
  const settings = request['settings'] as Readonly<Record<string, LogValue>>;
  for (const key of LOG_KEYS) {
    if (!Object.hasOwn(settings, key)) continue;
    service.logSettings.update(readLogSetting(key, settings[key] as LogValue));
  }
  const view = service.logSettings.get();
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

function readLogSetting(key: (typeof LOG_KEYS)[number], value: LogValue): LogSettingsChange {
  switch (key) {
    case 'log_file':
      throw requestErrors.logFile();
    case 'log_info':
      return { logInfo: flag(key, value) };
    case 'log_warning':
      return { logWarning: flag(key, value) };
    case 'log_error':
      return { logError: flag(key, value) };
    case 'log_verbose_level':
      if (value.parameter_choice !== 'uint32_param') throw grpcErrors.logLevel({ key });
      return { logVerboseLevel: value.uint32_param ?? 0 };
    case 'log_format': {
      if (value.parameter_choice !== 'string_param') throw grpcErrors.logText({ key });
      const format = value.string_param ?? '';
      if (format !== 'default' && format !== 'ISO8601') throw grpcErrors.logFormat({ format });
      return { logFormat: format };
    }
  }
}

function flag(key: string, value: LogValue): boolean {
  if (value.parameter_choice !== 'bool_param') throw grpcErrors.logFlag({ key });
  return value.bool_param === true;
}
