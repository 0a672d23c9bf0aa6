// One inference request from the frontend to its last response. Frontends build it, the normaliser checks it and
// fills `batchSize` and the inputs' model-side shapes, schedulers queue it, an instance answers it.
// Invariant: every accepted request is released exactly once, and gets exactly one response call marked final.
// (docs/reference/requests.md#what-a-request-carries)

import type { DataType } from '../../src-shared/datatypes.ts';
import { type ServerError } from '../../src-shared/errors.ts';
import { backendErrors } from './backend-errors.ts';
import type { InferenceResponse, OutputTensor, ParameterValue } from './inference-response.ts';
import { NO_PARAMETERS } from './inference-response.ts';
import type { RequestTrace } from './request-trace.ts';
import type { TensorBytes } from './tensor-bytes.ts';
import { logOutputs, logsRequests, logState } from './request-log.ts';
import { requestPrefix } from './request-prefix.ts';

/** 0n or "" = not part of a sequence. */
export type CorrelationId = bigint | string;

/** Bit of `flags`: the first request of its sequence. */
export const SEQUENCE_START = 1;
/** Bit of `flags`: the last request of its sequence. A request may be both. */
export const SEQUENCE_END = 2;

/** Where a request stands; it only moves forward, and RELEASED is the end. */
export type RequestState = 'INITIALIZED' | 'PENDING' | 'EXECUTING' | 'RELEASED' | 'FAILED_ENQUEUE';

/** Stands for a datatype of a request that is none; validation prints it as `<invalid>`. */
export const INVALID_DATATYPE = '<invalid>' as DataType;

/** One input of a request: what the client sent, and what the normaliser made of it. */
export class InferInput {
  readonly name: string;
  readonly datatype: DataType;
  /** Full shape as the client gave it, batch dimension included. */
  readonly clientShape: readonly number[];
  readonly bytes: TensorBytes;
  /** Model-side shape without batch dimension, after reshape; set by the normaliser. */
  shape: readonly number[];
  /** `[batch] + shape` for batching models, else `shape`; set by the normaliser. */
  shapeWithBatch: readonly number[];

  constructor(name: string, datatype: DataType, clientShape: readonly number[], bytes: TensorBytes) {
    this.name = name;
    this.datatype = datatype;
    this.clientShape = clientShape;
    this.bytes = bytes;
    this.shape = clientShape;
    this.shapeWithBatch = clientShape;
  }
}

/** Monotonic nanoseconds (Clock.nowNs); 0 = not reached. */
export interface RequestTimes {
  requestStartNs: number;
  queueStartNs: number;
  batcherStartNs: number;
  cacheLookupStartNs: number;
  cacheLookupEndNs: number;
}

/**
 * Receives the responses of one request. `response` is undefined for a flags-only message.
 * Returning a promise asks the producer of a decoupled stream to wait (back-pressure).
 */
export type ResponseCallback = (
  response: InferenceResponse | undefined,
  isFinal: boolean,
) => void | Promise<void>;

/**
 * `reschedule` asks an iterative sequence to run the request again (docs/reference/sequences.md#iterative). A callback
 * that returns 'kept' has taken the request over: the callbacks below it stay for the real release.
 */
export type ReleaseCallback = (
  request: InferenceRequest,
  release: { readonly reschedule: boolean },
) => void | 'kept';

/** Whoever queues a request; one object instead of a closure per request. */
export interface CancelObserver {
  /** Called once, synchronously, inside `request.cancel()`. */
  requestCancelled(request: InferenceRequest): void;
}

/** What one run of a model took, in nanoseconds: gathering inputs, the run itself, handing outputs over. */
export interface ComputeDurations {
  readonly computeInputNs: number;
  readonly computeInferNs: number;
  readonly computeOutputNs: number;
}

