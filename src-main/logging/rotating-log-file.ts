// The app's own log on disk: every record appended to one file, which moves aside when it is full. At most `keptFiles`
// files stay. Writing is synchronous, so that the last lines before a crash are there, and never throws.

import { closeSync, existsSync, fstatSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import path from 'node:path';

import { makeFolderSync } from '../base/make-folder.ts';
import type { LogRecord } from '../base/log.ts';
import { addLogSink, getLogger } from '../base/log.ts';
import type { LogFormat } from './log-line.ts';
import { logLine } from './log-line.ts';

const log = getLogger('app');

/** Which file is written, and how much of what was written is kept. */
export interface RotatingLogFileOptions {
  readonly file: string;
  /** Asked for each line, since it may change. */
  readonly format: () => LogFormat;
  /** Default 20 MiB. */
  readonly maxByteSize?: number;
  /** The one that is written included; default 5. */
  readonly keptFiles?: number;
  readonly pid?: number;
}

/** 20 MiB for each file and five files, unless told otherwise. */
export class RotatingLogFile {
  readonly #options: Required<RotatingLogFileOptions>;
  #descriptor: number | undefined;
  #byteSize = 0;
  #removeSink: (() => void) | undefined;

  constructor(options: RotatingLogFileOptions) {
    this.#options = { maxByteSize: 20 * 1024 * 1024, keptFiles: 5, pid: process.pid, ...options };
  }

  /** The file that is written; older ones lie beside it. */
  get path(): string {
    return this.#options.file;
  }

  /** Follows the log from now on; a file that cannot be opened is said once. */
  start(): void {
    this.#attempt(() => {
      makeFolderSync(path.dirname(this.#options.file));
      this.#open();
    });
    if (this.#descriptor === undefined) return;
    this.#removeSink = addLogSink((record) => this.#write(record));
  }

  /** Nothing is written from now on. Idempotent. */
  close(): void {
    this.#removeSink?.();
    this.#removeSink = undefined;
    if (this.#descriptor !== undefined) closeSync(this.#descriptor);
    this.#descriptor = undefined;
  }

  #write(record: LogRecord): void {
    const { format, pid, maxByteSize } = this.#options;
    if (this.#descriptor === undefined) return;
    const line = Buffer.from(`${logLine(record, { format: format(), pid, isEscaped: true })}\n`);
    this.#attempt(() => {
      if (this.#byteSize > 0 && this.#byteSize + line.byteLength > maxByteSize) this.#rotate();
      if (this.#descriptor !== undefined) this.#byteSize += writeSync(this.#descriptor, line);
    });
  }

  #open(): void {
    this.#descriptor = openSync(this.#options.file, 'a');
    this.#byteSize = fstatSync(this.#descriptor).size;
  }

  /** conch.log becomes conch.1.log, conch.1.log becomes conch.2.log, and the oldest is removed. */
  #rotate(): void {
    const { keptFiles } = this.#options;
    if (this.#descriptor !== undefined) closeSync(this.#descriptor);
    this.#descriptor = undefined;
    rmSync(this.#numbered(keptFiles - 1), { force: true });
    for (let age = keptFiles - 2; age >= 0; age -= 1) {
      const file = this.#numbered(age);
      if (existsSync(file)) renameSync(file, this.#numbered(age + 1));
    }
    this.#open();
  }

  #numbered(age: number): string {
    const { dir, name, ext } = path.parse(this.#options.file);
    return age === 0 ? this.#options.file : path.join(dir, `${name}.${age}${ext}`);
  }

  /** After a failure nothing more is written: a full disk must not cost every line of the server a system call. */
  #attempt(work: () => void): void {
    try {
      work();
    } catch (thrown) {
      this.close();
      log.warn(`the log file ${this.#options.file} is no longer written: ${(thrown as Error).message}`);
    }
  }
}
