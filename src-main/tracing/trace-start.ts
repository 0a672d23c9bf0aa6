// Reads the tracer's part of the command line: global settings and those of a mode, the last value of a key counting.
// Unknown keys are accepted and ignored, as in the reference.

import { leadingInteger } from '../base/leading-number.ts';
import { DEFAULT_URL } from './otel-options.ts';
import type { TraceLevel, TraceStart } from './trace-settings.ts';

/** One `--trace-config` of the command line. */
export interface TraceArgument {
  /** "" = global. */
  readonly mode: string;
  readonly key: string;
  readonly value: string;
}

/** A value that cannot be used. `setting` is "level" or "triton,file"; a variable's name for the environment. */
export class TraceArgumentError extends Error {
  override readonly name = 'TraceArgumentError';
  readonly setting: string;

  constructor(setting: string, message: string) {
    super(message);
    this.setting = setting;
  }
}

/** In the order in which the reference shows those that were not given. */
const OPENTELEMETRY_NUMBERS: readonly (readonly [key: string, value: string, variable: string])[] = [
  ['bsp_max_export_batch_size', '512', 'OTEL_BSP_MAX_EXPORT_BATCH_SIZE'],
  ['bsp_schedule_delay', '5000', 'OTEL_BSP_SCHEDULE_DELAY'],
  ['bsp_max_queue_size', '2048', 'OTEL_BSP_MAX_QUEUE_SIZE'],
];

/** Settings of mode triton that have a place of their own. */
const TRITON_KEYS: readonly string[] = ['file', 'log-frequency'];

function integer(setting: string, text: string, min: number): number {
  const number = leadingInteger(text);
  if (number === undefined) throw new TraceArgumentError(setting, `Invalid option value. Got ${text}`);
  if (number < min || number > 2 ** 31 - 1) {
    throw new TraceArgumentError(setting, `Provided option value is out of bound. Got ${text}`);
  }
  return number;
}

/** The levels that these words name; OFF beside another level has no effect. Throws TraceArgumentError. */
export function traceLevels(values: readonly string[]): TraceLevel[] {
  const found = new Set<TraceLevel>();
  for (const value of values) {
    const word = value.toUpperCase();
    if (word === 'TENSORS') found.add('TENSORS');
    else if (['TIMESTAMPS', 'TRUE', 'ON', 'MIN', 'MAX'].includes(word)) found.add('TIMESTAMPS');
    else if (word !== 'OFF' && word !== 'FALSE') {
      throw new TraceArgumentError('level', `invalid value for trace level option: ${value.toLowerCase()}`);
    }
  }
  return [...found].sort((a, b) => (a === 'TIMESTAMPS' ? -1 : b === 'TIMESTAMPS' ? 1 : 0));
}

function modeOf(text: string): TraceStart['mode'] {
  const word = text.toLowerCase();
  if (word === 'triton' || word === 'opentelemetry') return word;
  throw new TraceArgumentError(
    'mode',
    `invalid value for trace mode option: ${word}. Available options are "triton" and "opentelemetry"`,
  );
}

/** The first one that is wrong is told, whether a later one takes its place or not. */
function checkGeneral(key: string, value: string): void {
  if (key === 'level') traceLevels([value]);
  else if (key === 'mode') modeOf(value);
  else if (key === 'rate') integer(key, value, 0);
  else if (key === 'count') integer(key, value, -1);
}

/** Where OpenTelemetry's own variables say that traces go. */
function endpointOf(environment: Readonly<Record<string, string | undefined>>): string | undefined {
  const base = environment['OTEL_EXPORTER_OTLP_ENDPOINT'];
  const fromBase = base === undefined || base === '' ? undefined : `${base.replace(/\/$/, '')}/v1/traces`;
  return environment['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'] ?? fromBase;
}

/** Throws TraceArgumentError. */
export function readTraceStart(
  settings: readonly TraceArgument[],
  environment: Readonly<Record<string, string | undefined>> = {},
): TraceStart {
  const all = (mode: string, key: string): string[] =>
    settings.filter((setting) => setting.mode === mode && setting.key === key).map(({ value }) => value);
  const last = (mode: string, key: string): string | undefined => all(mode, key).at(-1);
  const number = (mode: string, key: string, fallback: number, min: number): number => {
    const text = last(mode, key);
    return text === undefined ? fallback : integer(mode === '' ? key : `${mode},${key}`, text, min);
  };
  for (const { mode: scope, key, value } of settings) if (scope === '') checkGeneral(key, value);
  const mode = modeOf(last('', 'mode') ?? 'triton');
  const given = settings
    .filter((one) => one.mode === mode && one.value !== '' && !TRITON_KEYS.includes(one.key))
    .map(({ key, value }) => [key, value] as const);
  const numbers = OPENTELEMETRY_NUMBERS.flatMap(([key, fallback, variable]) => {
    const named = all('opentelemetry', key).filter((value) => value !== '');
    for (const value of named) integer(`opentelemetry,${key}`, value, 0);
    if (named.length > 0) return [];
    const value = environment[variable] ?? fallback;
    integer(variable, value, 0);
    return [[key, value] as const];
  });
  return {
    mode,
    file: last('triton', 'file') ?? '',
    levels: traceLevels(all('', 'level')),
    rate: number('', 'rate', 1000, 0),
    count: number('', 'count', -1, -1),
    logFrequency: mode === 'triton' ? number('triton', 'log-frequency', 0, 0) : 0,
    modeSettings: mode === 'opentelemetry' ? [...given, ...numbers] : given,
    endpoint: endpointOf(environment) ?? DEFAULT_URL,
  };
}
