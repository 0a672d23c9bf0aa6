// Traces as a file of Triton's own format: flat records grouped by trace id. Read from any server that writes the format. What the format has no name for (instance, execution, why a batch
// was closed) stands in the header of a request under the key "conch", which other readers pass over.

import type { TraceExecution, TraceRow, TraceStamp } from '../../../src-shared/contract/trace-row.ts';
import { CLOSE_REASONS, TRACE_STAMPS } from '../../../src-shared/contract/trace-row.ts';

const SHARED_NAMES: Readonly<Partial<Record<TraceStamp, string>>> = {
  requestStart: 'REQUEST_START',
  queueStart: 'QUEUE_START',
  computeStart: 'COMPUTE_START',
  inputEnd: 'COMPUTE_INPUT_END',
  outputStart: 'COMPUTE_OUTPUT_START',
  computeEnd: 'COMPUTE_END',
  requestEnd: 'REQUEST_END',
};
const HTTP_NAMES: typeof SHARED_NAMES = {
  receiveStart: 'HTTP_RECV_START',
  receiveEnd: 'HTTP_RECV_END',
  sendStart: 'HTTP_SEND_START',
  sendEnd: 'HTTP_SEND_END',
};
const GRPC_NAMES: typeof SHARED_NAMES = {
  receiveStart: 'GRPC_WAITREAD_START',
  receiveEnd: 'GRPC_WAITREAD_END',
  sendStart: 'GRPC_SEND_START',
  sendEnd: 'GRPC_SEND_END',
};

/** The text of a file. */
export function tritonTraceText(rows: readonly TraceRow[]): string {
  return `[${rows
    .flatMap(recordsOf)
    .map((record) => JSON.stringify(record))
    .join(',')}]`;
}

function recordsOf(row: TraceRow): readonly object[] {
  const { id, stamps } = row;
  const names = { ...SHARED_NAMES, ...(row.protocol === 'grpc' ? GRPC_NAMES : HTTP_NAMES) };
  const own: OwnRecord = {
    ...(row.execution === undefined ? {} : { execution: row.execution }),
    ...(row.isFailed ? { error: row.error ?? '' } : {}),
    runCount: row.runCount,
  };
  const header: FileRecord = {
    id,
    model_name: row.model,
    model_version: Number(row.version ?? -1),
    ...(row.requestId === undefined ? {} : { request_id: row.requestId }),
    ...(row.parentId === 0 ? {} : { parent_id: row.parentId }),
    conch: own,
  };
  return [
    header,
    ...TRACE_STAMPS.flatMap((stamp) => {
      const name = names[stamp];
      const ns = stamps[stamp];
      return name === undefined || ns === undefined ? [] : [{ id, timestamps: [{ name, ns }] }];
    }),
  ];
}

/** What is read of a record; all else is passed over. */
interface FileRecord {
  readonly id: number;
  readonly model_name?: string;
  readonly model_version?: number | string;
  readonly request_id?: string;
  readonly parent_id?: number;
  readonly timestamps?: readonly { readonly name: string; readonly ns: number }[];
  readonly conch?: OwnRecord;
}

interface OwnRecord {
  readonly execution?: TraceExecution;
  /** Of a failed request; without text where there is no reason. */
  readonly error?: string;
  readonly runCount?: number;
}

const STAMP_BY_NAME = new Map(
  [SHARED_NAMES, HTTP_NAMES, GRPC_NAMES].flatMap((names) =>
    Object.entries(names).map(([stamp, name]) => [name, stamp as TraceStamp] as const),
  ),
);

/** Not a file of traces. The message says what it is instead. */
export class TraceFileError extends Error {
  override readonly name = 'TraceFileError';
}

/**
 * Rows of a file, in the order of their ids in it; what was run for a request that is not in it counts as one. Throws
 * TraceFileError. Requests of a file of another server that ran together are known by their moments alone: the same model
 * began and ended a run with them at the same nanoseconds.
 */
export function readTritonTrace(text: string): readonly TraceRow[] {
  const records = recordsIn(text);
  const byId = new Map<number, FileRecord[]>();
  for (const record of records) {
    const known = byId.get(record.id);
    if (known === undefined) byId.set(record.id, [record]);
    else known.push(record);
  }
  const rows = [...byId].map(([id, own]) => rowOf(id, own));
  if (!rows.some(({ stamps }) => Object.keys(stamps).length > 0)) {
    throw new TraceFileError(
      'it has no times: it was written with the level TENSORS alone, or is another kind of file',
    );
  }
  return withExecutions(rows.map((row) => (byId.has(row.parentId) ? row : { ...row, parentId: 0 })));
}

