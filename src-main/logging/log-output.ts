// Where log lines go: standard error, all of them as in the reference, or one file that everything is appended to. The format can be
// changed at run time; the file cannot. Writing never throws: a log that cannot be written must not stop a server.

import { closeSync, openSync, writeSync } from 'node:fs';

import type { LogRecord } from '../base/log.ts';
import { addLogSink } from '../base/log.ts';
import type { LogFormat } from './log-line.ts';
import { logLine } from './log-line.ts';

/** Where lines go and how they look. */
export interface LogOutputOptions {
  readonly format: LogFormat;
  /** "" = the terminal. */
  readonly file: string;
  /** Default true. */
  readonly isEscaped?: boolean;
  readonly pid?: number;
  /** Default: standard error. */
  readonly write?: (text: string) => void;
}

/** One for each process. Lines of a file and of the terminal are the same bytes. */
export class LogOutput {
  readonly #options: LogOutputOptions;
  readonly #file: number | undefined;
  readonly #removeSink: () => void;
  #format: LogFormat;

  /** Starts printing. A file that cannot be opened leaves the terminal in use. */
  constructor(options: LogOutputOptions) {
    this.#options = options;
    this.#format = options.format;
    this.#file = this.#open(options.file);
    this.#removeSink = addLogSink((record) => this.#write(record));
  }

  /** How lines look from now on, `default` or `ISO8601`. */
  get format(): LogFormat {
    return this.#format;
  }

  /** Holds from the next line on. */
  setFormat(format: LogFormat): void {
    this.#format = format;
  }

  /** Prints nothing from now on. Call it once: the file is closed. */
  close(): void {
    this.#removeSink();
    if (this.#file !== undefined) closeSync(this.#file);
  }

  #open(file: string): number | undefined {
    if (file === '') return undefined;
    try {
      return openSync(file, 'a');
    } catch (thrown) {
      this.#print(`failed to open log file '${file}': ${(thrown as Error).message}\n`);
      return undefined;
    }
  }

  #write(record: LogRecord): void {
    const { isEscaped = true, pid = process.pid } = this.#options;
    const line = `${logLine(record, { format: this.#format, pid, isEscaped })}\n`;
    if (this.#file === undefined) {
      this.#print(line);
      return;
    }
    try {
      writeSync(this.#file, line);
    } catch {
      this.#print(line);
    }
  }

  #print(text: string): void {
    const { write = (line: string) => process.stderr.write(line) } = this.#options;
    write(text);
  }
}
