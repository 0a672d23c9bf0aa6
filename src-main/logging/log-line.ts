// One record as one line, in Triton's two formats. Messages are JSON string literals unless escaping is switched off, so
// that nothing a client sends can forge a line; tables are printed as they are.

import { LEVEL_LETTERS } from '../../src-shared/log-level.ts';
import type { LogRecord } from '../base/log.ts';

/** Of `--log-format`. */
export type LogFormat = 'default' | 'ISO8601';

function pad(value: number, width: number): string {
  return String(value).padStart(width, '0');
}

/** "1121 06:15:09.123000" or "2026-11-21T06:15:09Z", in UTC. */
function timeText(wallMs: number, format: LogFormat): string {
  const time = new Date(wallMs);
  const clock = `${pad(time.getUTCHours(), 2)}:${pad(time.getUTCMinutes(), 2)}:${pad(time.getUTCSeconds(), 2)}`;
  const month = pad(time.getUTCMonth() + 1, 2);
  const day = pad(time.getUTCDate(), 2);
  if (format === 'ISO8601') return `${time.getUTCFullYear()}-${month}-${day}T${clock}Z`;
  return `${month}${day} ${clock}.${pad(time.getUTCMilliseconds(), 3)}000`;
}

/** What the message names already is not said twice, so that the reference's own lines stay as they are. */
function fieldsText({ fields, message }: LogRecord): string {
  if (fields === undefined) return '';
  const known = Object.entries(fields).filter(
    ([, value]) => value !== undefined && !message.includes(String(value)),
  );
  return known.map(([key, value]) => ` ${key}=${String(value)}`).join('');
}

/** How a record becomes a line. */
export interface LineOptions {
  readonly format: LogFormat;
  readonly pid: number;
  /** TRITON_SERVER_ESCAPE_LOG_MESSAGES. */
  readonly isEscaped: boolean;
}

function head({ level, wallMs, room }: LogRecord, { format, pid }: LineOptions): string {
  const letter = LEVEL_LETTERS[level];
  const time = timeText(wallMs, format);
  return format === 'ISO8601'
    ? `${time} ${letter} ${pid} ${room}:0] `
    : `${letter}${time} ${pid} ${room}:0] `;
}

/** Without a line end. A message that begins with a border below a line end is a table and is never escaped. */
export function logLine(record: LogRecord, options: LineOptions): string {
  const message = `${record.message}${fieldsText(record)}`;
  const isTable = message.startsWith('\n+-');
  return head(record, options) + (options.isEscaped && !isTable ? JSON.stringify(message) : message);
}
