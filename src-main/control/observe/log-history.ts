// The latest log records in memory, numbered, for the logs view. New lines are handed on in batches.

import type { LogLine } from '../../../src-shared/contract/observe-views.ts';
import type { Clock, Timer } from '../../base/clock.ts';
import type { LogRecord } from '../../base/log.ts';
import { addLogSink } from '../../base/log.ts';
import { RingBuffer } from '../../base/ring-buffer.ts';

const KEPT_LINES = 20_000;
const BATCH_LINES = 200;
const BATCH_PERIOD_MS = 100;
/** More than any process writes; numbers of so many stay exact for two centuries. */
const LINES_PER_MS = 1000;

/** Who hears of new lines, and how often. */
export interface LogHistoryOptions {
  readonly clock: Clock;
  /** Batches of at most 200 lines, at most ten a second; what comes faster waits its turn. */
  readonly onLines: (lines: readonly LogLine[]) => void;
  /** Default: this process. */
  readonly pid?: number;
}

/** Sequence numbers only grow, over restarts of the process too. Keeps the newest lines alone. */
export class LogHistory {
  readonly #options: LogHistoryOptions;
  readonly #pid: number;
  readonly #lines = new RingBuffer<LogLine>(KEPT_LINES);
  #waiting: LogLine[] = [];
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
    return this.#lines
      .toArray()
      .filter((line) => line.sequence > sequence)
      .slice(-limit);
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
    this.#lines.push(line);
    this.#waiting.push(line);
    if (this.#waiting.length > KEPT_LINES) this.#waiting.shift();
    this.#timer ??= this.#options.clock.after(BATCH_PERIOD_MS, () => this.#flush());
  }

  #flush(): void {
    this.#timer = undefined;
    this.#options.onLines(this.#waiting.splice(0, BATCH_LINES));
    if (this.#waiting.length > 0)
      this.#timer = this.#options.clock.after(BATCH_PERIOD_MS, () => this.#flush());
  }
}

/** What a record says of itself; an empty text says nothing. */
function textOf(field: unknown): string | undefined {
  return field === undefined || field === '' ? undefined : String(field);
}
