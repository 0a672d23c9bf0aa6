// Trace and log settings over HTTP. A POST changes what it names and answers like a read; null clears a trace setting
// and leaves a log setting as it is.

import type { LogSettingsChange, LogSettingsState } from '../../../logging/log-settings.ts';
import { requestErrors } from '../../../service/request-errors.ts';
import { TRACE_KEYS } from '../../../service/settings.ts';
import type { TraceSettingsState } from '../../../tracing/trace-settings.ts';
import type { JsonValue } from '../../../tensor/json-document.ts';
import { JsonObject } from '../../../tensor/json-document.ts';
import { traceErrors } from '../../../tracing/trace-errors.ts';
import type { Exchange } from '../exchange.ts';
import { httpErrors } from '../http-errors.ts';
import { asArray, asBoolean, asString, asUint } from '../json-members.ts';
import type { Route } from './route-handler.ts';
import { withRequiredJson } from './route-handler.ts';

/** A body that is JSON but no object names no settings, as in the reference. */
function membersOf(json: JsonValue): JsonObject {
  return json instanceof JsonObject ? json : new JsonObject();
}

/** Settings as JSON, in the reference's order; some belong to one mode only. What was given twice stands there twice. */
function traceJson(view: TraceSettingsState): string {
  const isTriton = view.traceMode === 'triton';
  const members: [string, string | readonly string[]][] = [
    ['trace_level', view.traceLevel],
    ['trace_rate', view.traceRate],
    ['trace_count', view.traceCount],
  ];
  if (isTriton) members.push(['log_frequency', view.logFrequency], ['trace_file', view.traceFile]);
  members.push(['trace_mode', view.traceMode]);
  for (const [key, value] of view.modeSettings) members.push([key, value]);
  return `{${members.map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`).join(',')}}`;
}

function traceValues(key: string, value: JsonValue): readonly string[] | undefined {
  if (value === null) return undefined;
  if (key !== 'trace_level') return [asString(value, '')];
  return asArray(value, '')
    .elements()
    .map((level) => asString(level, ''));
}

function trace(exchange: Exchange): void {
  const { context, match, req } = exchange;
  const { traceSettings } = context.service;
  // A model that is not known is told before anything about the body.
  const before = traceSettings.get(match.model);
  if (req.method === 'GET') {
    exchange.json(traceJson(before));
    return;
  }
  withRequiredJson(exchange, TRACE_KEYS, (json) => {
    const body = membersOf(json);
    exchange.json(traceJson(traceSettings.update(match.model, traceChange(body))));
  });
}

/** Each value is read when those before it were found to be good. */
function* traceChange(body: JsonObject): Generator<readonly [string, readonly string[] | undefined]> {
  for (const key of TRACE_KEYS) {
    const value = body.get(key);
    if (value === undefined) continue;
    if (key === 'trace_file') throw traceErrors.file();
    yield [key, traceValues(key, value)];
  }
}

function logJson(view: LogSettingsState): string {
  return JSON.stringify({
    log_file: view.logFile,
    log_info: view.logInfo,
    log_warning: view.logWarning,
    log_error: view.logError,
    log_verbose_level: view.logVerboseLevel,
    log_format: view.logFormat,
  });
}

function logFormat(value: JsonValue): 'default' | 'ISO8601' {
  const format = asString(value, '');
  if (format === 'default' || format === 'ISO8601') return format;
  throw httpErrors.logFormat({ format });
}

/** Applied one after another, in this order; those before a faulty one stay. */
const LOG_KEYS: readonly (readonly [string, (value: JsonValue) => LogSettingsChange])[] = [
  ['log_info', (value) => ({ logInfo: asBoolean(value, '') })],
  ['log_warning', (value) => ({ logWarning: asBoolean(value, '') })],
  ['log_error', (value) => ({ logError: asBoolean(value, '') })],
  // Kept in 32 bits, as in the reference.
  [
    'log_verbose_level',
    (value) => ({ logVerboseLevel: Number(BigInt.asUintN(32, BigInt(asUint(value, '')))) }),
  ],
  ['log_format', (value) => ({ logFormat: logFormat(value) })],
];

function logging(exchange: Exchange): void {
  const { logSettings } = exchange.context.service;
  if (exchange.req.method === 'GET') {
    exchange.json(logJson(logSettings.get()));
    return;
  }
  withRequiredJson(exchange, ['log_file', ...LOG_KEYS.map(([key]) => key)], (json) => {
    const body = membersOf(json);
    if ((body.get('log_file') ?? null) !== null) {
      throw requestErrors.logFile();
    }
    for (const [key, read] of LOG_KEYS) {
      const value = body.get(key) ?? null;
      if (value !== null) logSettings.update(read(value));
    }
    exchange.json(logJson(logSettings.get()));
  });
}

/** Of the server, and of one model where tracing is asked for. */
export const settingsRoutes: readonly Route[] = [
  {
    paths: ['/trace/setting', '/models/{model}/trace/setting'],
    category: 'trace',
    methods: ['GET', 'POST'],
    handler: trace,
  },
  { paths: ['/logging'], category: 'logging', methods: ['GET', 'POST'], handler: logging },
];
