// Process-wide log with Triton's levels. Rooms call getLogger('room'); shells install sinks; the level switches are
// those of the log settings endpoint and may change at run time. Line formats live with the sinks.

import type { LogLevel } from '../../src-shared/log-level.ts';

/** What a line is about, by name ("model", "instance"); those that are undefined are left out. */
export type LogFields = Readonly<Record<string, string | number | boolean | undefined>>;

/** One line of the log before it is formatted. */
export interface LogRecord {
  readonly wallMs: number;
  readonly level: LogLevel;
  /** 0 for non-verbose records, else the verbosity (1..) at which it is printed. */
  readonly verbosity: number;
  readonly room: string;
  readonly message: string;
  readonly fields: LogFields | undefined;
}

/** Takes records as they are written. Must be quick, and must not throw. */
export type LogSink = (record: LogRecord) => void;

/** Which records are written, changed while the server runs. */
export interface LogSwitches {
  error: boolean;
  warn: boolean;
  info: boolean;
  /** Highest verbosity that is printed; 0 = none. */
  verboseLevel: number;
}

const switches: LogSwitches = { error: true, warn: true, info: true, verboseLevel: 0 };
const sinks = new Set<LogSink>();

/** Which levels are on now; the verbose level is a number, 0 for none. */
export function logSwitches(): Readonly<LogSwitches> {
  return switches;
}

/** Changes some of them for the whole process, from the next line on. */
export function setLogSwitches(change: Partial<LogSwitches>): void {
  Object.assign(switches, change);
}

/** Installs a sink; the returned function removes it. */
export function addLogSink(sink: LogSink): () => void {
  sinks.add(sink);
  return () => void sinks.delete(sink);
}

/** The log of one room. Nothing of it throws or waits. */
export interface Logger {
  /** Something failed that somebody has to look at. Dropped while the switch of its level is off, as the next two. */
  error(message: string, fields?: LogFields): void;
  /** Something is not as it was asked for, and the server goes on. */
  warn(message: string, fields?: LogFields): void;
  /** What happens seldom: starts, loads, ends. */
  info(message: string, fields?: LogFields): void;
  /** Printed from that level of `--log-verbose` on, 1 being the first. Ask `isVerbose` before a costly message. */
  verbose(verbosity: number, message: string, fields?: LogFields): void;
  /** True when a verbose record of this verbosity would be printed; guards costly messages. */
  isVerbose(verbosity: number): boolean;
}

/** A logger that puts the room into its lines and asks the switches at each of them. */
export function getLogger(room: string): Logger {
  const emit = (level: LogLevel, verbosity: number, message: string, fields?: LogFields): void => {
    const record: LogRecord = { wallMs: Date.now(), level, verbosity, room, message, fields };
    for (const sink of sinks) sink(record);
  };
  return {
    error: (message, fields) => {
      if (switches.error) emit('error', 0, message, fields);
    },
    warn: (message, fields) => {
      if (switches.warn) emit('warn', 0, message, fields);
    },
    info: (message, fields) => {
      if (switches.info) emit('info', 0, message, fields);
    },
    verbose: (verbosity, message, fields) => {
      if (verbosity <= switches.verboseLevel) emit('verbose', verbosity, message, fields);
    },
    isVerbose: (verbosity) => verbosity <= switches.verboseLevel,
  };
}
