// The latest traced requests of the window: a ring of numbers with a fixed size, which is memory only while something is
// kept. Names that many rows share are kept once; ids and errors of requests are bounded by their length together.

import { TRACE_STAMPS, CLOSE_REASONS } from '../../src-shared/contract/trace-row.ts';
import type { TraceRow, TraceStamp } from '../../src-shared/contract/trace-row.ts';

/** Rows that are kept: 9 MB of numbers. */
const LIVE_ROWS = 50_000;
/** Characters of ids and errors that are kept, of all rows together. */
const MAX_TEXT_CHARS = 8 * 1024 * 1024;
/** What is longer is cut: the id and the error of one request. */
const MAX_ID_CHARS = 256;
const MAX_ERROR_CHARS = 1000;

const COLUMNS = 12;
const WIDTH = COLUMNS + TRACE_STAMPS.length;
const PROTOCOLS = ['http', 'grpc'] as const;

/** Oldest rows go first. Rows are numbered from 0 in the order in which they were added. */
export class LiveBuffer {
  readonly #capacity: number;
  #numbers: Float64Array | undefined;
  #names: string[] = [];
  #nameIndexes = new Map<string, number>();
  /** By number of the row; most rows have neither. */
  readonly #ids = new Map<number, string>();
  readonly #errors = new Map<number, string>();
  #textChars = 0;
  #firstRow = 0;
  #nextRow = 0;

  constructor(capacity = LIVE_ROWS) {
    this.#capacity = capacity;
  }

  /** Rows at most. */
  get capacity(): number {
    return this.#capacity;
  }

  /** Number of the oldest row that is kept; as `nextRow` when none is. */
  get firstRow(): number {
    return this.#firstRow;
  }

  /** Number of the next row; so many were added since the last `clear`. */
  get nextRow(): number {
    return this.#nextRow;
  }

  /** A moment that was not reached is missing in `stamps`, or 0. */
  add(row: TraceRow): void {
    if (this.#nextRow - this.#firstRow >= this.#capacity) this.#drop();
    const number = this.#nextRow;
    this.#nextRow += 1;
    this.#numbers ??= new Float64Array(this.#capacity * WIDTH);
    const { execution } = row;
    const start = (number % this.#capacity) * WIDTH;
    this.#numbers.set(
      [
        row.id,
        row.parentId,
        this.#name(row.model),
        this.#name(row.version),
        row.protocol === undefined ? -1 : PROTOCOLS.indexOf(row.protocol),
        row.atMs ?? 0,
        row.isFailed ? 1 : 0,
        row.runCount,
        execution?.id ?? 0,
        this.#name(execution?.instance),
        execution?.requestCount ?? 0,
        execution === undefined ? 0 : packBatch(execution.batchSize, execution.closeReason),
      ],
      start,
    );
    TRACE_STAMPS.forEach((stamp, index) => {
      if (this.#numbers !== undefined) this.#numbers[start + COLUMNS + index] = row.stamps[stamp] ?? 0;
    });
    if (row.requestId !== undefined) this.#keep(this.#ids, number, row.requestId.slice(0, MAX_ID_CHARS));
    if (row.error !== undefined) this.#keep(this.#errors, number, row.error.slice(0, MAX_ERROR_CHARS));
    while (this.#textChars > MAX_TEXT_CHARS && this.#firstRow < number) this.#drop();
  }

  /** undefined when it was dropped, or does not exist yet. */
  at(number: number): TraceRow | undefined {
    const numbers = this.#numbers;
    if (numbers === undefined || number < this.#firstRow || number >= this.#nextRow) return undefined;
    const start = (number % this.#capacity) * WIDTH;
    const value = (column: number): number => numbers[start + column] ?? 0;
    const stamps: Partial<Record<TraceStamp, number>> = {};
    TRACE_STAMPS.forEach((stamp, index) => {
      const ns = value(COLUMNS + index);
      if (ns > 0) stamps[stamp] = ns;
    });
    const executionId = value(8);
    return {
      id: value(0),
      parentId: value(1),
      model: this.#names[value(2)] ?? '',
      version: this.#names[value(3)],
      requestId: this.#ids.get(number),
      protocol: PROTOCOLS[value(4)],
      atMs: value(5),
      stamps,
      isFailed: value(6) === 1,
      error: this.#errors.get(number),
      runCount: value(7),
      execution:
        executionId === 0
          ? undefined
          : {
              id: executionId,
              instance: this.#names[value(9)] ?? '',
              requestCount: value(10),
              ...unpackBatch(value(11)),
            },
    };
  }

  /** Gives the memory back, and numbers rows from 0 again. */
  clear(): void {
    this.#numbers = undefined;
    this.#names = [];
    this.#nameIndexes = new Map();
    this.#ids.clear();
    this.#errors.clear();
    this.#textChars = 0;
    this.#firstRow = 0;
    this.#nextRow = 0;
  }

  #drop(): void {
    const number = this.#firstRow;
    this.#firstRow += 1;
    for (const texts of [this.#ids, this.#errors]) {
      const text = texts.get(number);
      if (text === undefined) continue;
      this.#textChars -= text.length;
      texts.delete(number);
    }
  }

  #keep(texts: Map<number, string>, number: number, text: string): void {
    texts.set(number, text);
    this.#textChars += text.length;
  }

  #name(name: string | undefined): number {
    if (name === undefined) return -1;
    let index = this.#nameIndexes.get(name);
    if (index === undefined) {
      index = this.#names.push(name) - 1;
      this.#nameIndexes.set(name, index);
    }
    return index;
  }
}

type Batch = Pick<NonNullable<TraceRow['execution']>, 'batchSize' | 'closeReason'>;

/** Both in one number: reasons are fewer than 16, and 0 is none. */
function packBatch(batchSize: number, closeReason: Batch['closeReason']): number {
  return batchSize * 16 + (closeReason === undefined ? 0 : CLOSE_REASONS.indexOf(closeReason) + 1);
}

function unpackBatch(packed: number): Batch {
  const reason = packed % 16;
  return { batchSize: (packed - reason) / 16, closeReason: CLOSE_REASONS[reason - 1] };
}
