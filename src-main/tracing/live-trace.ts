// A trace for the window: the moments of one request and the execution that it was part of, as one row when it has ended.

import { CLOSE_REASONS, TRACE_STAMPS } from '../../src-shared/contract/trace-row.ts';
import type { TraceExecution, TraceRow, TraceStamp } from '../../src-shared/contract/trace-row.ts';
import type { ServerError } from '../../src-shared/errors.ts';
import type { RequestTrace, TraceActivity, TracedPayload } from '../inference/request-trace.ts';
import { TraceEnd } from './trace-end.ts';

/** What traces of one buffer share. */
export interface LiveTraceHost {
  /** Never the same number again. */
  nextId(): number;
  /** The same number for the same payload. */
  executionId(payload: TracedPayload): number;
  /** Milliseconds since 1970. */
  wallMs(): number;
  /** A trace has begun; `ended` follows once. */
  opened(): void;
  /** With the whole row. The host keeps it, or not. */
  ended(row: TraceRow): void;
}

const STAMP_OF: Readonly<Partial<Record<TraceActivity, TraceStamp>>> = {
  HTTP_RECV_START: 'receiveStart',
  HTTP_RECV_END: 'receiveEnd',
  GRPC_WAITREAD_START: 'receiveStart',
  GRPC_WAITREAD_END: 'receiveEnd',
  REQUEST_START: 'requestStart',
  QUEUE_START: 'queueStart',
  COMPUTE_START: 'computeStart',
  COMPUTE_INPUT_END: 'inputEnd',
  COMPUTE_OUTPUT_START: 'outputStart',
  COMPUTE_END: 'computeEnd',
  REQUEST_END: 'requestEnd',
  HTTP_SEND_START: 'sendStart',
  HTTP_SEND_END: 'sendEnd',
  GRPC_SEND_START: 'sendStart',
  GRPC_SEND_END: 'sendEnd',
};

/** Of an answer in parts the first begins the sending. */
const FIRST_COUNTS: ReadonlySet<TraceStamp> = new Set(['sendStart']);

/** Its row is handed over when it is over. */
export class LiveTrace implements RequestTrace {
  readonly tensors = undefined;
  readonly #host: LiveTraceHost;
  readonly windowId: number;
  readonly #parentId: number;
  readonly #atMs: number;
  #protocol: TraceRow['protocol'];
  #model: string;
  #version: string | undefined;
  #requestId = '';
  #error: string | undefined;
  #execution: TraceExecution | undefined;
  #runCount = 0;
  readonly #stamps: Partial<Record<TraceStamp, number>> = {};
  readonly #end = new TraceEnd(() => this.#handOver());

  constructor(host: LiveTraceHost, model: string, parentId = 0) {
    this.#host = host;
    this.#model = model;
    this.#parentId = parentId;
    this.windowId = host.nextId();
    this.#atMs = host.wallMs();
    host.opened();
  }

  activity(activity: TraceActivity, atNs: number): void {
    const stamp = STAMP_OF[activity];
    if (stamp === undefined || this.#end.isOver) return;
    if (stamp === 'receiveStart') this.#protocol = activity === 'GRPC_WAITREAD_START' ? 'grpc' : 'http';
    if (!FIRST_COUNTS.has(stamp) || this.#stamps[stamp] === undefined) this.#stamps[stamp] = atNs;
    this.#end.follow(activity);
  }

  customActivity(): void {
    // Names of a backend's own have no place among the moments that every request has.
  }

  executes(payload: TracedPayload, instance: string): void {
    if (this.#end.isOver) return;
    this.#runCount += 1;
    this.#execution = {
      id: this.#host.executionId(payload),
      instance,
      requestCount: payload.requests.length,
      batchSize: payload.batchSize,
      closeReason: CLOSE_REASONS.find((reason) => reason === payload.closeReason),
    };
  }

  failed(error: ServerError): void {
    this.#error ??= error.message === '' ? error.code : error.message;
  }

  child(modelName: string): RequestTrace {
    return new LiveTrace(this.#host, modelName, this.windowId);
  }

  setModel(modelName: string, modelVersion: string, requestId: string): void {
    this.#model = modelName;
    this.#version = modelVersion;
    this.#requestId = requestId;
  }

  refused(): void {
    this.#end.requestEnded();
  }

  end(): void {
    this.#end.want();
  }

  #handOver(): void {
    this.#host.ended({
      id: this.windowId,
      parentId: this.#parentId,
      model: this.#model,
      version: this.#version,
      requestId: this.#requestId === '' ? undefined : this.#requestId,
      protocol: this.#protocol,
      atMs: this.#atMs,
      stamps: inOrder(this.#stamps),
      isFailed: this.#error !== undefined,
      error: this.#error,
      execution: this.#execution,
      runCount: this.#runCount,
    });
  }
}

/** A moment that lies before the one in front of it is of another run, or of a part of an answer: it is not known then. */
function inOrder(stamps: Partial<Record<TraceStamp, number>>): TraceRow['stamps'] {
  const kept: Partial<Record<TraceStamp, number>> = {};
  let latest = 0;
  for (const stamp of TRACE_STAMPS) {
    const ns = stamps[stamp];
    if (ns === undefined || ns < latest) continue;
    kept[stamp] = ns;
    // The end of a request and the sending of its answer overlap: neither orders the other.
    if (stamp !== 'requestEnd') latest = ns;
  }
  return kept;
}
