// The latest log records in memory, numbered, for the logs view. New lines are handed on in batches.

import type { LogLine } from '../../../src-shared/contract/observe-views.ts';
import type { Clock, Timer } from '../../base/clock.ts';
import { Fifo } from '../../base/fifo.ts';
import type { LogRecord } from '../../base/log.ts';
import { addLogSink } from '../../base/log.ts';

const KEPT_LINES = 20_000;
/** Of all of them: a model may print lines of many kilobytes. */
const KEPT_CHARACTERS = 16 * 1024 * 1024;
const BATCH_LINES = 200;
const BATCH_CHARACTERS = 1024 * 1024;
const BATCH_PERIOD_MS = 100;
/** More than any process writes; numbers of so many stay exact for two centuries. */
const LINES_PER_MS = 1000;

/** Who hears of new lines, and how often. */
export interface LogHistoryOptions {
  readonly clock: Clock;
  /** Batches of at most 200 lines, some megabyte, at most ten a second; what comes faster waits its turn. */
  readonly onLines: (lines: readonly LogLine[]) => void;
  /** Default: this process. */
  readonly pid?: number;
}

/** Sequence numbers only grow, over restarts of the process too. Keeps the newest lines alone. */
export class LogHistory {
  readonly #options: LogHistoryOptions;
  readonly #pid: number;
  readonly #kept = new NewestLines();
  readonly #waiting = new NewestLines();
  #timer: Timer | undefined;
  #sequence: number;
  #removeSink: (() => void) | undefined;

  constructor(options: LogHistoryOptions) {
    this.#options = options;
    this.#pid = options.pid ?? process.pid;
    // A window that outlives this process asks for what came after the last line it knows of the one before.
    this.#sequence = options.clock.wallMs() * LINES_PER_MS;
  }

  /** Keeps records from now on. Call it once. */
  start(): void {
    this.#removeSink = addLogSink((record) => this.#add(record));
  }

  /** Keeps none from now on; lines that were not handed on yet are not. */
  close(): void {
    this.#removeSink?.();
    this.#timer?.cancel();
  }

  /** At most `limit` lines behind a sequence number, the newest ones. */
  after(sequence: number, limit: number): readonly LogLine[] {
    return [...this.#kept.lines].filter((line) => line.sequence > sequence).slice(-limit);
  }

  #add(record: LogRecord): void {
    const { wallMs, level, room, message, fields } = record;
    const line: LogLine = {
      sequence: ++this.#sequence,
      atMs: wallMs,
      pid: this.#pid,
      level,
      room,
      message,
      model: textOf(fields?.['model']),
      instance: textOf(fields?.['instance']),
      requestId: textOf(fields?.['requestId']),
    };
    this.#kept.push(line);
    this.#waiting.push(line);
    this.#timer ??= this.#options.clock.after(BATCH_PERIOD_MS, () => this.#flush());
  }

  #flush(): void {
    this.#timer = undefined;
    const batch: LogLine[] = [];
    for (let characters = 0; batch.length < BATCH_LINES && characters < BATCH_CHARACTERS;) {
      const line = this.#waiting.shift();
      if (line === undefined) break;
      batch.push(line);
      characters += line.message.length;
    }
    this.#options.onLines(batch);
    if (this.#waiting.lines.length > 0)
      this.#timer = this.#options.clock.after(BATCH_PERIOD_MS, () => this.#flush());
  }
}

/** As many of the newest as both bounds allow. */
class NewestLines {
  readonly lines = new Fifo<LogLine>();
  #characters = 0;

  push(line: LogLine): void {
    this.lines.push(line);
    this.#characters += line.message.length;
    while (this.lines.length > KEPT_LINES || this.#characters > KEPT_CHARACTERS) this.shift();
  }

  shift(): LogLine | undefined {
    const line = this.lines.shift();
    this.#characters -= line?.message.length ?? 0;
    return line;
  }
}

/** What a record says of itself; an empty text says nothing. */
function textOf(field: unknown): string | undefined {
  return field === undefined || field === '' ? undefined : String(field);
}
