// One traced request: the moments it passed, and the execution that it was part of.

/** The moments of a request in their order. Receiving and the end of sending are a frontend's, the others the model's. */
export const TRACE_STAMPS = [
  'receiveStart',
  'receiveEnd',
  'requestStart',
  'queueStart',
  'computeStart',
  'inputEnd',
  'outputStart',
  'computeEnd',
  'requestEnd',
  'sendStart',
  'sendEnd',
] as const;

/** A moment of a request. */
export type TraceStamp = (typeof TRACE_STAMPS)[number];

/** Why a batch was closed, as the scheduler told it. */
export const CLOSE_REASONS = [
  'full',
  'preferred',
  'delay',
  'idle',
  'shape',
  'priority',
  'sequence',
  'direct',
] as const;

/** One of them. */
export type TraceCloseReason = (typeof CLOSE_REASONS)[number];

/** The run of a model that a request was part of. */
export interface TraceExecution {
  /** The same for all requests that ran together. */
  readonly id: number;
  /** As the model's configuration names it, "resnet_0". */
  readonly instance: string;
  /** Requests that ran together, traced or not; 0 = not known. */
  readonly requestCount: number;
  /** Rows of all of them; 0 = not known. */
  readonly batchSize: number;
  /** undefined = not known. */
  readonly closeReason: TraceCloseReason | undefined;
}

/** A request, or what was run on behalf of one: a step of an ensemble, a call of a model's own code. */
export interface TraceRow {
  readonly id: number;
  /** Id of the request that this was run for; 0 = a client sent it. */
  readonly parentId: number;
  readonly model: string;
  /** Decimal text; undefined where the request was refused before a version took it. */
  readonly version: string | undefined;
  /** The client's id of the request; undefined = none. */
  readonly requestId: string | undefined;
  /** undefined for what no client sent. */
  readonly protocol: 'http' | 'grpc' | undefined;
  /** Wall clock of its beginning, milliseconds; undefined in a file, which has monotonic times alone. */
  readonly atMs: number | undefined;
  /** Monotonic nanoseconds; a moment that was not reached, or is not known, is missing. */
  readonly stamps: Readonly<Partial<Record<TraceStamp, number>>>;
  readonly isFailed: boolean;
  /** The server's words; undefined unless failed. */
  readonly error: string | undefined;
  /** undefined = it ran in none, or it is not known. */
  readonly execution: TraceExecution | undefined;
  /** How often a model ran it: more than once in an iterative sequence. Its moments are then those of the last run. */
  readonly runCount: number;
}