function recordsIn(text: string): readonly FileRecord[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (thrown) {
    throw new TraceFileError(`it is no JSON: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
  }
  if (isOfChrome(value)) {
    throw new TraceFileError(
      "it is in the format of Chrome's traces, which Perfetto opens (ui.perfetto.dev). Conch reads the format of Triton's traces",
    );
  }
  if (!Array.isArray(value)) throw new TraceFileError('it is no list of trace records');
  return value.map((one: unknown, index) => {
    if (!isRecord(one)) throw new TraceFileError(`record ${index + 1} is no trace record`);
    return one;
  });
}

/** Either an object that holds events, or the events alone. */
function isOfChrome(value: unknown): boolean {
  if (isObject<{ traceEvents: unknown }>(value) && Array.isArray(value.traceEvents)) return true;
  if (!Array.isArray(value)) return false;
  const first: unknown = value[0];
  return isObject<{ ph: string; pid: unknown }>(first) && typeof first.ph === 'string' && 'pid' in first;
}

type Unknown<T> = { readonly [K in keyof T]?: unknown };
type Kind = 'number' | 'string';

function isObject<T>(value: unknown): value is Unknown<T> {
  return typeof value === 'object' && value !== null;
}

/** Whether a value is missing, or of one of these kinds. */
function isMaybe(value: unknown, ...kinds: readonly Kind[]): boolean {
  return value === undefined || kinds.some((kind) => typeof value === kind);
}

function isRecord(value: unknown): value is FileRecord {
  if (!isObject<FileRecord>(value) || typeof value.id !== 'number') return false;
  const { timestamps = [], conch } = value;
  return (
    isMaybe(value.model_name, 'string') &&
    isMaybe(value.model_version, 'number', 'string') &&
    isMaybe(value.request_id, 'string') &&
    isMaybe(value.parent_id, 'number') &&
    Array.isArray(timestamps) &&
    timestamps.every(isStampRecord) &&
    (conch === undefined || isOwnRecord(conch))
  );
}

function isStampRecord(value: unknown): boolean {
  return (
    isObject<{ name: string; ns: number }>(value) &&
    typeof value.name === 'string' &&
    typeof value.ns === 'number'
  );
}

function isOwnRecord(value: unknown): boolean {
  if (!isObject<OwnRecord>(value)) return false;
  return (
    isMaybe(value.error, 'string') &&
    isMaybe(value.runCount, 'number') &&
    (value.execution === undefined || isExecution(value.execution))
  );
}

function isExecution(value: unknown): boolean {
  return (
    isObject<TraceExecution>(value) &&
    typeof value.instance === 'string' &&
    [value.id, value.requestCount, value.batchSize].every((one) => typeof one === 'number') &&
    (value.closeReason === undefined || CLOSE_REASONS.some((reason) => reason === value.closeReason))
  );
}

function rowOf(id: number, records: readonly FileRecord[]): TraceRow {
  const header = records.find(({ model_name: model }) => model !== undefined);
  const own = header?.conch;
  const stamps: Partial<Record<TraceStamp, number>> = {};
  let protocol: TraceRow['protocol'];
  for (const { name, ns } of records.flatMap(({ timestamps }) => timestamps ?? [])) {
    if (name.startsWith('HTTP_')) protocol = 'http';
    else if (name.startsWith('GRPC_')) protocol = 'grpc';
    // The reference begins it before there is a request: waiting for one is no part of it.
    if (name === 'GRPC_WAITREAD_START' && own === undefined) continue;
    const stamp = STAMP_BY_NAME.get(name);
    // Of an answer in parts the first begins the sending and the last ends it.
    if (stamp !== undefined && (stamp !== 'sendStart' || stamps[stamp] === undefined)) stamps[stamp] = ns;
  }
  const version = header?.model_version;
  const execution = own?.execution;
  return {
    id,
    parentId: header?.parent_id ?? 0,
    model: header?.model_name ?? '',
    version: version === undefined || Number(version) < 0 ? undefined : String(version),
    requestId: header?.request_id,
    protocol,
    atMs: undefined,
    stamps,
    isFailed: own?.error !== undefined,
    error: own?.error === '' ? undefined : own?.error,
    execution: execution === undefined ? undefined : { ...execution, closeReason: execution.closeReason },
    runCount: own?.runCount ?? (stamps.computeStart === undefined ? 0 : 1),
  };
}

/** Executions of a file that has none: of those that share their moments. Sizes, instances and reasons stay unknown. */
function withExecutions(rows: readonly TraceRow[]): readonly TraceRow[] {
  // Not Math.max of them all: a file has more rows than a function may have arguments.
  const known = rows.reduce((most, { execution }) => Math.max(most, execution?.id ?? 0), 0);
  const executions = new Map<string, TraceExecution>();
  return rows.map((row) => {
    const { computeStart, computeEnd } = row.stamps;
    if (row.execution !== undefined || computeStart === undefined || computeEnd === undefined) return row;
    const key = `${row.model}\n${row.version ?? ''}\n${computeStart}\n${computeEnd}`;
    let execution = executions.get(key);
    if (execution === undefined) {
      const id = known + executions.size + 1;
      execution = { id, instance: '', requestCount: 0, batchSize: 0, closeReason: undefined };
      executions.set(key, execution);
    }
    return { ...row, execution };
  });
}
