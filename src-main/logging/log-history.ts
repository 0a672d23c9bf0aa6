// The latest log records for the window: numbered, bounded, with the model and request they speak of. A page reads
// what it missed by number, then follows.

import { addLogSink } from '../base/log.ts';
import type { LogLevel, LogRecord } from '../base/log.ts';
import { RingBuffer } from '../base/ring-buffer.ts';

export interface HistoryLine {
  /** 1, 2, 3 ...; gaps mean that lines were overwritten. */
  readonly sequence: number;
  readonly atMs: number;
  readonly level: LogLevel;
  readonly room: string;
  readonly message: string;
  /** "" where the record names none. */
  readonly model: string;
  readonly requestId: string;
}

export type HistoryListener = (line: HistoryLine) => void;

export class LogHistory {
  readonly #lines: RingBuffer<HistoryLine>;
  readonly #listeners = new Set<HistoryListener>();
  readonly #removeSink: () => void;
  #sequence = 0;

  /** Keeps the newest `capacity` records. Installs itself as a sink; `close` removes it. */
  constructor(capacity: number) {
    this.#lines = new RingBuffer(capacity);
    this.#removeSink = addLogSink((record) => this.#add(record));
  }

  /** Lines numbered above `afterSequence`, oldest first; the newest `limit` of them. */
  linesAfter(afterSequence: number, limit: number): readonly HistoryLine[] {
    const found = this.#lines.toArray().filter((line) => line.sequence > afterSequence);
    return found.slice(Math.max(0, found.length - limit));
  }

  /** Calls `listener` with each new line; the result ends it. */
  follow(listener: HistoryListener): Disposable {
    this.#listeners.add(listener);
    return { [Symbol.dispose]: () => void this.#listeners.delete(listener) };
  }

  close(): void {
    this.#removeSink();
    this.#listeners.clear();
  }

  #add(record: LogRecord): void {
    this.#sequence += 1;
    const { model, requestId, ...others } = record.fields ?? {};
    const rest = Object.entries(others).filter(([, value]) => value !== undefined);
    const line: HistoryLine = {
      sequence: this.#sequence,
      atMs: record.wallMs,
      level: record.level,
      room: record.room,
      message: record.message + rest.map(([key, value]) => ` ${key}=${String(value)}`).join(''),
      model: model === undefined ? '' : String(model),
      requestId: requestId === undefined ? '' : String(requestId),
    };
    this.#lines.push(line);
    for (const listener of this.#listeners) listener(line);
  }
}