/** What a frontend knows of a request. Fields that are left out have the protocol's defaults. */
export interface InferenceRequestInit {
  readonly modelName: string;
  /** -1 = the newest ready version. */
  readonly modelVersion: number;
  readonly id?: string;
  readonly correlationId?: CorrelationId;
  readonly flags?: number;
  readonly priority?: bigint;
  readonly timeoutUs?: number;
  readonly parameters?: ReadonlyMap<string, ParameterValue> | undefined;
  readonly inputs: readonly InferInput[];
  /** One anonymous blob for a model with exactly one input (raw binary request). */
  readonly rawInput?: TensorBytes | undefined;
  /** Empty = every output of the configuration. */
  readonly requestedOutputs?: readonly string[];
  readonly onResponse: ResponseCallback;
  readonly trace?: RequestTrace | undefined;
  /** Memory that holds the inputs and nothing else: a backend that has copied them may free it with the request. */
  readonly inputMemory?: readonly ArrayBuffer[];
}

/** What a frontend asks of one model. It is released once, by whoever has it then. */
export class InferenceRequest {
  readonly modelName: string;
  readonly requestedVersion: number;
  id: string;
  correlationId: CorrelationId;
  flags: number;
  priority: bigint;
  readonly timeoutUs: number;
  readonly parameters: ReadonlyMap<string, ParameterValue>;
  inputs: readonly InferInput[];
  readonly rawInput: TensorBytes | undefined;
  /** Filled with all configured outputs by the normaliser when the client named none. */
  requestedOutputs: readonly string[];
  readonly trace: RequestTrace | undefined;
  readonly inputMemory: readonly ArrayBuffer[] | undefined;

  /** Version that will run, as decimal text; set when the model is found. */
  actualVersion = '';
  /** 0 = the model does not batch; set by the normaliser. */
  batchSize = 0;
  /** A filler row of the direct sequence strategy. */
  isNull = false;
  /** A warm-up request: executed like any other, but outside queues, statistics and gauges. */
  isWarmup = false;
  readonly times: RequestTimes = {
    requestStartNs: 0,
    queueStartNs: 0,
    batcherStartNs: 0,
    cacheLookupStartNs: 0,
    cacheLookupEndNs: 0,
  };

  /** Extra inputs added by schedulers right before execution (sequence controls, implicit state). */
  overrideInputs: InferInput[] = [];
  /** Implicit-state updates go here: the sequence batcher sets it, backends call it per state output. */
  onStateOutput: ((state: OutputTensor) => void) | undefined;
  /** Names of implicit state outputs the backend must fetch besides `requestedOutputs`. */
  stateOutputs: readonly string[] = [];

  /** The scheduler's queue entry while the request waits; set on queueing, cleared on dispatch. */
  cancelObserver: CancelObserver | undefined;

  /** The request of the ensemble that this one runs a step of, and the position of that step; else undefined and -1. */
  parent: InferenceRequest | undefined = undefined;
  stepIndex = -1;

  /** Set by an ensemble on the requests of its steps: told the compute times when the request counts as a success. */
  onComputed: ((durations: ComputeDurations) => void) | undefined;

  /** True while an iterative sequence scheduler has a release callback that accepts `reschedule`. */
  canReschedule = false;

  #state: RequestState = 'INITIALIZED';
  #onResponse: ResponseCallback;
  readonly #releaseCallbacks: ReleaseCallback[] = [];
  #cancelled = false;
  #cancelListeners: (() => void)[] | undefined;
  responseCount = 0;

  constructor(init: InferenceRequestInit) {
    this.modelName = init.modelName;
    this.requestedVersion = init.modelVersion;
    this.id = init.id ?? '';
    this.correlationId = init.correlationId ?? 0n;
    this.flags = init.flags ?? 0;
    this.priority = init.priority ?? 0n;
    this.timeoutUs = init.timeoutUs ?? 0;
    this.parameters = init.parameters ?? NO_PARAMETERS;
    this.inputs = init.inputs;
    this.rawInput = init.rawInput;
    this.requestedOutputs = init.requestedOutputs ?? [];
    this.#onResponse = init.onResponse;
    this.trace = init.trace;
    this.inputMemory = init.inputMemory;
  }

