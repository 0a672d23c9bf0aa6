// Rows of traces on their way to the page: numbers, and the texts that many rows have in common once. A fifth of their
// size as objects.

import type { TraceExecution, TraceRow, TraceStamp } from './trace-row.ts';
import { CLOSE_REASONS, TRACE_STAMPS } from './trace-row.ts';

/** One message. Numbers of a row stand in the order in which `packRow` writes them. */
export interface PackedTraces {
  /** Number of the first row. Later than asked for when rows in between were dropped. */
  readonly fromRow: number;
  /** Number of the row behind the last one. */
  readonly nextRow: number;
  readonly generation: number;
  readonly texts: readonly string[];
  readonly rows: readonly (readonly number[])[];
}

const PROTOCOLS = ['http', 'grpc'] as const;
const NONE = -1;

/** Packs rows of one message; `texts` holds what they refer to. */
export class TracePacker {
  readonly texts: string[] = [];
  readonly rows: number[][] = [];
  readonly #indexes = new Map<string, number>();
  #charCount = 0;

  /** About how long the message gets. */
  get charCount(): number {
    return this.#charCount;
  }

  /** One row, with stamps as differences from its first one. */
  add(row: TraceRow): void {
    const { stamps, execution } = row;
    const first = TRACE_STAMPS.find((stamp) => stamps[stamp] !== undefined);
    const originNs = first === undefined ? 0 : (stamps[first] ?? 0);
    const packed = [
      row.id,
      row.parentId,
      this.#text(row.model),
      this.#text(row.version),
      this.#text(row.requestId),
      row.protocol === undefined ? NONE : PROTOCOLS.indexOf(row.protocol),
      row.atMs ?? NONE,
      row.isFailed ? 1 : 0,
      this.#text(row.error),
      row.runCount,
      execution?.id ?? NONE,
      this.#text(execution?.instance),
      execution?.requestCount ?? 0,
      execution?.batchSize ?? 0,
      execution?.closeReason === undefined ? NONE : CLOSE_REASONS.indexOf(execution.closeReason),
      originNs,
      ...TRACE_STAMPS.map((stamp) => relative(stamps[stamp], originNs)),
    ];
    this.rows.push(packed);
    for (const number of packed) this.#charCount += String(number).length + 1;
  }

  #text(text: string | undefined): number {
    if (text === undefined) return NONE;
    let index = this.#indexes.get(text);
    if (index === undefined) {
      index = this.texts.push(text) - 1;
      this.#indexes.set(text, index);
      this.#charCount += JSON.stringify(text).length + 1;
    }
    return index;
  }
}

/** Moments never lie before the first one of their row: -1 is free for "none". */
function relative(ns: number | undefined, originNs: number): number {
  return ns === undefined ? NONE : Math.max(0, ns - originNs);
}

/** The rows of a message. */
export function unpackTraces({ texts, rows }: PackedTraces): TraceRow[] {
  return rows.map((row) => unpackRow(row, texts));
}

function unpackRow(row: readonly number[], texts: readonly string[]): TraceRow {
  let at = 0;
  const next = (): number => row[at++] ?? NONE;
  const text = (): string | undefined => texts[next()];
  const id = next();
  const parentId = next();
  const model = text() ?? '';
  const version = text();
  const requestId = text();
  const protocol = PROTOCOLS[next()];
  const atMs = next();
  const isFailed = next() === 1;
  const error = text();
  const runCount = next();
  const executionId = next();
  const instance = text() ?? '';
  const requestCount = next();
  const batchSize = next();
  const closeReason = CLOSE_REASONS[next()];
  const originNs = next();
  const stamps: Partial<Record<TraceStamp, number>> = {};
  for (const stamp of TRACE_STAMPS) {
    const offset = next();
    if (offset !== NONE) stamps[stamp] = originNs + offset;
  }
  const execution: TraceExecution | undefined =
    executionId === NONE ? undefined : { id: executionId, instance, requestCount, batchSize, closeReason };
  return {
    ...{ id, parentId, model, version, requestId, protocol, isFailed, error, runCount, stamps, execution },
    atMs: atMs === NONE ? undefined : atMs,
  };
}
