// Code of a model that runs outside of the event loop, in a thread or a process, as its instance sees it: what is asked
// of it, and what it tells. How messages travel is the business of whoever implements HostedCode.

import type { DataType } from '../../../src-shared/datatypes.ts';
import type { ServerError } from '../../../src-shared/errors.ts';
import type { InferenceRequest } from '../../inference/inference-request.ts';
import type { ParameterValue } from '../../inference/inference-response.ts';

/** An output as the model made it, batch dimension included. */
export interface HostedTensor {
  readonly name: string;
  readonly datatype: DataType;
  readonly shape: readonly number[];
  /** Wire layout; a view of memory that is never written again. */
  readonly bytes: Uint8Array;
}

/** Outputs, or an error. */
export interface HostedResponse {
  readonly outputs: readonly HostedTensor[];
  readonly parameters: ReadonlyMap<string, ParameterValue>;
  readonly error: ServerError | undefined;
}

/** A request with the number by which both sides know it, unique within the instance. */
export interface KeyedRequest {
  readonly key: number;
  readonly request: InferenceRequest;
}

/** What became of a batch when execute() returned. */
export interface ExecutionResult {
  readonly execution: number;
  /** Single responses that were returned, by key. */
  readonly responses: ReadonlyMap<number, HostedResponse>;
  /** The error of every request that was neither answered nor is to be run again. */
  readonly error: ServerError | undefined;
  /** Whether a request without response is answered later. */
  readonly staysOpen: (key: number) => boolean;
  /** Requests to be run again. */
  readonly rescheduled: readonly number[];
  /** Monotonic ns; undefined when the code has no clock of its own in that measure. */
  readonly startedNs?: number;
  readonly endedNs?: number;
}

/** Told by the code, in the order in which it happened. */
export interface HostedCodeListener {
  /** execute() has returned. Once for each execution, unless `lost` comes first. */
  executed(result: ExecutionResult): void;
  /**
   * A response outside of what execute() returned, or (undefined) the final flag alone. Resolves when it was taken,
   * which asks to wait with the next one; rejects when it was refused.
   */
  response(key: number, response: HostedResponse | undefined, isFinal: boolean): Promise<void>;
  /** The code is gone; nothing else follows. */
  lost(error: ServerError): void;
}

/** The code of one instance while it runs. Whoever started it closes it. */
export interface HostedCode {
  readonly hasEnded: boolean;
  /** Of the process that it runs in. Absent: it runs in this one. */
  readonly pid?: number | undefined;
  /** Runs the requests as one batch. Answered by `executed` with the same number. */
  execute(execution: number, requests: readonly KeyedRequest[]): void;
  /** Rejects with UNAVAILABLE, saying why, while the model is in no state to answer. Absent: it always is. */
  isReady?(): Promise<void>;
  /** The client of the request went away. */
  cancel(key: number): void;
  /** Lets the model finalize, but no longer than `graceMs`; then the code is gone. */
  close(graceMs: number): Promise<void>;
  /** Ends it now. */
  terminate(): Promise<void>;
}

/** Starts the code; resolves when the model's own initialisation is done, and rejects with its error. */
export type StartHostedCode = (
  listener: HostedCodeListener,
  signal: AbortSignal | undefined,
) => Promise<HostedCode>;

/** How a backend counts what happened. */
export interface HostedStatistics {
  /** Whether a request whose response is an error counts as failed; else only a batch that failed as a whole does. */
  readonly failsByResponse: boolean;
  /** Which batches count as executions: all, those that gave an answer, or none. */
  readonly countsBatches: 'all' | 'answered' | 'none';
  /** Whether responses of decoupled models are reported one by one. */
  readonly reportsResponses: boolean;
}