  /** `[request id: <id>] `, the prefix many messages carry (docs/reference/requests.md#the-prefix-of-messages). */
  get logPrefix(): string {
    return requestPrefix(this.id);
  }

  get state(): RequestState {
    return this.#state;
  }

  /** Every change is a record of the verbose log. */
  set state(next: RequestState) {
    if (logsRequests()) logState(this, next);
    this.#state = next;
  }

  /** Neither counted nor recorded. */
  get isUncounted(): boolean {
    return this.isNull || this.isWarmup;
  }

  /** True from `cancel` on. An instance that has the request may answer it all the same. */
  get isCancelled(): boolean {
    return this.#cancelled;
  }

  /** Marks the request cancelled and tells whoever queues it. Idempotent; no effect on a finished request. */
  cancel(): void {
    if (this.#cancelled || this.state === 'RELEASED') return;
    this.#cancelled = true;
    const listeners = this.#cancelListeners;
    this.#cancelListeners = undefined;
    for (const listener of listeners ?? []) listener();
    this.cancelObserver?.requestCancelled(this);
  }

  /** Calls `listener` once on cancellation (at once if it already happened). Returns the off-switch. */
  onCancel(listener: () => void): () => void {
    if (this.#cancelled) {
      listener();
      return () => undefined;
    }
    const listeners = (this.#cancelListeners ??= []);
    listeners.push(listener);
    return () => {
      const at = listeners.indexOf(listener);
      if (at >= 0) listeners.splice(at, 1);
    };
  }

  /**
   * Puts `wrap(previous)` in front of the response callback: caches, ordering and ensembles see responses first.
   */
  interceptResponses(wrap: (next: ResponseCallback) => ResponseCallback): void {
    this.#onResponse = wrap(this.#onResponse);
  }

  /** Pushes an internal release callback; last pushed runs first. */
  onRelease(callback: ReleaseCallback): void {
    this.#releaseCallbacks.push(callback);
  }

  /** Sends one response (or flags only when undefined). */
  respond(response: InferenceResponse | undefined, isFinal: boolean): void | Promise<void> {
    if (response !== undefined) {
      this.responseCount += 1;
      if (logsRequests()) logOutputs(response);
    }
    return this.#onResponse(response, isFinal);
  }

  /** Sends the error as the single final response. */
  respondError(error: ServerError): void | Promise<void> {
    return this.respond(
      {
        modelName: this.modelName,
        modelVersion: this.actualVersion,
        id: this.id,
        parameters: NO_PARAMETERS,
        outputs: [],
        error,
      },
      true,
    );
  }

  /** Sends a successful response with these outputs; `giveBack` as in InferenceResponse. */
  respondOutputs(
    outputs: readonly OutputTensor[],
    isFinal: boolean,
    parameters: ReadonlyMap<string, ParameterValue> = NO_PARAMETERS,
    giveBack?: () => void,
  ): void | Promise<void> {
    return this.respond(
      {
        modelName: this.modelName,
        modelVersion: this.actualVersion,
        id: this.id,
        parameters,
        outputs,
        error: undefined,
        giveBack,
      },
      isFinal,
    );
  }

  /**
   * Ends the holder's use of the request; inputs must not be read afterwards. Runs the release callbacks, last pushed
   * first. Throws INVALID_ARG, releasing nothing, when asked to reschedule a request whose scheduler cannot.
   */
  release(release: { readonly reschedule: boolean } = { reschedule: false }): void {
    if (release.reschedule && !this.canReschedule) {
      throw backendErrors.reschedule();
    }
    this.state = 'RELEASED';
    for (let next = this.#releaseCallbacks.pop(); next !== undefined; next = this.#releaseCallbacks.pop()) {
      if (next(this, release) === 'kept') return;
    }
  }
}
